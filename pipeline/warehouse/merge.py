"""Merging: what of a batch's outcomes is news, given what the ledger holds. Pure: touches no database."""

from dataclasses import dataclass, field
from datetime import datetime

from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.rows import (
    DetailsObservation,
    EntityObservation,
    Failure,
    ListObservation,
    Outcome,
)


@dataclass(slots=True)
class LoadCounts:
    """What a batch did, by activity."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    quarantined: int = 0

    def __add__(self, other: "LoadCounts") -> "LoadCounts":
        return LoadCounts(
            self.new + other.new,
            self.changed + other.changed,
            self.unchanged + other.unchanged,
            self.gone + other.gone,
            self.quarantined + other.quarantined,
        )


@dataclass(slots=True)
class Merged:
    """A batch split by what has to be written."""

    ledger_new: list[LedgerRow] = field(default_factory=list)
    ledger_known: list[LedgerRow] = field(default_factory=list)
    entities: dict[str, EntityObservation] = field(default_factory=dict)
    listed_news: list[ListObservation] = field(default_factory=list)
    only_listed: list[ListObservation] = field(default_factory=list)
    details_news: list[DetailsObservation] = field(default_factory=list)
    landed: list[DetailsObservation] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    touched: list[DetailsObservation] = field(default_factory=list)
    first_seen: dict[str, datetime] = field(default_factory=dict)
    had_before: list[str] = field(default_factory=list)
    withheld: list[ListObservation] = field(default_factory=list)
    gone: list[tuple[str, datetime]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    resolved: dict[str, list[tuple[str, datetime]]] = field(
        default_factory=lambda: {"list": [], "details": []}
    )
    changes: list[tuple[str, str]] = field(default_factory=list)
    never_seen: set[str] = field(default_factory=set)
    """New with their details, and no row in the ledger: no table holds anything of them."""
    loaded: LoadCounts = field(default_factory=LoadCounts)

    def observe(self, entity: EntityObservation | None) -> None:
        """Keep the latest observation of each counterpart."""
        if entity is None:
            return
        known = self.entities.get(entity.id)
        if known is None or known.observed_at <= entity.observed_at:
            self.entities[entity.id] = entity


def merge(outcomes: list[Outcome], known: dict[str, LedgerRow]) -> Merged:
    """Return what has to be written. ``known``: the ledger's locked rows of these activities."""
    merged = Merged()
    for outcome in outcomes:
        before = known.get(outcome.subject)
        after = before or LedgerRow(outcome.subject)
        if before is None and outcome.details is not None:
            merged.never_seen.add(outcome.subject)
        after = _merge_list(merged, outcome, after)
        after = _merge_details(merged, outcome, after)
        after = _merge_endings(merged, outcome, after)
        for failure in outcome.failures:
            merged.failures.append(failure)
            merged.loaded.quarantined += 1
            merged.changes.append((failure.subject, "quarantined"))
        if before is None and after.listed_at is None and after.checked_at is None:
            continue
        if before is None:
            merged.ledger_new.append(after)
        elif after != before:
            merged.ledger_known.append(after)
    return merged


def _merge_list(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    listed = outcome.listed
    if listed is None or not row.accepts_list(listed):
        return row
    merged.observe(listed.entity)
    merged.resolved["list"].append((outcome.subject, listed.received_at))
    again = listed.digest == row.list_digest and listed.received_at == row.listed_at
    if (listed.digest != row.list_digest or listed.entity_news) and not again:
        merged.listed_news.append(listed)
    if row.details_digest is None and outcome.details is None:
        merged.only_listed.append(listed)
    return row.with_list(listed, outcome.details.day if outcome.details else None)


def _merge_details(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    details = outcome.details
    if details is None or not row.accepts_details(details):
        return row
    merged.observe(details.entity)
    merged.resolved["details"].append((outcome.subject, details.received_at))
    if row.gone_at is not None:
        merged.changes.append((outcome.subject, "returned"))
    if row.holds(details) and row.gone_at is None:
        merged.touched.append(details)
        merged.loaded.unchanged += 1
        return row.with_details(details)
    merged.details_news.append(details)
    if row.details_digest != details.digest:
        merged.landed.append(details)
    else:
        merged.touched.append(details)
        merged.had_before.append(outcome.subject)
    times = [details.received_at, *([outcome.listed.received_at] if outcome.listed else [])]
    merged.first_seen[outcome.subject] = min(times)
    if row.details_digest is None:
        merged.loaded.new += 1
        if outcome.subject not in merged.never_seen:
            merged.changes.append((outcome.subject, "new"))
    else:
        merged.loaded.changed += 1
        merged.changes.append((outcome.subject, "changed"))
        merged.rewritten.append(outcome.subject)
    return row.with_details(details)


def _merge_endings(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    withheld_at, gone_at = outcome.withheld_at, outcome.gone_at
    if withheld_at is not None and outcome.listed is not None and row.accepts_ending(withheld_at):
        merged.withheld.append(outcome.listed)
        if row.gone_at is not None:
            merged.changes.append((outcome.subject, "returned"))
        merged.resolved["details"].append((outcome.subject, withheld_at))
        row = row.with_withheld(withheld_at)
    if gone_at is not None and row.gone_at is None and row.accepts_ending(gone_at):
        merged.gone.append((outcome.subject, gone_at))
        merged.resolved["details"].append((outcome.subject, gone_at))
        merged.resolved["list"].append((outcome.subject, gone_at))
        merged.loaded.gone += 1
        merged.changes.append((outcome.subject, "gone"))
        row = row.with_gone(gone_at)
    return row
