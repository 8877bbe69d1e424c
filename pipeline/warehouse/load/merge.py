"""What a batch must write, given what the ledger holds. Pure: reads and writes no database.

Implements docs/design.md "Load".
"""

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from operator import add, or_
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from pipeline.warehouse.answers.belief import HALF, OTHER, Belief, Judged
from pipeline.warehouse.state.ledger import LedgerRow
from pipeline.warehouse.state.rows import (
    DETAILS_COLUMNS,
    LISTED_COLUMNS,
    DetailsObservation,
    EntityObservation,
    Failure,
    ListObservation,
    Observation,
    Outcome,
    Row,
)

Change: TypeAlias = Literal["new", "changed", "gone", "returned", "quarantined"]


@dataclass(slots=True)
class LoadResult:
    """What a batch did, by activity.

    ``differing``: activities of which the tables held something else. ``doubtful``: those whose details are
    in doubt. ``reopened``: days of which the list has shown more than was proven.
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    returned: int = 0
    quarantined: int = 0
    differing: set[str] = field(default_factory=set, compare=False)
    doubtful: set[str] = field(default_factory=set, compare=False)
    reopened: set[date] = field(default_factory=set, compare=False)

    def __add__(self, other: "LoadResult") -> "LoadResult":
        def both(name: str) -> Any:
            ours, theirs = getattr(self, name), getattr(other, name)
            return (add if isinstance(ours, int) else or_)(ours, theirs)

        return LoadResult(*(both(each.name) for each in fields(self)))


@dataclass(slots=True)
class Merged:
    """What a batch must write, by table. Activities are named by id."""

    ledger_new: list[LedgerRow] = field(default_factory=list)
    ledger_known: list[LedgerRow] = field(default_factory=list)
    entities: list[EntityObservation] = field(default_factory=list)
    listed_news: list[ListObservation] = field(default_factory=list)
    """List rows for ``landing``."""
    activities: list[Row] = field(default_factory=list)
    """Rows of ``warehouse.activities`` (``ACTIVITY_ROW``)."""
    details_news: list[DetailsObservation] = field(default_factory=list)
    """Details that make an activity's children."""
    same_children: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By table of `CHILDREN`: activities whose children are those that the table holds."""
    landed: list[DetailsObservation] = field(default_factory=list)
    """Details for ``landing``."""
    received_again: list[DetailsObservation] = field(default_factory=list)
    """Details that ``landing`` holds already, received again."""
    landed_before: list[str] = field(default_factory=list)
    """Activities written from a response that ``landing`` holds: it knows when that first came."""
    refusals: list[tuple[str, ListObservation | None, datetime | None]] = field(
        default_factory=list
    )
    """Activities whose details were refused: the list row to show (None: as it is), and ``gone_at``."""
    failures: list[Failure] = field(default_factory=list)
    resolved: list[tuple[str, str, datetime]] = field(default_factory=list)
    """Source and subject of what was received or found gone, and when."""
    due: list[str] = field(default_factory=list)
    """Activities whose list row has changed: what is in quarantine is tried at once."""
    changes: list[dict[str, Any]] = field(default_factory=list)
    """Rows of ``sync.run_changes``."""
    counts: LoadResult = field(default_factory=LoadResult)

    def change(self, name: str, kind: Change, fields: list[str] | None = None) -> None:
        """Note what the batch does to an activity; ``fields``: in which it changed."""
        self.changes.append({"activity_id": name, "change": kind, "fields": fields})
        setattr(self.counts, kind, getattr(self.counts, kind) + 1)
        if kind in ("changed", "returned"):
            self.counts.differing.add(name)

    def show(
        self, observed: Observation, row: LedgerRow, fetched_at: datetime | None = None
    ) -> None:
        """Make an activity's row of its details, or of its row of the list while there are none."""
        at = observed.received_at
        values = map(observed.said.get, DETAILS_COLUMNS)
        first_seen_at = min(at, row.listed_at or at)
        self.activities.append((observed.activity_id, *values, first_seen_at, fetched_at))

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
        for failure in failures:
            self.change(failure.subject, "quarantined")


def merge(
    outcomes: Sequence[Outcome],
    known: Mapping[str, LedgerRow],
    judged: Mapping[str, Judged],
) -> Merged:
    """Return what outcomes must write.

    ``known``: the ledger's locked rows of these activities. ``judged``: their new details. What is older
    than what is stored, and what is stored already, changes nothing.
    """
    merged = Merged()
    for outcome in outcomes:
        before = known.get(outcome.subject)
        news = judged.get(outcome.subject)
        if outcome.stored:
            after = _merge_stored(
                merged, outcome, before or LedgerRow(outcome.subject, altered=True)
            )
        else:
            after = _merge_list(merged, outcome, before or LedgerRow(outcome.subject))
            after = _merge_details(merged, outcome.subject, after, news)
            after = _merge_refusals(merged, outcome, after)
            _reopen(merged, before, after)
        for failure in outcome.failures:
            failure.day = failure.day or after.day
        merged.fail(outcome.failures)
        _show_listed(merged, outcome, after, news)
        if outcome.stored or after.listed_at is not None or after.checked_at is not None:
            merged.keep(before, after)
    return merged


def _show_listed(merged: Merged, outcome: Outcome, row: LedgerRow, news: Judged | None) -> None:
    """Show what the list has of an activity whose details failed, or are withheld, before any came."""
    # Nobody knows whether details of an altered one came.
    if row.details is not None or row.altered:
        return
    listed = outcome.listed or (news.listed if news else None)
    failed = any(each.source == "details" for each in outcome.failures)
    unusable = news is not None and news.belief.store == "nothing"
    if (
        (failed or unusable or row.withheld_at is not None)
        and listed is not None
        and listed.meaning == row.listed
    ):
        merged.show(listed, row)
        merged.observe(listed.entity)


def _merge_stored(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    """Make ledger and tables say what ``landing`` holds of an activity."""
    name, listed, details = outcome.subject, outcome.listed, outcome.details
    after = row.mapped_again(outcome)
    if row.altered and listed is None and after.day is not None:
        # Nothing says what the list had: its day is read again.
        merged.counts.reopened.add(after.day)
    # Rows of which landing has lost the response stay until it comes again.
    if not outcome.rewrite or outcome.failures or after.details == b"":
        merged.counts.unchanged += 1
        return after
    merged.change(name, "changed")
    merged.landed_before.append(name)
    if details is not None:
        details = _with_list(details, listed)
        merged.show(details, after, details.received_at)
        merged.details_news.append(details)
        merged.observe(details.entity)
    # Writing the row again takes back what refusals had written, so they are written again, too.
    if after.withheld_at is not None or after.gone_at is not None:
        shown = listed if after.withheld_at else None
        merged.refusals.append((name, shown, after.gone_at))
    return after


def _reopen(merged: Merged, before: LedgerRow | None, after: LedgerRow) -> None:
    """Name the days that list another set of activities than before."""

    def place(row: LedgerRow | None) -> date | None:
        return row.day if row is not None and row.unlisted_at is None else None

    if place(before) != place(after):
        merged.counts.reopened |= {day for day in (place(before), place(after)) if day is not None}


def _merge_list(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    listed = outcome.listed
    for failure in outcome.failures:
        if failure.listed is not None and row.accepts_list(failure.at):
            if failure.listed != row.listed:
                merged.due.append(outcome.subject)
            row = row.with_unreadable(failure)
    if listed is None or not row.accepts_list(listed.received_at):
        return row
    # Until details come, no table shows it, unless they failed (`_show_listed`).
    if listed.entity_news or row.details is not None or row.withheld_at is not None:
        merged.observe(listed.entity)
    merged.resolved.append(("list", outcome.subject, listed.received_at))
    news = listed.meaning != row.listed
    # A row that only repeats an entity which changed meanwhile is an observation of it: it lands too.
    if news or (listed.entity_news and listed.received_at != row.listed_at):
        merged.listed_news.append(listed)
    if news and row.listed is not None:
        merged.due.append(outcome.subject)
    return row.with_list(listed)


def _merge_details(merged: Merged, name: str, row: LedgerRow, news: Judged | None) -> LedgerRow:
    if news is None:
        return row
    details, belief = news.details, news.belief
    if belief.discrepancy is not None and belief.settled_at is None:
        # Also of a batch that is loaded once more because the answer to its commit was lost.
        merged.counts.doubtful.add(name)
    if row.checked_at == details.received_at:
        return row  # the same answer once more
    if belief.store == "nothing":
        after = row.with_refused(details)
        # The first time it is only asked for again: the next answer may be whole.
        if row.discrepancy in (HALF, OTHER):
            merged.fail([_unusable(details, belief, row)])
    else:
        merged.resolved.append(("details", name, details.received_at))
        if row.gone_at is not None:
            merged.change(name, "returned")
        store = _store_details if belief.store == "details" else _keep_stored
        after = store(merged, name, row, news)
    return after.in_doubt(belief.discrepancy, details.meaning, belief.since, belief.settled_at)


def _keep_stored(merged: Merged, name: str, row: LedgerRow, news: Judged) -> LedgerRow:
    """Keep what is stored: the answer is older."""
    if row.gone_at is not None:
        merged.refusals.append((name, None, None))
    merged.counts.unchanged += 1
    return row.with_older(news.details)


def _with_list(details: DetailsObservation, listed: ListObservation | None) -> DetailsObservation:
    """Return details that leave out what the list tells too with what it tells."""
    left_out = [each for each in LISTED_COLUMNS if details.said[each] is None]
    if listed is None or not left_out:
        return details
    said = details.said | {each: listed.said[each] for each in left_out}
    return dataclasses.replace(details, said=said, entity=details.entity or listed.entity)


def _store_details(merged: Merged, name: str, row: LedgerRow, news: Judged) -> LedgerRow:
    details = _with_list(news.details, news.listed)
    merged.observe(details.entity)
    after = row.with_details(details)
    # One that came back is written even if its details are the same: gone_at must go.
    same = row.holds(details) and details is news.details
    if same and row.gone_at is None and row.withheld_at is None:
        merged.received_again.append(details)
        merged.counts.unchanged += 1
        return after
    merged.show(details, after, details.received_at)
    merged.details_news.append(details)
    if news.stored is not None and row.holds(news.stored):
        for table, rows in news.stored.children.items():
            if rows == details.children[table]:
                merged.same_children[table].add(name)
    if row.details == details.meaning:
        merged.received_again.append(details)
        merged.landed_before.append(name)
    else:
        merged.landed.append(details)
    if row.details is None:
        merged.change(name, "new")
    elif news.fields == [] and row.gone_at is None:
        merged.counts.unchanged += 1
    else:
        merged.change(name, "changed", news.fields)
    return after


#: Why details are no answer.
_REASONS = {
    HALF: "half an answer: the details lack most of the required fields",
    OTHER: "another activity's answer: two of counterpart, direction and creation differ from the list's",
}


def _unusable(details: DetailsObservation, belief: Belief, row: LedgerRow) -> Failure:
    return Failure(
        source="details",
        subject=details.activity_id,
        activity_id=details.activity_id,
        day=row.day or details.day,
        reason=_REASONS[str(belief.discrepancy)],
        payload=details.body,
        at=details.received_at,
    )


def _merge_refusals(merged: Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    name, withheld_at, gone_at = outcome.subject, outcome.withheld_at, outcome.gone_at
    if outcome.unanswered:
        row = row.with_unanswered()
    if withheld_at is not None and row.accepts_answer(withheld_at):
        merged.refusals.append((name, outcome.listed, None))
        if row.gone_at is not None:
            merged.change(name, "returned")
        merged.resolved.append(("details", name, withheld_at))
        row = row.with_withheld(withheld_at)
    if gone_at is not None and row.accepts_answer(gone_at):
        # Also of one that is gone already: it may have gone to quarantine since.
        merged.resolved += [("details", name, gone_at), ("list", name, gone_at)]
        if row.gone_at is None:
            merged.refusals.append((name, None, gone_at))
            merged.change(name, "gone")
            row = row.with_gone(gone_at)
    if outcome.not_yet_at is not None:
        row = row.with_not_yet(outcome.not_yet_at)
    elif row.not_yet_at is not None and outcome.failures:
        row = replace(row, not_yet_at=None)
    return row
