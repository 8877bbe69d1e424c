"""Erase shared values that are no longer shared, and a person's data when that person asks.

Implements docs/design.md "Erase". Every batch is one transaction that also records the erasure, so an
erase that was killed is finished by the next one. Nothing here can be undone.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from functools import partial
from operator import add
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import class_row
from psycopg.sql import SQL, Composed, Identifier

from pipeline.warehouse import erasures, witness
from pipeline.warehouse.engine import fetch, in_transaction
from pipeline.warehouse.redaction import (
    PROFILE,
    kept_payload,
    read_entity_id,
    readable_or_nothing,
    says_it_is_over,
    without_profile,
    without_values,
)
from pipeline.warehouse.sensitivity import columns_of, listed
from pipeline.warehouse.sql import statement

#: Activities in one transaction: due ones, and ones of a person.
_BATCH, _PERSON_BATCH = 200, 100

Redact = Callable[[bytes], bytes | None]
Session = psycopg.Connection[Any]


@dataclass
class Erasure:
    """What was erased, or would be.

    ``values``: shared values of ``activities``. ``responses``: versions in landing. ``payloads``: of
    quarantine. ``profile``: an entity's name and avatar, and its links.
    """

    activities: int = 0
    values: int = 0
    responses: int = 0
    payloads: int = 0
    profile: int = 0

    def __add__(self, other: "Erasure") -> "Erasure":
        return Erasure(*map(add, astuple(self), astuple(other)))


def count_expired(engine: sa.Engine, now: datetime) -> Erasure:
    """Return what `erase_expired` would erase; responses and payloads are those it would read."""
    return _count(engine, "due_counts", {"now": now})


def count_person(engine: sa.Engine, entity: str) -> Erasure:
    """Return what `erase_person` would erase; searches the content of all responses."""
    return _count(engine, "entity_counts", _mentioned(entity))


def erase_expired(engine: sa.Engine, now: datetime, told: Callable[[str], None]) -> Erasure:
    """Erase all shared values that are no longer shared at ``now``, the service's time.

    The counterparts' names stay: they came with the list. ``told`` hears how far it is. Raises a
    ``WarehouseError``; what was erased until then stays erased.
    """
    erased = Erasure()
    # Small transactions: each keeps all loads waiting.
    while (batch := erase_due(engine, now)).activities:
        erased += batch
        told(f"erased the values of {erased.activities:,} activities no longer shared")
    erased.payloads += in_transaction(engine, partial(_erase_expired_payloads, now=now))
    return erased


def erase_due(engine: sa.Engine, now: datetime, limit: int = _BATCH) -> Erasure:
    """Erase the values of up to ``limit`` activities that are due; without activities: all is done."""

    def work(session: Session) -> Erasure:
        erasures.exclude(session)
        due = session.execute(statement("erase/due"), {"now": now, "limit": limit})
        return erase_values(session, dict(due.fetchall()))

    return in_transaction(engine, work)


def erase_person(engine: sa.Engine, entity: str, told: Callable[[str], None]) -> Erasure:
    """Erase a counterpart's profile, shared values and traces in responses, and keep them out.

    ``told`` hears how far it is. Raises a ``WarehouseError``; a second call continues.
    """
    # First the mark that keeps the person out: nothing that a run brings from now on stays.
    ids = in_transaction(engine, partial(_erase_profile, entity=entity))
    erased = Erasure()
    for start in range(0, len(ids), _PERSON_BATCH):
        batch = ids[start : start + _PERSON_BATCH]
        erased += in_transaction(engine, partial(_erase_traces, entity=entity, ids=batch))
        told(f"{start + len(batch):,} of {len(ids):,} activities looked through")
    erased.payloads += in_transaction(engine, partial(_erase_person_payloads, entity=entity))
    return erased


def erase_values(
    session: Session,
    reasons: Mapping[str, str],
    redact: Callable[[bytes], bytes] = without_values,
) -> Erasure:
    """Erase the shared values of activities wherever they are stored, and record it.

    ``reasons``: ``sync.erasures.reason`` by activity id. ``redact`` returns what stays of a details
    response.
    """
    if not reasons:
        return Erasure()
    ids = sorted(reasons)
    intact = witness.intact(session, "activity", ids)
    values: Counter[str] = Counter()
    for table in listed():
        if table.startswith("warehouse.") and (columns := columns_of(table, "value")):
            values.update(_empty(session, table, "activity_id", columns, ids))
    responses = _redact_landing(session, "activity_details", ids, redact)
    payloads = _redact_payloads(
        session,
        "activity_id = any(%(ids)s::text[])",
        {"ids": ids},
        lambda payload: kept_payload(payload, (), values=True),
    )
    # In the same transaction: a load that waited for us sees the record and keeps these values out.
    _record(session, reasons, values, responses, payloads)
    session.execute(statement("erase/mark"), {"ids": ids})
    # What was altered before stays unsealed: the next run heals it.
    witness.seal(session, "activity", [name for name in ids if intact.get(name)])
    return Erasure(len(ids), values.total(), responses.total(), payloads.total())


def _count(engine: sa.Engine, name: str, parameters: Mapping[str, object]) -> Erasure:
    query = SQL(statement(f"erase/{name}")).format(profile=_named(PROFILE)).as_string()
    (counts,) = fetch(engine, class_row(Erasure), query, parameters)
    return counts


def _erase_expired_payloads(session: Session, now: datetime) -> int:
    """Erase values from quarantined details that could never be stored and say they are over."""

    def redact(payload: bytes) -> bytes | None:
        over = says_it_is_over(payload, now)
        return kept_payload(payload, (), values=True) if over else payload

    erasures.exclude(session)
    # Such a response never had rows, so the query for due activities does not find it.
    changed = _redact_payloads(session, "source = 'details'", {}, redact)
    _record(session, dict.fromkeys(changed, "expired"), Counter(), Counter(), changed)
    return changed.total()


def _erase_profile(session: Session, entity: str) -> list[str]:
    """Erase what is personal of a counterpart; return the activities whose responses may hold more."""
    erasures.exclude(session)
    intact = witness.intact(session, "entity", [entity])
    session.execute(
        "insert into sync.erased_entities (entity_id, erased_at) values (%s, now())"
        " on conflict (entity_id) do update set erased_at = excluded.erased_at",
        (entity,),
    )
    _empty(session, "warehouse.entities", "id", PROFILE, [entity])
    session.execute("delete from warehouse.entity_social_media where entity_id = %s", (entity,))
    witness.seal(session, "entity", [name for name, whole in intact.items() if whole])
    # The planner's statistics would keep the name.
    session.execute("analyze warehouse.entities, warehouse.entity_social_media")
    found = session.execute(statement("erase/entity_activities"), _mentioned(entity))
    return [name for (name,) in found]


def _erase_traces(session: Session, entity: str, ids: list[str]) -> Erasure:
    """Erase a counterpart's personal data from the responses of activities, and their values.

    An activity that only mentions the counterpart keeps its own values.
    """

    def redact(body: bytes) -> bytes:
        theirs = read_entity_id(body) == entity
        return without_profile(without_values(body)) if theirs else body

    erasures.exclude(session)
    found = session.execute(
        "select id::text from warehouse.activities where entity_id = %s and id = any(%s::uuid[])",
        (entity, ids),
    )
    theirs = dict.fromkeys((name for (name,) in found), "request")
    erased = erase_values(session, theirs, lambda body: redact(without_values(body)))
    others = [name for name in ids if name not in theirs]
    for table, names in (("activity_list_rows", ids), ("activity_details", others)):
        erased.responses += _redact_landing(session, table, names, redact).total()
    return erased


def _erase_person_payloads(session: Session, entity: str) -> int:
    erasures.exclude(session)
    where = "(position(%(small)s::bytea in payload) > 0 or position(%(capitals)s::bytea in payload) > 0)"
    return _redact_payloads(
        session,
        where,
        _mentioned(entity),
        lambda payload: kept_payload(payload, {entity}, values=False),
    ).total()


def _empty(
    session: Session, table: str, key: str, columns: Sequence[str], ids: Sequence[str]
) -> list[str]:
    """Empty columns of the rows that have one of ``ids`` as key; return the key of each changed row."""
    query = SQL(statement("erase/columns")).format(
        table=Identifier(*table.split(".")),
        key=Identifier(key),
        columns=_named(columns),
        emptied=SQL(", ").join(SQL("{} = null").format(Identifier(name)) for name in columns),
    )
    return [name for (name,) in session.execute(query, {"ids": list(ids)})]


def _named(columns: Sequence[str]) -> Composed:
    return SQL(", ").join(map(Identifier, columns))


def _mentioned(entity: str) -> dict[str, object]:
    """Return the parameters of statements that search responses for a counterpart's id."""
    return {"entity": entity, "small": entity.encode(), "capitals": entity.upper().encode()}


def _record(
    session: Session,
    reasons: Mapping[str, str],
    values: Counter[str],
    responses: Counter[str],
    payloads: Counter[str],
) -> None:
    """Record erasures, which keeps these activities' values out from now on; counts by activity."""
    rows = [
        (name, reason, values[name], responses[name], payloads[name])
        for name, reason in sorted(reasons.items())
    ]
    session.cursor().executemany(statement("erase/log"), rows)


def _redact_landing(
    session: Session, table: str, ids: Sequence[str], redact: Callable[[bytes], bytes]
) -> Counter[str]:
    """Redact every version of these activities' responses; return how many changed, by activity."""
    return _redact(
        session,
        f"select activity_id::text, body, activity_id, first_seen_at from landing.{table}"
        " where activity_id = any(%(ids)s::uuid[])",
        {"ids": list(ids)},
        f"update landing.{table} set body = %s where activity_id = %s and first_seen_at = %s",
        partial(readable_or_nothing, redact),
    )


def _redact_payloads(
    session: Session, where: str, parameters: Mapping[str, object], redact: Redact
) -> Counter[str]:
    """Redact payloads of quarantine, resolved or not; return how many changed, by activity."""
    return _redact(
        session,
        "select activity_id, payload, id from sync.quarantine"
        f" where payload is not null and {where}",
        parameters,
        "update sync.quarantine set payload = %s where id = %s",
        redact,
    )


def _redact(
    session: Session,
    select: str,
    parameters: Mapping[str, object],
    update: str,
    redact: Redact,
) -> Counter[str]:
    """Redact the bodies that ``select`` finds: activity, body, and the key that ``update`` takes."""
    changed: Counter[str] = Counter()
    # A few at a time: one body may hold images.
    with session.cursor(name="bodies_to_redact") as found:
        found.itersize = 8
        found.execute(select, dict(parameters))
        for name, body, *key in found:
            left = redact(body)
            if left != body:
                session.execute(update, (left, *key))
                changed[name] += 1
    return changed
