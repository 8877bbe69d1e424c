"""Erasing: shared values that are no longer shared, and a person's data at that person's request.

Every batch is a transaction of its own; what is erased is marked in it, so that one who dies midway
is finished by the next. Nothing here can be undone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse import erasures
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.redaction import (
    carried_entity,
    kept_payload,
    says_it_is_over,
    without_profile,
    without_values,
)
from pipeline.warehouse.sql import erase_statement
from pipeline.warehouse.wipe import (
    Erasure,
    log,
    rewrite_landing,
    rewrite_payloads,
    wipe_values,
)


@dataclass(frozen=True)
class Due:
    """What there is to erase.

    ``responses``: to look through in landing; ``profile``: an entity's name and avatar, and its links.
    """

    activities: int
    values: int
    responses: int
    payloads: int
    profile: int = 0


def set_policy(engine: sa.Engine, policy: str) -> None:
    """Record what is to be done about values that expired: one of ``erasures.POLICIES``."""
    in_transaction(
        engine,
        lambda session: (
            session.execute(
                "update sync.privacy set expired_values = %(policy)s, set_at = now()"
                " where expired_values <> %(policy)s",
                {"policy": policy},
            ).rowcount
        ),
    )


def policy(engine: sa.Engine) -> str:
    """Return what is done about values that expired."""
    return in_transaction(engine, lambda session: erasures.look_up(session, (), ()).policy)


def count_due(engine: sa.Engine, now: datetime) -> Due:
    """Return what `erase_due` would erase; ``now`` as there."""
    return _count(engine, "due_counts", {"now": now})


def count_entity(engine: sa.Engine, entity: str) -> Due:
    """Return what is stored of a counterpart; searches all responses by content."""
    return _count(engine, "entity_counts", _mentioned(entity))


def _count(engine: sa.Engine, name: str, parameters: Mapping[str, object]) -> Due:
    def read(session: psycopg.Connection[Any]) -> Due:
        cursor = session.execute(erase_statement(name), parameters)
        names = [column.name for column in cursor.description or ()]
        (row,) = cursor.fetchall()
        return Due(**dict(zip(names, row, strict=True)))

    return in_transaction(engine, read)


def erase_due(engine: sa.Engine, now: datetime, limit: int = 200) -> Erasure:
    """Erase the values of up to ``limit`` activities that are no longer shared; of none: all is done.

    ``now``: the service's time. The counterparts' names stay, which came with the list.
    """

    def work(session: psycopg.Connection[Any]) -> Erasure:
        erasures.exclude(session)
        due = session.execute(erase_statement("due"), {"now": now, "limit": limit})
        return wipe_values(session, dict(due.fetchall()))

    return in_transaction(engine, work)


def erase_payloads(engine: sa.Engine, now: datetime) -> int:
    """Erase values from quarantined responses that could never be stored and say they are over.

    Returns how many payloads changed.
    """

    def redact(payload: bytes) -> bytes | None:
        over = says_it_is_over(payload, now)
        return kept_payload(payload, (), values=True) if over else payload

    def work(session: psycopg.Connection[Any]) -> int:
        erasures.exclude(session)
        statement = (
            "select id, activity_id, payload from sync.quarantine"
            " where source = 'details' and payload is not null"
        )
        changed = rewrite_payloads(session, statement, {}, redact)
        log(session, dict.fromkeys(changed, "expired"), {}, {}, changed)
        return changed.total()

    return in_transaction(engine, work)


def erase_profile(engine: sa.Engine, entity: str) -> list[str]:
    """Erase what is personal of a counterpart, and keep it out from now on.

    Returns the activities whose responses `erase_entity` has to look through.
    """

    def work(session: psycopg.Connection[Any]) -> list[str]:
        erasures.exclude(session)
        session.execute(
            "insert into sync.erased_entities (entity_id, erased_at) values (%s, now())"
            " on conflict (entity_id) do update set erased_at = excluded.erased_at",
            (entity,),
        )
        session.execute(erase_statement("entity"), {"entity": entity})
        session.execute("delete from warehouse.entity_social_media where entity_id = %s", (entity,))
        # The planner's statistics would go on holding the name.
        session.execute("analyze warehouse.entities, warehouse.entity_social_media")
        found = session.execute(erase_statement("entity_activities"), _mentioned(entity))
        return [name for (name,) in found]

    return in_transaction(engine, work)


def erase_entity(engine: sa.Engine, entity: str, ids: list[str]) -> Erasure:
    """Erase a counterpart's personal data from the responses of these activities, and their values.

    An activity that only mentions the counterpart keeps its own values.
    """

    def redact(body: bytes) -> bytes:
        carried = carried_entity(body) == entity
        return without_profile(without_values(body)) if carried else body

    def work(session: psycopg.Connection[Any]) -> Erasure:
        erasures.exclude(session)
        found = session.execute(
            "select id::text from warehouse.activities where entity_id = %s and id = any(%s::uuid[])",
            (entity, ids),
        )
        theirs = dict.fromkeys((name for (name,) in found), "request")
        erased = wipe_values(session, theirs, lambda body: redact(without_values(body)))
        others = [name for name in ids if name not in theirs]
        for table, names in (("activity_list_rows", ids), ("activity_details", others)):
            changed = rewrite_landing(session, table, names, redact)
            erased.responses += changed.total()
        return erased

    return in_transaction(engine, work)


def erase_entity_payloads(engine: sa.Engine, entity: str) -> int:
    """Erase a counterpart's data from quarantine; return how many payloads changed."""

    def work(session: psycopg.Connection[Any]) -> int:
        erasures.exclude(session)
        return rewrite_payloads(
            session,
            erase_statement("entity_payloads"),
            _mentioned(entity),
            lambda payload: kept_payload(payload, {entity}, values=False),
        ).total()

    return in_transaction(engine, work)


def _mentioned(entity: str) -> dict[str, object]:
    """Return the parameters of statements that search responses for a counterpart's id."""
    return {"entity": entity, "small": entity.encode(), "capitals": entity.upper().encode()}
