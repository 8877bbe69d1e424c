"""Applies `pipeline.warehouse.belief` to a batch: reads what ``landing`` holds of its activities.

Implements docs/design.md "Belief".
"""

from collections.abc import Mapping as MappingType
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from pipeline.warehouse import landing
from pipeline.warehouse.belief import judge, with_kept
from pipeline.warehouse.engine import Session
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.merge import Judged
from pipeline.warehouse.rows import DetailsObservation, ListObservation, Mapping, Outcome
from pipeline.warehouse.sql import statement


def with_stored_rows(
    session: Session,
    mapping: Mapping,
    outcomes: Sequence[Outcome],
    known: dict[str, LedgerRow],
) -> list[Outcome]:
    """Add the newest stored row of the list to what was refused or failed: it is all that can be shown."""
    wanting = [
        each.subject
        for each in outcomes
        if each.listed is None
        and (row := known.get(each.subject)) is not None
        and (each.withheld_at or (row.details is None and each.failures))
    ]
    rows = _stored_rows(session, mapping, wanting, known)
    return [
        replace(each, listed=rows[each.subject]) if each.subject in rows else each
        for each in outcomes
    ]


def _stored_rows(
    session: Session, mapping: Mapping, ids: Sequence[str], known: dict[str, LedgerRow]
) -> dict[str, ListObservation]:
    """Return the newest rows of the list that ``landing`` holds of these activities, as received then."""
    if not ids:
        return {}
    found = {}
    for stored in landing.newest(session, list(ids), known):
        row, listed = stored.ledger, stored.listed
        if listed is not None and row.day is not None:
            at = row.listed_at or listed.first_seen_at
            mapped = mapping.map_row(listed.body, at, row.day)
            # Something may have been erased from the body.
            if mapped is not None:
                found[row.activity_id] = replace(mapped, meaning=row.listed or mapped.meaning)
    return found


def believe(
    session: Session,
    run_id: str,
    mapping: Mapping,
    outcomes: Sequence[Outcome],
    known: dict[str, LedgerRow],
) -> tuple[list[Outcome], dict[str, Judged], dict[str, list[str]]]:
    """Compare details with the stored ones and with the list.

    Returns the outcomes, with what odd details lost; the odd ones; and by activity the top-level fields in
    which its details differ from the stored ones.
    """
    news = {
        each.subject: (each.details, row)
        for each in outcomes
        if each.details is not None
        and (row := known.get(each.subject, LedgerRow(each.subject)))
        and row.accepts_answer(each.details.received_at)
    }
    changed = [
        name for name, (details, row) in news.items() if row.details and not row.holds(details)
    ]
    ahead = [
        name for name, (details, row) in news.items() if row.listed not in (None, details.as_listed)
    ]
    stored = {
        each.ledger.activity_id: each.details
        for each in (landing.newest(session, changed, known) if changed else ())
        if each.details is not None
    }
    listed = _stored_rows(session, mapping, ahead, known)
    again = _got_before(session, run_id, news)
    judged: dict[str, Judged] = {}
    fields: dict[str, list[str]] = {}
    kept: dict[str, DetailsObservation] = {}
    for name, (details, row) in news.items():
        version = stored.get(name)
        before = mapping.map_details(version.body, details) if version is not None else None
        agreed = row.listed == details.as_listed
        belief = judge(details, before, listed.get(name), agreed=agreed, again=name in again)
        if belief.odd is not None:
            judged[name] = Judged(belief, details, listed.get(name))
        if version is not None and belief.lost and belief.odd is not None:
            body = with_kept(details.body, version.body, belief.lost)
            kept[name] = mapping.map_details(body, details) or details
        if version is not None:
            own = before is not None and before.own == details.own
            # Another profile of the counterpart is no change of the activity.
            fields[name] = (
                [] if own else _differing_fields(version.body, kept.get(name, details).body)
            )
    # All that can be shown of a new activity whose details are odd, even if they agree with it.
    unshown = [
        name
        for name, each in judged.items()
        if each.listed is None and news[name][1].details is None
    ]
    for name, row_of_list in _stored_rows(session, mapping, unshown, known).items():
        judged[name] = replace(judged[name], listed=row_of_list)
    believed = [
        replace(each, details=kept[each.subject]) if each.subject in kept else each
        for each in outcomes
    ]
    return believed, judged, fields


def _got_before(
    session: Session, run_id: str, news: MappingType[str, tuple[DetailsObservation, LedgerRow]]
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
