"""Erase what is no longer shared, what ended long ago, and the data of a person who asks.

Implements docs/design.md "Erase" and docs/privacy.md "Erase a person". Every batch is one transaction that
also records the erasure, so an erase that was killed is finished by the next one. Nothing here can be
undone.

Runs erase values that expired only where ``ACTIVITIES_EXPIRED_VALUES`` is ``erase``. By default these are
hidden (``sql/views/shared_values.sql``) until somebody calls ``pipeline erase --expired``.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Literal

import sqlalchemy as sa
from psycopg.rows import dict_row
from psycopg.sql import SQL, Identifier

from pipeline.warehouse.answers import erasures
from pipeline.warehouse.answers.erasures import REASONS, WHOLE
from pipeline.warehouse.answers.kept import forget_decisions
from pipeline.warehouse.answers.redaction import (
    PROFILE,
    VALUES,
    Kinds,
    kept_payload,
    read_entity_id,
    readable_or_nothing,
    says_it_is_over,
)
from pipeline.warehouse.database.engine import Rows, Session, execute, fetch, in_transaction
from pipeline.warehouse.database.sql import id_array, statement
from pipeline.warehouse.privacy.person import Person
from pipeline.warehouse.schema.sensitivity import columns_of
from pipeline.warehouse.state.rows import CHILDREN

#: Tables with rows of an activity, and the column with its id.
_TABLES = {"activities": "id", **dict.fromkeys(CHILDREN, "activity_id")}

#: A query of ``sql/erase``: why activities are due.
Due = Literal["expired", "ended"]
Redact = Callable[[bytes], bytes | None]

#: Activities of a person in one transaction.
_BATCH = 100

#: Rows of some activities. The array comes as text, because quarantine has their ids as text.
_OF_ACTIVITIES = "activity_id = any(%(ids)s)"

Erasure = Counter[str]
"""How much was erased: ``values`` and ``messages`` of ``activities``, ``responses`` in landing,
``payloads`` of quarantine, authorization ``requests`` of a person."""


def count_due(engine: sa.Engine, due: Due, now: datetime, months: int | None = None) -> Rows:
    """Return what `erase_due` would erase or read: ``what`` and ``number``."""
    query = SQL(statement("erase/counts")).format(due=SQL(statement(f"erase/{due}"))).as_string()
    return fetch(engine, dict_row, query, {"now": now, "months": months, "limit": None})


def erase_due(
    engine: sa.Engine,
    due: Due,
    now: datetime,
    told: Callable[[str], None],
    months: int | None = None,
    batch: int = 200,
) -> Erasure:
    """Erase what is due at ``now``, the service's time, by ``batch`` activities in one transaction.

    ``expired``: shared values that are no longer shared; the counterparts' names stay. ``ended``: all that
    is personal of activities that ended more than ``months`` before, and the profiles of counterparts
    without any other activity. ``told`` hears how far it is. Raises a ``WarehouseError``; what was erased
    until then stays erased.
    """
    given = {"now": now, "months": months, "limit": batch}

    def work(session: Session) -> Erasure:
        erasures.exclude(session)
        found = dict(session.execute(statement(f"erase/{due}"), given).fetchall())
        erased = erase_values(session, found)
        if due == "ended":
            alone = session.execute(statement("erase/left_alone"), {"ids": list(found)}).fetchall()
            _empty_profiles(session, [name for (name,) in alone])
        return erased

    erased = Erasure()
    # Small transactions: each keeps all loads waiting.
    while done := in_transaction(engine, work):
        erased += done
        told(f"erased personal data of {erased['activities']:,} {due} activities")
    if due == "expired":
        erased["payloads"] += in_transaction(engine, partial(_erase_expired_payloads, now=now))
    elif erased["messages"]:
        execute(engine, statement("erase/forget_statistics"))
    return erased


def erase_person(engine: sa.Engine, person: Person, told: Callable[[str], None]) -> Erasure:
    """Erase a counterpart's profile, scores, shared values, requests and traces, and keep them out.

    ``told`` hears how far it is. Raises a ``WarehouseError``; a second call continues.
    """
    erased, found = in_transaction(engine, partial(_erase_profile, person=person))
    for start in range(0, len(found), _BATCH):
        batch = dict(found[start : start + _BATCH])
        erased += in_transaction(engine, partial(_erase_traces, person=person, found=batch))
        told(f"{start + len(batch):,} of {len(found):,} activities looked through")
    execute(engine, statement("erase/forget_statistics"))
    return erased


def erase_values(session: Session, reasons: Mapping[str, str], whose: str | None = None) -> Erasure:
    """Erase values, and what else `REASONS` names, of activities wherever it is stored, and record it.

    ``reasons``: ``sync.erasures.reason`` by activity id. ``whose``: the counterpart whose profile goes,
    too, from details that carry it.
    """
    if not reasons:
        return Erasure()
    counts = defaultdict[str, Counter[str]](Counter)
    for reason in set(reasons.values()):
        kinds, names = REASONS[reason], [name for name in reasons if reasons[name] == reason]
        for kind in kinds:
            for table, key in _TABLES.items():
                if columns := columns_of(f"warehouse.{table}", kind):
                    counts[f"{kind}s"].update(_empty(session, table, key, columns, names))
        ids = id_array(names)
        redact = partial(_redacted, kinds, kinds | {"personal"}, whose)
        counts["responses"] += _redact_rows(session, "landing.activity_details", redact, ids=ids)
        if "personal" in kinds:
            list_rows = _redact_rows(session, "landing.activity_list_rows", redact, ids=ids)
            counts["responses"] += list_rows
        kept = partial(kept_payload, entities=(), kinds=kinds)
        counts["payloads"] += _redact_rows(session, "sync.quarantine", kept, ids=ids)
    forget_decisions(session, [name for name in reasons if reasons[name] in WHOLE])
    # In the same transaction: a load that waited for us sees the record and keeps all this out.
    _record(session, reasons, counts)
    session.execute(statement("erase/mark"), {"ids": list(reasons)})
    return Erasure(activities=len(reasons), **{what: each.total() for what, each in counts.items()})


def _redacted(kinds: Kinds, theirs: Kinds, whose: str | None, body: bytes) -> bytes:
    """Return a response without ``kinds``; without ``theirs`` if its counterpart is ``whose``."""
    carries = whose is not None and read_entity_id(body) == whose
    return readable_or_nothing(theirs if carries else kinds, body)


def _erase_expired_payloads(session: Session, now: datetime) -> int:
    """Erase values from quarantined details that could never be stored and say they are over."""

    def redact(payload: bytes) -> bytes | None:
        over = says_it_is_over(payload, now)
        return kept_payload(payload, (), VALUES) if over else payload

    erasures.exclude(session)
    # Such a response never had rows, so the query for due activities does not find it.
    changed = _redact_rows(session, "sync.quarantine", redact, "source = 'details'")
    counts = defaultdict[str, Counter[str]](Counter, payloads=changed)
    _record(session, dict.fromkeys(changed, "expired"), counts)
    return changed.total()


def _erase_profile(session: Session, person: Person) -> tuple[Erasure, list[tuple[str, bool]]]:
    """Erase a person's requests, profile and payloads that name it, and keep the person out.

    From then on nothing that a run brings stays. Returns also the activities whose responses may hold more,
    and whether these are the person's own.
    """
    erasures.exclude(session)
    theirs = SQL(statement("erase/person_requests"))
    emptied = session.execute(
        SQL(statement("erase/requests")).format(requests=theirs), person.asked()
    )
    erased = Erasure(requests=emptied.rowcount)
    if person.entity is None:
        return erased, []
    _empty_profiles(session, [person.entity])
    where = "landing.mentions(payload, %(entity)s::uuid)"
    redact = partial(kept_payload, entities={person.entity}, kinds=frozenset[str]())
    changed = _redact_rows(session, "sync.quarantine", redact, where, **person.asked())
    erased["payloads"] = changed.total()
    found = session.execute(statement("erase/entity_activities"), person.asked())
    return erased, found.fetchall()


def _erase_traces(session: Session, person: Person, found: Mapping[str, bool]) -> Erasure:
    """Erase a counterpart's personal data from the responses of activities, and values of its own ones.

    An activity that only mentions the counterpart keeps its own values.
    """
    erasures.exclude(session)
    reason = "messages" if person.messages else "request"
    theirs = {name: reason for name, own in found.items() if own}
    erased = erase_values(session, theirs, person.entity)
    redact = partial(_redacted, frozenset[str](), REASONS[reason] | {"personal"}, person.entity)
    for table, names in (
        ("activity_list_rows", found),
        ("activity_details", found.keys() - theirs),
    ):
        changed = _redact_rows(session, f"landing.{table}", redact, ids=id_array(names))
        erased["responses"] += changed.total()
    return erased


def _empty_profiles(session: Session, ids: Sequence[str]) -> None:
    """Empty what is personal of counterparts, with links and former scores."""
    _empty(session, "entities", "id", PROFILE, ids)
    # A trigger keeps the score that was emptied, so this comes last.
    session.execute(statement("erase/profiles"), {"ids": list(ids)})


def _empty(
    session: Session, table: str, key: str, columns: Sequence[str], ids: Sequence[str]
) -> list[str]:
    """Empty columns of the rows that have one of ``ids`` as key; return the key of each changed row."""
    query = SQL(statement("erase/columns")).format(
        table=Identifier("warehouse", table),
        key=Identifier(key),
        columns=SQL(", ").join(map(Identifier, columns)),
        emptied=SQL(", ").join(SQL("{} = null").format(Identifier(name)) for name in columns),
    )
    return [name for (name,) in session.execute(query, {"ids": list(ids)})]


def _record(
    session: Session, reasons: Mapping[str, str], counts: Mapping[str, Counter[str]]
) -> None:
    """Record erasures, which keeps these activities' values out from now on; counts by activity."""
    counted = [counts[what] for what in ("values", "responses", "payloads")]
    rows = [(name, reasons[name], *(each[name] for each in counted)) for name in sorted(reasons)]
    session.cursor().executemany(statement("erase/log"), rows)


def _redact_rows(
    session: Session, table: str, redact: Redact, where: str = _OF_ACTIVITIES, **given: object
) -> Counter[str]:
    """Redact responses in ``landing`` or payloads of quarantine, resolved or not.

    Returns how many changed, by activity. ``given``: the parameters of ``where``.
    """
    column = "payload" if table == "sync.quarantine" else "body"
    changed: Counter[str] = Counter()
    with session.cursor(name="to_redact") as found:
        found.itersize = 1  # the row under the cursor is the one that is updated
        found.execute(
            f"select activity_id::text, {column} from {table}"
            f" where {column} is not null and {where} for update",
            given,
        )
        for name, body in found:
            left = redact(body)
            if left != body:
                update = f"update {table} set {column} = %s where current of to_redact"
                session.execute(update, (left,))
                changed[name] += 1
    return changed
