"""Writing what is made anew of ``landing``: the warehouse's side of ``reparse``.

Everything is compared with what is stored before it is written, so that where nothing differs no
row gets a new version.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse import erasures, landing, ledger, quarantine, refresh, run_changes
from pipeline.warehouse.copying import stage_rows
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.load import (
    ACTIVITY_COLUMNS,
    CHILDREN,
    record_unknown,
    write_ledger,
)
from pipeline.warehouse.redaction import redact_details
from pipeline.warehouse.rows import (
    ENTITY_ROW,
    Cell,
    DetailsObservation,
    EntityObservation,
    Failure,
    ListObservation,
    Row,
)
from pipeline.warehouse.sql import erase_statement, load_statement

_ACTIVITY = (*ACTIVITY_COLUMNS, "gone_at")
_LINKS = ("entity_id", "position", "media", "url")


@dataclass(slots=True)
class Rebuilt:
    """One activity made anew.

    ``row``: of ``warehouse.activities``, by ``ACTIVITY_COLUMNS`` and ``gone_at``; None: it stays as
    it is. ``fill``: the row and children are only to be written where there is no row.
    """

    activity_id: str
    ledger: LedgerRow
    row: Row | None = field(default=None, repr=False)
    fill: bool = False
    details: DetailsObservation | None = None
    listed: ListObservation | None = None
    failures: list[Failure] = field(default_factory=list)


@dataclass(slots=True)
class Written:
    """What a batch did: activities rewritten and left alone, failures, and the days to recount."""

    changed: int = 0
    unchanged: int = 0
    quarantined: int = 0
    days: set[date] = field(default_factory=set)

    def __iadd__(self, other: "Written") -> "Written":
        self.changed += other.changed
        self.unchanged += other.unchanged
        self.quarantined += other.quarantined
        self.days |= other.days
        return self


Judge = Callable[[StoredResponses], Rebuilt]


def write_entities(engine: sa.Engine, entities: Sequence[EntityObservation]) -> int:
    """Write counterparts that differ from what is stored; return how many were written.

    One that was observed later than ours, by a run beside us, stays as it is.
    """

    def work(session: psycopg.Connection[Any]) -> int:
        erasures.share(session)
        kept = erasures.kept_entities(session, entities)
        rows = (entity.as_row() for entity in kept)
        stage_rows(session, "warehouse.entities", ENTITY_ROW, rows)
        written = {name for (name,) in session.execute(load_statement("landing_entities"))}
        ours = session.execute(
            "select id::text from stage_entities inner join warehouse.entities using (id, digest)"
        )
        current = [name for (name,) in ours]
        links = [(entity.id, *link) for entity in kept for link in entity.social_media]
        return len(written | _replace(session, "entity_social_media", _LINKS, current, links))

    return in_transaction(engine, work)


def rebuild(engine: sa.Engine, run_id: str, ids: Sequence[str], judge: Judge) -> Written:
    """Make these activities anew, in one transaction that holds their ledger rows locked.

    ``judge`` maps; it may be asked again, since the transaction is tried again. A value that
    PostgreSQL refuses sends its activity to quarantine. Raises a ``WarehouseError``.
    """
    names = sorted(ids)
    try:
        return in_transaction(engine, lambda session: _rebuild(session, run_id, names, judge))
    except psycopg.Error as error:
        refusal = f"PostgreSQL can't store it: {type(error).__name__} (SQLSTATE {error.sqlstate})"
    if len(names) == 1:
        return in_transaction(
            engine, lambda session: _refuse(session, run_id, names, judge, refusal)
        )
    middle = len(names) // 2
    written = rebuild(engine, run_id, names[:middle], judge)
    written += rebuild(engine, run_id, names[middle:], judge)
    return written


def remove_unknown(engine: sa.Engine, entities: Sequence[str]) -> tuple[int, set[date]]:
    """Remove activities that landing does not know, and those of ``entities`` that nothing names.

    Their ledger rows go too, so that the next run fetches what the service still lists. Returns how
    many activities were removed, and their days.
    """

    def work(session: psycopg.Connection[Any]) -> tuple[int, set[date]]:
        found = session.execute(load_statement("landing_unknown")).fetchall()
        known = ledger.lock(session, sorted(name for (name,) in found))
        parameters = {"ids": [name for (name,) in found]}
        removed = session.execute(load_statement("landing_remove"), parameters).rowcount
        session.execute(load_statement("landing_forget"), parameters)
        session.execute(load_statement("landing_remove_entities"), {"ids": list(entities)})
        return removed, {row.day for row in known.values() if row.day is not None}

    return in_transaction(engine, work)


def _rebuild(
    session: psycopg.Connection[Any], run_id: str, ids: list[str], judge: Judge
) -> Written:
    rebuilt, known = _judged(session, ids, judge)
    whole = _without_stored(session, [each for each in rebuilt if each.row is not None])
    stage_rows(session, "warehouse.activities", _ACTIVITY, (each.row for each in whole if each.row))
    changed = {name for (name,) in session.execute(load_statement("landing_activities"))}
    names = [each.activity_id for each in whole]
    session.execute(erase_statement("mark"), {"ids": sorted(changed)})
    for table, columns in CHILDREN.items():
        rows = [
            (each.activity_id, *row)
            for each in whole
            if each.details is not None
            for row in getattr(each.details, table)
        ]
        changed |= _replace(session, table, ("activity_id", *columns), names, rows)
    refresh.queue(session, sorted(changed))
    observed = [one for each in rebuilt for one in (each.details, each.listed) if one is not None]
    record_unknown(session, observed)
    return _account(session, run_id, rebuilt, known, changed)


def _refuse(
    session: psycopg.Connection[Any], run_id: str, ids: list[str], judge: Judge, reason: str
) -> Written:
    """Quarantine the one activity whose values PostgreSQL refused; its stored rows stay."""
    rebuilt, known = _judged(session, ids, judge)
    for each in rebuilt:
        body = each.details or each.listed
        each.failures.append(
            Failure(
                source="details" if each.details is not None else "list",
                subject=each.activity_id,
                activity_id=each.activity_id,
                day=each.ledger.day,
                reason=reason,
                payload=body.body if body else None,
                at=datetime.now().astimezone(),
            )
        )
        each.ledger = known.get(each.activity_id, each.ledger)
    return _account(session, run_id, rebuilt, known, set())


def _judged(
    session: psycopg.Connection[Any], ids: list[str], judge: Judge
) -> tuple[list[Rebuilt], dict[str, LedgerRow]]:
    erasures.share(session)
    known = ledger.lock(session, ids)
    rebuilt = [judge(each) for each in landing.newest(session, ids, known)]
    # Landing holds nothing that was erased, unless it was restored from an older copy.
    erased = erasures.look_up(session, ids, ()).activities
    for each in rebuilt:
        if each.activity_id in erased:
            each.details = redact_details(each.details) if each.details is not None else None
            each.failures = erasures.kept_failures(each.failures, (), values=True)
    return rebuilt, known


def _without_stored(session: psycopg.Connection[Any], rebuilt: list[Rebuilt]) -> list[Rebuilt]:
    """Leave out those that only fill a gap where there is none."""
    fills = [each.activity_id for each in rebuilt if each.fill]
    if not fills:
        return rebuilt
    stored = session.execute(
        "select id::text from warehouse.activities where id = any(%s::uuid[])", (fills,)
    )
    names = {name for (name,) in stored}
    return [each for each in rebuilt if not (each.fill and each.activity_id in names)]


def _account(
    session: psycopg.Connection[Any],
    run_id: str,
    rebuilt: list[Rebuilt],
    known: dict[str, LedgerRow],
    changed: set[str],
) -> Written:
    """Write ledger, quarantine and the run's changes; return what the batch did."""
    written = Written(changed=len(changed), unchanged=len(rebuilt) - len(changed))
    fresh = [each.ledger for each in rebuilt if each.activity_id not in known]
    moved = [
        each.ledger
        for each in rebuilt
        if each.activity_id in known and each.ledger != known[each.activity_id]
    ]
    write_ledger(session, fresh, moved)
    failures = [failure for each in rebuilt for failure in each.failures]
    quarantine.record(session, failures)
    written.quarantined = len(failures)
    days = [each.day for each in (*fresh, *moved)] + [failure.day for failure in failures]
    days += [known[row.activity_id].day for row in moved]
    written.days = {day for day in days if day is not None}
    changes: list[run_changes.Change] = [(name, "changed", None) for name in sorted(changed)]
    changes += [(failure.subject, "quarantined", None) for failure in failures]
    run_changes.record(session, run_id, changes)
    return written


def _replace(
    session: psycopg.Connection[Any],
    table: str,
    columns: Sequence[str],
    ids: Sequence[str],
    rows: Iterable[Sequence[Cell]],
) -> set[str]:
    """Make the children of ``ids`` be ``rows``; return those of ``ids`` whose children differed.

    ``columns``: the owner's id first.
    """
    names, owner = ", ".join(columns), columns[0]
    stage = f"stage_{table}"
    stage_rows(session, f"warehouse.{table}", columns, rows)
    stored = f"select {names} from warehouse.{table} where {owner} = any(%(ids)s::uuid[])"
    staged = f"select {names} from {stage} where {owner} = any(%(ids)s::uuid[])"
    found = session.execute(
        f"select distinct {owner}::text from ("
        f"(({stored}) except all ({staged})) union all (({staged}) except all ({stored}))"
        ") as differing",
        {"ids": list(ids)},
    )
    differing = [name for (name,) in found]
    if differing:
        session.execute(
            f"delete from warehouse.{table} where {owner} = any(%s::uuid[])", (differing,)
        )
        session.execute(
            f"insert into warehouse.{table} ({names})"
            f" select {names} from {stage} where {owner} = any(%s::uuid[])",
            (differing,),
        )
    return set(differing)
