"""Applies `pipeline.warehouse.belief` to a batch, and shows what ``landing`` holds of its activities.

Implements docs/design.md "Belief".
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import msgspec

from pipeline.warehouse import landing
from pipeline.warehouse.belief import Judged, judge, missing_fields, with_kept
from pipeline.warehouse.engine import Session
from pipeline.warehouse.landing import ResponseMapping
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.rows import DetailsObservation, Outcome
from pipeline.warehouse.sql import statement


def read_stored(
    session: Session,
    mapping: ResponseMapping,
    outcomes: Sequence[Outcome],
    known: Mapping[str, LedgerRow],
) -> dict[str, Outcome]:
    """Map what ``landing`` holds, where an outcome is compared with it, shown by it, or made of it."""
    names = [each.subject for each in outcomes if _needs_stored(each, known.get(each.subject))]
    return {
        # Without a row of the ledger it counts as altered.
        name: mapping.map_stored(
            known.get(name) or LedgerRow(name, altered=True), held.get("details"), held.get("list")
        )
        for name, held in landing.newest(session, names).items()
    }


def _needs_stored(outcome: Outcome, row: LedgerRow | None) -> bool:
    if outcome.stored:
        return not outcome.failures
    if row is None:
        return False
    details = outcome.details
    if details is None:
        failed = row.details is None and bool(outcome.failures)
        return outcome.listed is None and (outcome.withheld_at is not None or failed)
    changed = row.details is not None and not row.holds(details)
    return row.accepts_answer(details.received_at) and (
        # Of a new one that says too little, the list is all that can be shown.
        changed or row.is_ahead(details) or bool(missing_fields(details))
    )


def with_stored(outcomes: Sequence[Outcome], stored: Mapping[str, Outcome]) -> list[Outcome]:
    """Return outcomes with what ``landing`` holds of what was refused, failed or is loaded again."""
    filled = []
    for outcome in outcomes:
        held = stored.get(outcome.subject)
        if held is not None and outcome.details is None:
            # Of what was refused or failed, the newest row of the list is all that can be shown.
            outcome = held if outcome.stored else replace(outcome, listed=held.listed)
        filled.append(outcome)
    return filled


def believe(
    session: Session,
    run_id: str,
    mapping: ResponseMapping,
    outcomes: Sequence[Outcome],
    known: Mapping[str, LedgerRow],
    stored: Mapping[str, Outcome],
) -> dict[str, Judged]:
    """Compare details with the ``stored`` ones and with the list; return what is news, by activity."""
    over = _runs_over(session, run_id, known.values())
    judged: dict[str, Judged] = {}
    for outcome in outcomes:
        name, details = outcome.subject, outcome.details
        row = known.get(name) or LedgerRow(name)
        if details is None or outcome.stored or not row.accepts_answer(details.received_at):
            continue
        judged[name] = _compare(mapping, details, row, stored.get(name) or Outcome(name), over)
    return judged


def _compare(
    mapping: ResponseMapping,
    details: DetailsObservation,
    row: LedgerRow,
    held: Outcome,
    over: Collection[str | None],
) -> Judged:
    before = held.details if row.details is not None else None
    belief = judge(
        details,
        before,
        held.listed if row.is_ahead(details) else None,
        agreed=row.listed == details.as_listed,
        again=row.odd == details.meaning and row.odd_run in over,
    )
    if before is None:
        return Judged(belief, details, details, held.listed)
    kept = details
    if belief.lost:
        kept = (
            mapping.map_details(with_kept(details.body, before.body, belief.lost), details)
            or details
        )
    # Another profile of the counterpart is no change of the activity.
    fields = [] if before.own == details.own else _differing_fields(before.body, kept.body)
    return Judged(belief, details, kept, held.listed, fields)


def _runs_over(session: Session, run_id: str, rows: Iterable[LedgerRow]) -> set[str]:
    """Return the runs that got odd details before and were over when this one began."""
    runs = {row.odd_run for row in rows if row.odd_run is not None}
    if not runs:
        return runs
    given = {"run_id": run_id, "runs": list(runs)}
    beside = session.execute(statement("load/runs_beside"), given)
    return runs - {run_id, *(name for (name,) in beside)}


def _differing_fields(before: bytes, after: bytes) -> list[str]:
    try:
        old, new = (msgspec.json.decode(body, type=dict[str, object]) for body in (before, after))
    except (ValueError, RecursionError):
        return []
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
