"""What details have lost or rewritten, compared with the stored ones (docs/design.md "Belief"). Pure.

A newer ``updated_at`` explains it. A change of the status explains moments that belong to a status, the end
of sharing what was shared, and a row of the list without a field the loss of this field.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TypeAlias

from pipeline.warehouse.erasures import is_over
from pipeline.warehouse.rows import Cell, DetailsObservation, ListObservation

#: A list may cut or round what the details have in milliseconds.
_ROUNDED = timedelta(seconds=1)
#: Declared required, whatever has happened to the activity (docs/service.md 2.6).
_REQUIRED = frozenset(
    {"type", "type_name", "in_out_bound", "description", "status", "notification_message"}
    | {"time_zone", "created_at", "updated_at"}
)
#: Moments that belong to a status: they may go when the status does, for example back to the open one.
_OF_STATUS = frozenset({"valid_until", "attended_at", "completed_at", "expires_at", "expires_in"})
#: What members shared and refused: it may go when the sharing period is over.
_SHARED = frozenset({"accepted_requirements", "declined_requirements"})
_LOSABLE = _REQUIRED | _OF_STATUS | {"entity"}
#: Fields that a row of the list carries, too.
_LISTED = frozenset({"type", "in_out_bound", "entity", "status", "time_zone", "created_at"})
#: Texts of the details themselves.
_TEXTS = ("type_name", "description", "notification_message")

Entries: TypeAlias = Counter[tuple[Cell, ...]]
Values: TypeAlias = dict[tuple[Cell, ...], Cell]


def missing_fields(details: DetailsObservation) -> list[str]:
    """Return the required fields that details lack, if these are most of them."""
    missing = sorted(name for name in _REQUIRED if details.said[name] is None)
    return missing if 2 * len(missing) > len(_REQUIRED) else []


def order_of(details: DetailsObservation, stored: DetailsObservation) -> int:
    """Return whether details are older (-1) or newer (1) than the stored ones; 0: nobody says."""
    before, now = stored.said["updated_at"], details.said["updated_at"]
    if not isinstance(before, datetime) or not isinstance(now, datetime):
        return 0
    return (now > before) - (now < before)


def compare(
    details: DetailsObservation,
    stored: DetailsObservation,
    listed: ListObservation | None,
    *,
    agreed: bool,
) -> set[str]:
    """Return what details have lost and rewritten, without a newer ``updated_at``.

    ``agreed``: whether the list says the same as they do.
    """
    order = order_of(details, stored)
    if order > 0:
        return set()
    excused = set[str]()
    moved = differ(stored.said["status"], details.said["status"])
    if moved:
        excused |= _OF_STATUS
    if is_over(details):
        excused |= _SHARED
    if listed is not None or agreed:
        told = listed.said if listed is not None else details.said
        excused |= {name for name in _LISTED if told[name] is None}
    lost = {name for name in _LOSABLE if stored.said[name] and not details.said[name]}
    had, have = entries_of(stored), entries_of(details)
    lost |= {name for name in had if had[name] - have[name]}
    found = {f"lost {name}" for name in lost - excused}
    if not moved:
        rewritten = _rewritten(_values_of(stored), _values_of(details))
        found |= {f"rewrote {name}" for name in rewritten - excused}
    return found


def entries_of(details: DetailsObservation) -> Mapping[str, Entries]:
    """Return the entries of the arrays of details, by the name of their field."""
    children = details.children
    fields = {name: Counter[tuple[Cell, ...]]() for name in ("requirements", *_SHARED, "timeline")}
    arrays = {"requested": "requirements"} | {
        name.removesuffix("_requirements"): name for name in _SHARED
    }
    codes = {}
    for disposition, place, code, _, _, value in children["requirements"]:
        name = arrays[str(disposition)]
        codes[disposition, place] = code = folded(code)
        fields[name][code,] += 1
        fields[name][code, None, "value"] += value is not None
    for disposition, place, _, code in children["requirement_items"]:
        fields[arrays[str(disposition)]][codes.get((disposition, place)), folded(code)] += 1
    for _, _, requirement, code, _, value in children["accepted_items"]:
        names = folded(requirement), folded(code)
        fields["accepted_requirements"][names] += 1
        fields["accepted_requirements"][*names, "value"] += value is not None
    for _, status, at, *_ in children["timeline_events"]:
        fields["timeline"][folded(status), at] += 1
    return fields


def _values_of(details: DetailsObservation) -> dict[str, Values]:
    """Return texts and values, by field, and within it by what they belong to."""
    found: dict[str, Values] = {name: {(): details.said[name]} for name in _TEXTS}
    found["timeline"] = {
        (folded(status), at): message
        for _, status, at, message, *_ in details.children["timeline_events"]
    }
    accepted: Values = {}
    for disposition, place, code, _, _, value in details.children["requirements"]:
        if disposition == "accepted":
            accepted[place, code] = value
    for place, position, _, code, _, value in details.children["accepted_items"]:
        accepted[place, position, code] = value
    found["accepted_requirements"] = accepted
    return found


def _rewritten(before: dict[str, Values], now: dict[str, Values]) -> set[str]:
    return {
        name
        for name, values in before.items()
        if any(
            None not in (value, now[name].get(key)) and value != now[name][key]
            for key, value in values.items()
        )
    }


def folded(code: Cell) -> str:
    """Return a code in the form in which it is compared: without case."""
    return str(code).casefold()


def differ(told: Cell, said: Cell) -> bool:
    """Whether values differ by more than the spelling of a code, or a creation rounded to seconds."""
    if isinstance(told, datetime) and isinstance(said, datetime):
        return abs(told - said) > _ROUNDED
    return folded(told) != folded(said)
