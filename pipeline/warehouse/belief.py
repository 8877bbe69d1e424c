"""Which details are believed (docs/design.md "Belief"). Pure.

Details are the authority; the list only tells that something happened. Details are *odd* when they say too
little, or less than is known already:

=========================================================  ========================  ===================
details                                                    stored meanwhile          believed when [1]_
=========================================================  ========================  ===================
lack most of the required fields                           nothing                   [2]_
are older than the stored ones by ``updated_at``           nothing                   [2]_
lost fields that the stored ones have                      all but the lost fields   [2]_ [3]_ [4]_
are behind the list: it shows another counterpart,         they are, if newer than   [2]_
direction or creation, or a status that is no earlier      the stored ones
entry of their timeline
anything else, also while the list is behind them          they are                  at once
=========================================================  ========================  ===================

.. [1] Until then they are asked for again, and named in quarantine. So nothing is held for ever.
.. [2] A later run gets the same meaning again.
.. [3] Their ``updated_at`` is newer than the stored one.
.. [4] The row of the list lacks the same fields.

Fields of a status may go when the status changes, shared values when the sharing period is over. A reason
names fields and, where that is no personal value, what they hold.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from pipeline.warehouse.erasures import is_over
from pipeline.warehouse.rows import Cell, DetailsObservation, ListObservation, Row

#: Columns in which the list and the details must agree, and how a reason calls them.
_AGREED = {
    "status": "status",
    "in_out_bound": "direction",
    "entity_id": "counterpart",
    "created_at": "creation",
}
#: A list may cut or round what the details have in milliseconds.
_ROUNDED = timedelta(seconds=1)
#: Codes and ids. Any other text may be personal.
_SHOWN = re.compile(r"\w{1,40}|[0-9a-f-]{36}", re.ASCII)
#: Declared required, whatever has happened to the activity (docs/service.md 2.6).
_REQUIRED = frozenset(
    {"type", "type_name", "in_out_bound", "description", "status", "notification_message"}
    | {"time_zone", "created_at", "updated_at"}
)
#: Moments that belong to a status: they may go when the status does, for example back to the open one.
_OF_STATUS = frozenset({"valid_until", "attended_at", "completed_at", "expires_at", "expires_in"})
#: What members shared and refused: it may go when the sharing period is over.
_SHARED = frozenset({"accepted_requirements", "declined_requirements"})
_KEPT = _REQUIRED | _OF_STATUS | _SHARED | {"entity", "requirements", "timeline"}
#: Fields that a row of the list carries, too.
_LISTED = frozenset({"type", "in_out_bound", "entity", "status", "time_zone", "created_at"})


@dataclass(frozen=True)
class Belief:
    """``odd``: why the details are not believed; None: they are. ``lost``: fields that keep their value.

    ``usable``: whether the rest may be stored.
    """

    odd: str | None = None
    lost: frozenset[str] = frozenset()
    usable: bool = True


BELIEVED = Belief()


@dataclass(frozen=True, slots=True)
class Judged:
    """New details, and what to believe of them.

    ``received``: as they came; ``kept``: with what they lost. ``listed``: the row of the list to show
    if they are not believed. ``fields``: the top-level fields in which they differ from the stored ones,
    where both can be read; empty where only the counterpart says something else; None: nothing is stored.
    """

    belief: Belief
    received: DetailsObservation
    kept: DetailsObservation
    listed: ListObservation | None = None
    fields: list[str] | None = None


def judge(
    details: DetailsObservation,
    stored: DetailsObservation | None,
    listed: ListObservation | None,
    *,
    agreed: bool,
    again: bool,
) -> Belief:
    """Return what to believe of details just received; see this module's table.

    ``stored``: the details stored now; ``listed``: the newest row of the list, if it says something else.
    ``agreed``: whether it says the same. ``again``: whether an earlier run got the same.
    """
    if again:
        return BELIEVED
    if missing := missing_fields(details):
        names = ", ".join(missing)
        return Belief(f"the details lack most of the required fields: {names}", usable=False)
    newer = False
    if stored is not None:
        before, now = stored.said["updated_at"], details.said["updated_at"]
        dated = isinstance(before, datetime) and isinstance(now, datetime)
        if dated and now < before:  # type: ignore[operator]
            text = "the details are older than the stored ones: updated_at went back"
            return Belief(text, usable=False)
        lost = _lost(details, stored)
        newer = bool(dated and now > before)  # type: ignore[operator]
        told = listed.said if listed is not None else details.said if agreed else None
        confirmed = told is not None and lost <= {name for name in _LISTED if told[name] is None}
        if lost and not newer and not confirmed:
            names = ", ".join(sorted(lost))
            return Belief(f"the details lost {names}, which the stored ones have", lost)
    behind = _behind(details, listed) if listed is not None else None
    return Belief(behind, usable=newer) if behind else BELIEVED


def missing_fields(details: DetailsObservation) -> list[str]:
    """Return the required fields that details lack, if these are most of them."""
    missing = sorted(name for name in _REQUIRED if details.said[name] is None)
    return missing if 2 * len(missing) > len(_REQUIRED) else []


def with_kept(body: bytes, stored: bytes, lost: frozenset[str]) -> bytes:
    """Return the body of details with the ``lost`` fields of the stored ones."""
    new, old = (msgspec.json.decode(each, type=dict[str, msgspec.Raw]) for each in (body, stored))
    return msgspec.json.encode(new | {name: old[name] for name in lost if name in old})


def _behind(details: DetailsObservation, listed: ListObservation) -> str | None:
    """Return in what the list is ahead of the details; None if in nothing."""
    told, said = listed.said, details.said
    found = [
        f"the list says {name} {_shown(told[column])}, the details say {_shown(said[column])}"
        for column, name in _AGREED.items()
        if None not in (told[column], said[column])
        and _differ(told[column], said[column])
        and not (column == "status" and _was(told[column], details))
    ]
    return "; ".join(found) or None


def _was(status: Cell, details: DetailsObservation) -> bool:
    """Whether ``status`` is one that the details had before their present one."""
    # Position, status, instant, ...: nobody says in which order they come.
    events = sorted(details.children["timeline_events"], key=lambda event: str(event[2]))
    timeline = [str(status).casefold() for _, status, *_ in events]
    own = str(details.said["status"]).casefold()
    latest = max((place for place, each in enumerate(timeline) if each == own), default=0)
    return str(status).casefold() in timeline[:latest]


def _lost(details: DetailsObservation, stored: DetailsObservation) -> frozenset[str]:
    excused = set[str]()
    if _differ(stored.said["status"], details.said["status"]):
        excused |= _OF_STATUS
    if is_over(details):
        excused |= _SHARED
    lost = {name for name in _KEPT if stored.said[name] and not details.said[name]}
    if len(details.children["timeline_events"]) < len(stored.children["timeline_events"]):
        lost.add("timeline")  # a history only grows
    # A shared value does not go by itself. The value is the last column.
    for table in ("requirements", "accepted_items"):
        shared, now = _values(stored.children[table]), _values(details.children[table])
        if any(value is not None and now.get(key, value) is None for key, value in shared.items()):
            lost.add("accepted_requirements")
    return frozenset(lost - excused)


def _values(rows: list[Row]) -> dict[Row, Cell]:
    return {row[:2]: row[-1] for row in rows}


def _differ(told: Cell, said: Cell) -> bool:
    """Whether values differ by more than the spelling of a code, or a creation rounded to seconds."""
    if isinstance(told, datetime) and isinstance(said, datetime):
        return abs(told - said) > _ROUNDED
    return str(told).casefold() != str(said).casefold()


def _shown(value: object) -> str:
    hidden = isinstance(value, str) and not _SHOWN.fullmatch(value)
    return "something else" if hidden else str(value)
