"""What is stored of new details, and what is in doubt about them (docs/design.md "Belief"). Pure.

Details are stored as they come. Doubt never decides what is stored: it only has an activity asked for
again. These are the discrepancies, the words that ``sync.activity_ledger.discrepancy`` has for each:

===========================  ============================================================  =============
discrepancy                  the answer                                                    stored
===========================  ============================================================  =============
half answer                  lacks most of the required fields                             [1]_
another activity's answer    has two of counterpart, direction and creation otherwise      never
                             than the row of the list
updated_at went back         is older than the stored one by ``updated_at``                [1]_
lost FIELD                   lacks a field, an entry or a value that the stored one has    at once
rewrote FIELD                has another text or value, with the same status               at once
disagrees in FIELD           has another status, direction, counterpart or creation than   at once
                             the list, and the list is not behind its timeline
unmoved                      is unchanged, although the row of the list has changed, and   at once
                             the two still disagree
===========================  ============================================================  =============

.. [1] When the same answer comes again at least six hours later. Until then the stored version stays; half
   an answer is named in quarantine, and so is another activity's.

`answers.losses` says what explains a loss. A discrepancy is settled by another answer, which
takes it back, or by the same one at least six hours later: then it stands.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from pipeline.warehouse.answers.losses import (
    compare,
    differ,
    folded,
    missing_fields,
    order_of,
    still_lost,
)
from pipeline.warehouse.state.discrepancies import Habits
from pipeline.warehouse.state.ledger import LedgerRow
from pipeline.warehouse.state.rows import Cell, DetailsObservation, ListObservation

HALF, OTHER = "half answer", "another activity's answer"
WENT_BACK, UNMOVED = "updated_at went back", "unmoved"

#: What is the same so much later is no accident of a night: all runs of a night lie closer together.
_LATER = timedelta(hours=6)

#: Columns in which the list and the details must agree, and how a discrepancy calls them.
_AGREED = {
    "status": "status",
    "in_out_bound": "direction",
    "entity_id": "counterpart",
    "created_at": "creation",
}
#: Those that say which activity it is.
_IDENTITY = frozenset({"direction", "counterpart", "creation"})
#: Another zone or rounding moves a creation by less. More is another creation.
_OTHER_DAY = timedelta(hours=36)


@dataclass(frozen=True, slots=True)
class Judged:
    """New details, and what to do with them.

    ``stored``: the details stored until now, if they mean something else. ``listed``: the row of the list
    to show while no details are stored. ``fields``: the top-level fields in which they differ from the
    stored ones, where both can be read; empty where only the counterpart says something else; None: nothing
    is stored.
    """

    belief: "Belief"
    details: DetailsObservation
    stored: DetailsObservation | None = None
    listed: ListObservation | None = None
    fields: list[str] | None = None


@dataclass(frozen=True, slots=True)
class Belief:
    """What to do with new details.

    ``store``: ``details``: they are stored; ``stored``: the stored version stays; ``nothing``: they are no
    answer. ``discrepancy``: what is in doubt, None: nothing; ``since``: when its answer came first;
    ``settled_at``: when it was settled; both by the service's clock.
    """

    store: Literal["details", "stored", "nothing"]
    discrepancy: str | None = None
    since: datetime | None = None
    settled_at: datetime | None = None


def judge(
    details: DetailsObservation,
    row: LedgerRow,
    stored: DetailsObservation | None,
    listed: ListObservation | None,
    habits: Habits,
) -> Belief:
    """Return what to do with details just received; see this module's table.

    ``row``: what the ledger holds. ``stored``: the details stored now, if they mean something else;
    ``listed``: the newest row of the list, if it says something else than the new ones.
    """
    now, before = details.service_time, items_of(row.discrepancy)
    again = row.doubted == details.meaning
    since = min(row.discrepancy_since or now, now) if again else now
    later = now - since >= _LATER
    differing = disagreements(details, listed)
    if missing_fields(details) and not (later or row.details == details.meaning):
        return Belief("nothing", HALF, since)
    if is_others(details, listed, differing, habits):
        return Belief("nothing", OTHER, since)
    if stored is not None and order_of(details, stored) < 0 and not later:
        return Belief("stored", WENT_BACK, since)
    agreed = row.listed == details.as_listed
    found = set[str]()
    if stored is not None:
        found = compare(details, stored, listed, agreed=agreed)
        found |= {WENT_BACK} if order_of(details, stored) < 0 else set()
    if again:
        # The answer is stored by now, so no comparison shows any more what it had lost.
        found |= {each for each in before if each != OTHER and not _of_list(each)}
    else:
        # A text that was in doubt, and is another one again.
        found -= {each for each in before if each.startswith("rewrote ")}
        if stored is not None and row.discrepancy_settled_at is None:
            # Another answer that has not brought back either what an earlier one lost.
            found |= still_lost(before, details, stored)
    if missing_fields(details):
        found = {HALF}
    moved = row.settled != row.listed and row.details == details.meaning
    if differing and (moved or (again and UNMOVED in before)):
        found.add(UNMOVED)
    found |= {f"disagrees in {name}" for name in differing} - habits.confirmed
    if not found:
        return Belief("details")
    text = "; ".join(sorted(found))
    if again and not any(_of_list(each) for each in found.difference(before)):
        settled_at = row.discrepancy_settled_at or (now if later else None)
    else:
        since, settled_at = now, now if found <= habits.confirmed else None
    return Belief("details", text, since, settled_at)


def items_of(discrepancy: str | None) -> list[str]:
    """Return the single discrepancies of a text."""
    return discrepancy.split("; ") if discrepancy else []


def disagreements(details: DetailsObservation, listed: ListObservation | None) -> set[str]:
    """Return in what the row of the list and the details disagree."""
    if listed is None:
        return set()
    told, said = listed.said, details.said
    return {
        name
        for column, name in _AGREED.items()
        if None not in (told[column], said[column])
        and differ(told[column], said[column])
        and not (column == "status" and _was(told[column], details))
    }


def is_others(
    details: DetailsObservation,
    listed: ListObservation | None,
    differing: Iterable[str],
    habits: Habits,
) -> bool:
    """Whether details are another activity's: two of what identifies it differ, and that is no habit."""
    names = {
        name
        for name in _IDENTITY.intersection(differing)
        if not habits.is_common(name) or (name == "creation" and _is_other_day(details, listed))
    }
    return len(names) > 1


def _is_other_day(details: DetailsObservation, listed: ListObservation | None) -> bool:
    told = listed.said["created_at"] if listed else None
    said = details.said["created_at"]
    return (
        isinstance(told, datetime) and isinstance(said, datetime) and abs(told - said) > _OTHER_DAY
    )


def _of_list(item: str) -> bool:
    return item == UNMOVED or item.startswith("disagrees in ")


def _was(status: Cell, details: DetailsObservation) -> bool:
    """Whether ``status`` is one that the details had before their present one."""
    # Position, status, instant, ...: nobody says in which order they come.
    events = sorted(details.children["timeline_events"], key=lambda event: str(event[2]))
    timeline = [folded(status) for _, status, *_ in events]
    own = folded(details.said["status"])
    latest = max((place for place, each in enumerate(timeline) if each == own), default=0)
    return folded(status) in timeline[:latest]
