"""Loading: a batch of outcomes in one transaction, with the ledger rows that describe them.

Implements docs/design.md "Load". Whatever is new goes by COPY straight into its table; what is known
is staged and merged; children that differ are replaced. Applying the same batch twice changes nothing.
What ``landing`` holds is loaded again the same way: rows that somebody altered, or an older mapping wrote.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from datetime import datetime

import msgspec
import psycopg
import sqlalchemy as sa
from msgspec.structs import astuple

from pipeline.telemetry import step
from pipeline.warehouse.answers import erasures, landing
from pipeline.warehouse.answers.belief import Judged, disagreements, judge
from pipeline.warehouse.answers.kept import keep_decisions
from pipeline.warehouse.answers.landing import ResponseMapping
from pipeline.warehouse.database.engine import Session, in_transaction
from pipeline.warehouse.database.sql import id_array, statement
from pipeline.warehouse.load.entities import combine, find_news, write_entities
from pipeline.warehouse.load.merge import LoadResult, Merged, merge
from pipeline.warehouse.privacy.erase import erase_values
from pipeline.warehouse.state import ledger, quarantine, runs
from pipeline.warehouse.state.copying import copy_binary, copy_rows, replace_rows, upsert
from pipeline.warehouse.state.discrepancies import Habits
from pipeline.warehouse.state.ledger import LedgerRow
from pipeline.warehouse.state.rows import (
    ACTIVITY_ROW,
    CHILDREN,
    LISTED_COLUMNS,
    Failure,
    Observation,
    Outcome,
    is_id,
)

_LANDING = ("activity_id", "first_seen_at", "digest", "body")

#: A list row comes only where no details were ever received, whatever the table claims, and what it lost
#: stays as it was. An activity whose details are answered again is no longer gone.
_ANSWERED = {"first_seen_at": "stored.first_seen_at"} | {
    name: f"coalesce(excluded.{name}, case when excluded.details_fetched_at is null then stored.{name} end)"
    for name in (*LISTED_COLUMNS, "gone_at")
}


@step("load")
def load(
    engine: sa.Engine,
    run_id: str,
    mapping: ResponseMapping,
    outcomes: Sequence[Outcome],
    habits: Habits | None = None,
) -> LoadResult:
    """Store a batch of outcomes, of distinct activities, in one transaction; return what it did.

    ``mapping`` maps what ``landing`` holds of them; ``habits`` are the service's, None: it has none. An
    activity with a value that PostgreSQL refuses goes to quarantine with the reason, without the others.
    Raises a ``WarehouseError``.
    """
    habits = habits or Habits()
    if not outcomes:
        return LoadResult()
    # Every run locks in the order of ids, so two runs over the same activities do not deadlock.
    ordered = sorted(outcomes, key=lambda outcome: outcome.subject)
    try:
        return in_transaction(
            engine, lambda session: _load(session, run_id, mapping, ordered, habits)
        )
    except psycopg.Error as error:
        # The driver's own message may hold values.
        reason = f"PostgreSQL can't store it: {type(error).__name__} (SQLSTATE {error.sqlstate})"
    if len(ordered) == 1:
        return load(engine, run_id, mapping, [_refused(ordered[0], reason)], habits)
    # Halved until what is refused is alone.
    middle = len(ordered) // 2
    first = load(engine, run_id, mapping, ordered[:middle], habits)
    return first + load(engine, run_id, mapping, ordered[middle:], habits)


def load_again(
    engine: sa.Engine, run_id: str, mapping: ResponseMapping, ids: Sequence[str]
) -> LoadResult:
    """Load what ``landing`` holds of activities, in batches; the rows of what does not map stay.

    Rows that are right are not written. Raises a ``WarehouseError``.
    """
    counts = LoadResult()
    for names in landing.batches(engine, ids):
        counts += load(engine, run_id, mapping, [Outcome(name, stored=True) for name in names])
    return counts


def _load(
    session: Session,
    run_id: str,
    mapping: ResponseMapping,
    outcomes: Sequence[Outcome],
    habits: Habits,
) -> LoadResult:
    ids = [each.subject for each in outcomes if is_id(each.subject)]
    # The order matters: an erasure waits for the shared lock, and a load that waited for
    # a ledger row looks up what was erased only after that wait.
    erasures.share(session)
    known = ledger.lock(session, ids)
    stored = landing.read_stored(session, mapping, outcomes, known)
    kept, to_erase = erasures.keep_out(session, landing.with_stored(outcomes, stored))
    merged = merge(kept, known, _judge(kept, known, stored, habits))
    _write(session, run_id, merged)
    keep_decisions(session, mapping, kept, stored)
    erase_values(session, to_erase)
    return merged.counts


def _judge(
    outcomes: Sequence[Outcome],
    known: Mapping[str, LedgerRow],
    stored: Mapping[str, Outcome],
    habits: Habits,
) -> dict[str, Judged]:
    """Judge new details, each with the stored ones and the newest row of the list."""
    compared = []
    for outcome in outcomes:
        details, row = outcome.details, known.get(outcome.subject) or LedgerRow(outcome.subject)
        if details is None or outcome.stored or not row.accepts_answer(details.received_at):
            continue
        held = stored.get(outcome.subject) or Outcome(outcome.subject)
        listed = held.listed if row.is_ahead(details) else None
        # All of a batch before the first is judged: what is common shows in many.
        if row.unlisted_at is None:
            habits.note(disagreements(details, listed))
        compared.append((details, row, held, listed))
    judged = {}
    for details, row, held, listed in compared:
        before = held.details if row.details is not None else None
        belief = judge(details, row, before, listed, habits)
        fields = None
        if before is not None:
            # Another profile of the counterpart is no change of the activity.
            same = before.own == details.own
            fields = [] if same else _differing_fields(before.body, details.body)
        judged[row.activity_id] = Judged(belief, details, before, held.listed, fields)
    return judged


def _differing_fields(before: bytes, after: bytes) -> list[str]:
    try:
        old, new = (msgspec.json.decode(body, type=dict[str, object]) for body in (before, after))
    except (ValueError, RecursionError):
        return []
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _refused(outcome: Outcome, reason: str) -> Outcome:
    """Return an outcome that can't be stored as a failure; its list row may still do."""
    listed, body = outcome.listed, outcome.details or outcome.listed
    day = listed.day if listed is not None and listed.dated else None
    failure = Failure(
        source="details" if outcome.details is not None or outcome.stored else "list",
        subject=outcome.subject,
        activity_id=outcome.subject,
        day=day or (body.day if body else None),
        reason=reason,
        payload=body.body if body else None,
        at=body.received_at if body else datetime.now().astimezone(),
    )
    kept = listed if outcome.details is not None else None
    failures = [*outcome.failures, failure]
    return Outcome(outcome.subject, listed=kept, failures=failures, stored=outcome.stored)


def _write(session: Session, run_id: str, merged: Merged) -> None:
    forms = find_news(session, merged.entities)
    write_entities(session, [combine(forms[name]) for name in sorted(forms)])
    # Activities refer to the ledger: no table holds one that it does not know.
    _write_ledger(session, merged)
    existing = _existing(session, [str(row[0]) for row in merged.activities])
    _write_activities(session, merged, existing)
    _write_children(session, merged, {*existing, *merged.landed_before})
    _write_landing(session, merged, forms.keys())
    _record_unknown(session, [*merged.details_news, *merged.received_again, *merged.listed_news])
    if merged.counts.reopened:
        session.execute(statement("load/reopened"), {"days": sorted(merged.counts.reopened)})
    quarantine.make_due_again(session, merged.due)
    for name in quarantine.resolve(session, merged.resolved):
        merged.changes.append({"activity_id": name, "change": "resolved"})
    quarantine.record(session, merged.failures)
    runs.record_changes(session, run_id, merged.changes)


def _existing(session: Session, ids: Collection[str]) -> set[str]:
    """Return those of ``ids`` that have a row of ``warehouse.activities``."""
    if not ids:
        return set()
    query = "select id::text from warehouse.activities where id = any(%s::uuid[])"
    return {name for (name,) in session.execute(query, (id_array(ids),))}


def _write_activities(session: Session, merged: Merged, existing: Collection[str]) -> None:
    # A new row is copied, not merged. Two runs that insert the same one wait for each other at its row of
    # the ledger, so the second finds the first one's.
    new = [row for row in merged.activities if row[0] not in existing]
    known = [row for row in merged.activities if row[0] in existing]
    if new:
        copy_rows(session, "warehouse.activities", ACTIVITY_ROW, new)
    upsert(session, "warehouse.activities", ACTIVITY_ROW, known, _ANSWERED)
    if merged.landed_before:
        session.execute(statement("load/first_received"), {"ids": id_array(merged.landed_before)})
    if merged.refusals:
        ids, shown, gone = zip(*merged.refusals, strict=True)
        listed = [row.said if row else {} for row in shown]
        columns = {name: [row.get(name) for row in listed] for name in LISTED_COLUMNS}
        parameters = {"ids": id_array(ids), "gone": list(gone), **columns}
        session.execute(statement("load/refusals"), parameters)


def _write_children(session: Session, merged: Merged, existing: Set[str]) -> None:
    for table, columns in CHILDREN.items():
        # Most news of an activity leave most of its children as they were.
        same = merged.same_children[table]
        rows = [
            (details.activity_id, *row)
            for details in merged.details_news
            if details.activity_id not in same
            for row in details.children[table]
        ]
        names = ("activity_id", *columns)
        replace_rows(session, f"warehouse.{table}", names, existing - same, rows)


def _write_landing(session: Session, merged: Merged, observed: Collection[str]) -> None:
    """Write responses. ``observed``: counterparts of which something new was observed."""
    details = [
        (d.activity_id, d.received_at, d.digest, d.body, d.received_at) for d in merged.landed
    ]
    # A known row lands again only as an observation of its counterpart.
    rows = [
        (x.activity_id, x.received_at, x.digest, x.body)
        for x in merged.listed_news
        if not x.entity_news or (x.entity and (x.entity.fills or x.entity.id in observed))
    ]
    if details:
        columns = (*_LANDING, "last_seen_at")
        copy_binary(session, "landing.activity_details", columns, details)
    if rows:
        copy_binary(session, "landing.activity_list_rows", _LANDING, rows)
    if merged.received_again:
        ids = id_array(details.activity_id for details in merged.received_again)
        times = [details.received_at for details in merged.received_again]
        session.execute(statement("load/landing_seen_again"), {"ids": ids, "times": times})


def _record_unknown(session: Session, observations: Sequence[Observation]) -> None:
    """Record codes and fields seen for the first time; each once a batch, its sample the first."""
    first = {code: each for each in reversed(observations) for code in each.codes}
    rows = [(*code, first[code].activity_id, first[code].received_at) for code in sorted(first)]
    if rows:
        session.cursor().executemany(statement("load/unknown_values"), rows)


def _write_ledger(session: Session, merged: Merged) -> None:
    table = "sync.activity_ledger"
    # The ledger row commits with the data that it describes, or not at all.
    if merged.ledger_new:
        copy_binary(session, table, ledger.COLUMNS, map(astuple, merged.ledger_new))
    upsert(session, table, ledger.COLUMNS, list(map(astuple, merged.ledger_known)))
