"""Applies `pipeline.warehouse.belief` to a batch, and shows what ``landing`` holds of its activities.

Implements docs/design.md "Belief".
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from pipeline.warehouse import landing
from pipeline.warehouse.belief import judge, with_kept
from pipeline.warehouse.engine import Session
from pipeline.warehouse.landing import ResponseMapping
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.merge import Judged
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
    return _map_stored(session, mapping, names, known)


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
    return row.accepts_answer(details.received_at) and (changed or row.is_ahead(details))


def _map_stored(
    session: Session,
    mapping: ResponseMapping,
    names: Sequence[str],
    known: Mapping[str, LedgerRow],
) -> dict[str, Outcome]:
    found = map(mapping.map_stored, landing.newest(session, names, known))
    return {each.subject: each for each in found}


def with_stored(outcomes: Sequence[Outcome], stored: Mapping[str, Outcome]) -> list[Outcome]:
    """Return outcomes with what ``landing`` holds of what was refused, failed or is loaded again."""

    def filled(outcome: Outcome) -> Outcome:
        held = stored.get(outcome.subject)
        if held is None or outcome.details is not None:
            return outcome
        # Of what was refused or failed, the newest row of the list is all that can be shown.
        return held if outcome.stored else replace(outcome, listed=held.listed)

    return [filled(each) for each in outcomes]


def believe(
    session: Session,
    run_id: str,
    mapping: ResponseMapping,
    outcomes: Sequence[Outcome],
    known: Mapping[str, LedgerRow],
    stored: Mapping[str, Outcome],
) -> tuple[list[Outcome], dict[str, Judged], dict[str, list[str]]]:
    """Compare details with the ``stored`` ones and with the list.

    Returns the outcomes, with what odd details lost; the odd ones; and by activity the top-level fields in
    which its details differ from the stored ones.
    """
    news = {
        each.subject: (each.details, row)
        for each in outcomes
        if each.details is not None
        and not each.stored
        and (row := known.get(each.subject, LedgerRow(each.subject)))
        and row.accepts_answer(each.details.received_at)
    }
    again = _got_before(session, run_id, news)
    judged: dict[str, Judged] = {}
    fields: dict[str, list[str]] = {}
    kept: dict[str, DetailsObservation] = {}
    for name, (details, row) in news.items():
        held = stored.get(name, Outcome(name))
        before = held.details if row.details is not None else None
        listed = held.listed if row.is_ahead(details) else None
        agreed = row.listed == details.as_listed
        belief = judge(details, before, listed, agreed=agreed, again=name in again)
        if belief.odd is not None:
            judged[name] = Judged(belief, details, listed)
        if before is not None:
            if belief.lost:
                body = with_kept(details.body, before.body, belief.lost)
                kept[name] = mapping.map_details(body, details) or details
            own = before.own == details.own
            # Another profile of the counterpart is no change of the activity.
            fields[name] = (
                [] if own else _differing_fields(before.body, kept.get(name, details).body)
            )
    # All that can be shown of a new activity whose details are odd, even if they agree with it.
    unshown = [
        name
        for name, each in judged.items()
        if each.listed is None and news[name][1].details is None
    ]
    for name, held in _map_stored(session, mapping, unshown, known).items():
        judged[name] = replace(judged[name], listed=held.listed)
    believed = [
        replace(each, details=kept[each.subject]) if each.subject in kept else each
        for each in outcomes
    ]
    return believed, judged, fields


def _got_before(
    session: Session, run_id: str, news: Mapping[str, tuple[DetailsObservation, LedgerRow]]
) -> set[str]:
    """Return the activities whose odd details a run has got before that was over when this one began."""
    found = {
        name: row.odd_run for name, (details, row) in news.items() if row.odd == details.meaning
    }
    if not found:
        return set()
    query = statement("load/runs_beside")
    runs = session.execute(query, {"run_id": run_id, "runs": list(found.values())})
    beside = {run_id, *(name for (name,) in runs)}
    return {name for name, run in found.items() if run not in beside}


def _differing_fields(before: bytes, after: bytes) -> list[str]:
    try:
        old, new = (msgspec.json.decode(body, type=dict[str, object]) for body in (before, after))
    except (ValueError, RecursionError):
        return []
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
