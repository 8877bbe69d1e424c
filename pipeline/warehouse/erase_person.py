"""Erase a person's data when that person asks, and keep them out of later loads.

Implements docs/privacy.md "Erase a person". Batches as in `pipeline.warehouse.erase`: a killed erase is
finished by the next one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import sqlalchemy as sa
from psycopg.rows import scalar_row
from psycopg.sql import SQL

from pipeline.warehouse import erasures
from pipeline.warehouse.engine import fetch, in_transaction
from pipeline.warehouse.erase import (
    Erasure,
    Session,
    empty_profiles,
    erase_values,
    forget_statistics,
    redact_rows,
    redacted,
)
from pipeline.warehouse.erasures import REASONS
from pipeline.warehouse.redaction import kept_payload
from pipeline.warehouse.sql import statement

#: Activities in one transaction.
_BATCH = 100


@dataclass(frozen=True, repr=False)
class Person:
    """Whose data are erased. ``numbers``: as ``sync.phone_spellings`` spells them. No repr of them.

    ``messages``: also what was written in the person's activities.
    """

    entity: str | None
    numbers: tuple[str, ...] = ()
    messages: bool = False

    def asked(self) -> dict[str, object]:
        """Return the parameters of statements that search for the person."""
        return {**vars(self), "numbers": list(self.numbers)}


def find_entities(engine: sa.Engine, person: Person) -> list[str]:
    """Return the counterparts that the requests to the person's numbers led to."""
    requests = SQL(statement("erase/person_requests"))
    query = SQL(statement("erase/person_entities")).format(requests=requests).as_string()
    return sorted(fetch(engine, scalar_row, query, person.asked()))


def erase_person(engine: sa.Engine, person: Person, told: Callable[[str], None]) -> Erasure:
    """Erase a counterpart's profile, scores, shared values, requests and traces, and keep them out.

    ``told`` hears how far it is. Raises a ``WarehouseError``; a second call continues.
    """
    erased, ids = in_transaction(engine, partial(_erase_profile, person=person))
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        erased += in_transaction(engine, partial(_erase_traces, person=person, ids=batch))
        told(f"{start + len(batch):,} of {len(ids):,} activities looked through")
    erased["payloads"] += in_transaction(engine, partial(_erase_person_payloads, person=person))
    in_transaction(engine, forget_statistics)
    return erased


def _erase_profile(session: Session, person: Person) -> tuple[Erasure, list[str]]:
    """Erase a person's requests and profile, and keep the person out: nothing that a run brings stays.

    Returns also the activities whose responses may hold more.
    """
    erasures.exclude(session)
    theirs = SQL(statement("erase/person_requests"))
    emptied = session.execute(
        SQL(statement("erase/requests")).format(requests=theirs), person.asked()
    )
    erased = Erasure(requests=emptied.rowcount)
    if person.entity is None:
        return erased, []
    session.execute(
        "insert into sync.erased_entities as known (entity_id, erased_at, messages)"
        " values (%(entity)s, now(), %(messages)s) on conflict (entity_id) do update"
        " set erased_at = excluded.erased_at, messages = known.messages or excluded.messages",
        person.asked(),
    )
    empty_profiles(session, [person.entity])
    found = session.execute(statement("erase/entity_activities"), person.asked())
    return erased, [name for (name,) in found]


def _erase_traces(session: Session, person: Person, ids: list[str]) -> Erasure:
    """Erase a counterpart's personal data from the responses of activities, and their values.

    An activity that only mentions the counterpart keeps its own values.
    """
    erasures.exclude(session)
    found = session.execute(
        "select id::text from warehouse.activities where entity_id = %s and id = any(%s::uuid[])",
        (person.entity, ids),
    )
    reason = "messages" if person.messages else "request"
    theirs = dict.fromkeys((name for (name,) in found), reason)
    erased = erase_values(session, theirs, person.entity)
    others = [name for name in ids if name not in theirs]
    redact = partial(redacted, frozenset[str](), REASONS[reason] | {"personal"}, person.entity)
    for table, names in (("activity_list_rows", ids), ("activity_details", others)):
        changed = redact_rows(session, f"landing.{table}", redact, ids=names)
        erased["responses"] += changed.total()
    return erased


def _erase_person_payloads(session: Session, person: Person) -> int:
    erasures.exclude(session)
    where = (
        "(position(%(entity)s::text::bytea in payload) > 0"
        " or position(upper(%(entity)s::text)::bytea in payload) > 0)"
    )
    redact = partial(kept_payload, entities={str(person.entity)}, kinds=frozenset[str]())
    return redact_rows(session, "sync.quarantine", redact, where, **person.asked()).total()
