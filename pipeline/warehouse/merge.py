"""What a batch must write, given what the ledger holds. Pure: reads and writes no database.

`merge` is for responses just received, `merge_stored` for responses that ``landing`` holds already.
Implements docs/design.md "Load".
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import datetime
from operator import add

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
        return LoadCounts(*map(add, astuple(self), astuple(other)))


@dataclass(slots=True)
class Merged:
    """What a batch must write, by table. Activities are named by id."""

    ledger_new: list[LedgerRow] = field(default_factory=list)
    ledger_known: list[LedgerRow] = field(default_factory=list)
    entities: list[EntityObservation] = field(default_factory=list)
    listed_news: list[ListObservation] = field(default_factory=list)
    """List rows for ``landing``."""
    only_listed: list[ListObservation] = field(default_factory=list)
    """List rows that make an activity's row, since there are no details."""
    details_news: list[DetailsObservation] = field(default_factory=list)
    """Details that make an activity's row and its children. Those not `landed_before` go to ``landing``."""
    touched: list[DetailsObservation] = field(default_factory=list)
    """Details that ``landing`` holds already, received again."""
    rewritten: list[str] = field(default_factory=list)
    """Activities that may have children, which must go."""
    landed_before: list[str] = field(default_factory=list)
    """Activities written from a response that ``landing`` holds: it knows when that first came."""
    refusals: list[tuple[str, ListObservation | None, datetime | None]] = field(
        default_factory=list
    )
    """Activities whose details were refused: the list row to show (None: as it is), and ``gone_at``."""
    failures: list[Failure] = field(default_factory=list)
    resolved: list[tuple[str, str, datetime]] = field(default_factory=list)
    """Source and subject of what was received or found gone, and when."""
    changes: list[tuple[str, str]] = field(default_factory=list)
    fields: dict[str, list[str]] = field(default_factory=dict)
    """Top-level fields in which new details differ from the stored ones, where both can be read."""
    unchanged: int = 0
    """Activities of which only the ledger may say something new."""

    @property
    def counts(self) -> LoadCounts:
        """What the batch does, by activity."""
        made = Counter(change for _, change in self.changes)
        new, changed, gone = made["new"], made["changed"], made["gone"]
        return LoadCounts(new, changed, self.unchanged, gone, made["quarantined"])

    def observe(self, entity: EntityObservation | None) -> None:
        """Keep an observation of a counterpart."""
        if entity is not None:
            self.entities.append(entity)

    def keep(self, before: LedgerRow | None, after: LedgerRow) -> None:
        """Store a row of the ledger, if there was none or another one."""
        if before is None:
            self.ledger_new.append(after)
        elif after != before:
            self.ledger_known.append(after)

    def fail(self, failures: Sequence[Failure]) -> None:
        """Send responses to quarantine."""
        self.failures += failures
        self.changes += [(failure.subject, "quarantined") for failure in failures]


def merge(outcomes: Sequence[Outcome], known: dict[str, LedgerRow]) -> Merged:
    """Return what responses just received must write.

    ``known``: the ledger's locked rows of these activities. What is older than what is stored, and
    what is stored already, changes nothing.
    """
    merged = Merged()
    for outcome in outcomes:
        before = known.get(outcome.subject)
        after = before or LedgerRow(outcome.subject)
        after = _merge_list(merged, outcome, after)
        after = _merge_details(merged, outcome, after)
        after = _merge_refusals(merged, outcome, after)
        merged.fail(outcome.failures)
        if after.listed_at is not None or after.checked_at is not None:
            merged.keep(before, after)
    return merged


def merge_stored(
    outcomes: Sequence[Outcome], known: dict[str, LedgerRow], intact: Mapping[str, bool]
) -> Merged:
    """Return what must be written so that ledger and tables say what ``landing`` holds.

    ``outcomes`` are mapped from the newest stored responses; one that is empty changes nothing.
    ``intact``: for each activity that has rows, whether they are as they were sealed. Counterparts
    are left out: their latest observation may be in an older response, or in another activity's.
    """
    merged = Merged()
    for outcome in outcomes:
        name, listed, details = outcome.subject, outcome.listed, outcome.details
        if not (listed or details or outcome.failures):
            continue
        before = known.get(name)
        after = before or LedgerRow(name)
        # Details that no longer map say nothing: the ledger keeps what it knows of them.
        unmapped = any(failure.source == "details" for failure in outcome.failures)
        if not unmapped:
            after = after.with_stored(listed, details)
        elif listed is not None:
            after = after.with_list(listed)
        merged.keep(before, after)
        merged.fail(outcome.failures)
        # Rows made from details that no longer map stay. A list row fills the gap if there is no row.
        if not (listed or details) or (unmapped and name in intact):
            continue
        if before is not None and intact.get(name) and before.mirrors(listed, details):
            continue
        if details is not None:
            merged.details_news.append(details)
        elif listed is not None:
            merged.only_listed.append(listed)
        merged.rewritten.append(name)
        merged.landed_before.append(name)
        merged.changes.append((name, "changed"))
        # Writing the row again takes back what refusals had written, so they are written again, too.
        if after.withheld_at is not None or after.gone_at is not None:
            shown = listed if after.withheld_at else None
            merged.refusals.append((name, shown, after.gone_at))
    merged.unchanged = len(outcomes) - len(merged.rewritten)
    return merged


def _merge_list(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    listed = outcome.listed
    if listed is None or not row.accepts_list(listed):
        return row
    merged.observe(listed.entity)
    merged.resolved.append(("list", outcome.subject, listed.received_at))
    again = listed.digest == row.list_digest and listed.received_at == row.listed_at
    # A row that only repeats an entity which changed meanwhile is an observation of it: it lands too.
    if (listed.digest != row.list_digest or listed.entity_news) and not again:
        merged.listed_news.append(listed)
    if row.details_digest is None and outcome.details is None and listed.digest != row.list_digest:
        merged.only_listed.append(listed)
    return row.with_list(listed)


def _merge_details(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    details = outcome.details
    if details is None or not row.accepts_answer(details.received_at):
        return row
    merged.observe(details.entity)
    merged.resolved.append(("details", outcome.subject, details.received_at))
    if row.gone_at is not None:
        merged.changes.append((outcome.subject, "returned"))
    # One that came back is written even if its details are the same: gone_at must go.
    # What comes alone is no proof where the stored details were never compared with the list.
    unproven = row.details_digest is not None and row.details_fingerprint != row.fingerprint
    compared = outcome.listed is not None or not unproven
    after = row.with_details(details, proven=compared and not outcome.unproven)
    if row.holds(details) and row.gone_at is None:
        merged.touched.append(details)
        merged.unchanged += 1
        return after
    merged.details_news.append(details)
    if row.details_digest == details.digest:
        merged.touched.append(details)
        merged.landed_before.append(outcome.subject)
    if row.details_digest is None:
        merged.changes.append((outcome.subject, "new"))
    else:
        merged.changes.append((outcome.subject, "changed"))
        merged.rewritten.append(outcome.subject)
    return after


def _merge_refusals(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    name, withheld_at, gone_at = outcome.subject, outcome.withheld_at, outcome.gone_at
    if withheld_at is not None and outcome.listed is not None and row.accepts_answer(withheld_at):
        merged.refusals.append((name, outcome.listed, None))
        if row.gone_at is not None:
            merged.changes.append((name, "returned"))
        merged.resolved.append(("details", name, withheld_at))
        row = row.with_withheld(withheld_at)
    if gone_at is not None and row.accepts_answer(gone_at):
        # Also of one that is gone already: it may have gone to quarantine since.
        merged.resolved += [("details", name, gone_at), ("list", name, gone_at)]
        if row.gone_at is None:
            merged.refusals.append((name, None, gone_at))
            merged.changes.append((name, "gone"))
            row = row.with_gone(gone_at)
    return row
