"""What details have lost or rewritten, compared with the stored ones (docs/design.md "Belief"). Pure.

A newer ``updated_at`` explains it. A change of the status explains moments that belong to a status, the end
of sharing what was shared, and a row of the list without a field the loss of this field. Decisions that
are lost are kept besides: see `answers.decisions`.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from pipeline.warehouse.answers.erasures import is_over
from pipeline.warehouse.state.rows import Cell, DetailsObservation, ListObservation

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

#: Names of the arrays of requirements.
_ARRAYS: dict[Cell, str] = {
    "requested": "requirements",
    "accepted": "accepted_requirements",
    "declined": "declined_requirements",
}


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
    rewritten = set[str]()
    have = _entries(details)
    for key, texts in _entries(stored).items():
        name, now = key[0], have.get(key, [])
        if len(now) < len(texts) or sum(map(bool, now)) < sum(map(bool, texts)):
            lost.add(name)
        elif not moved and any(a != b for a, b in zip(texts, now, strict=False) if a and b):
            rewritten.add(name)
    return {f"lost {name}" for name in lost - excused} | {
        f"rewrote {name}" for name in rewritten - excused
    }


def still_lost(
    before: Iterable[str], details: DetailsObservation, stored: DetailsObservation
) -> set[str]:
    """Return those of the discrepancies ``before`` that are losses, and of which details say no more.

    ``stored``: the details that have the loss. A newer ``updated_at`` explains all.
    """
    lost = {each for each in before if each.startswith("lost ")}
    if not lost or order_of(details, stored) > 0:  # as nearly all details
        return set()
    now, then = _entries(details), _entries(stored)
    changed = {key[0] for key in now.keys() | then.keys() if now.get(key) != then.get(key)}
    changed |= {name for name in _LOSABLE if details.said[name] != stored.said[name]}
    return {each for each in lost if each.removeprefix("lost ") not in changed}


def _entries(details: DetailsObservation) -> dict[tuple[str, str, str], list[Cell]]:
    """Return texts and values by their field and by what they belong to: codes, or a moment."""
    children = details.children
    rows: list[tuple[str, Cell, Cell, Cell]] = [
        (name, None, None, details.said[name]) for name in _TEXTS
    ]
    for disposition, _, code, _, _, value in children["requirements"]:
        rows.append((_ARRAYS[disposition], code, None, value))
    for disposition, _, _, code in children["requirement_items"]:
        rows.append((_ARRAYS[disposition], None, code, None))
    for _, _, requirement, code, _, value in children["accepted_items"]:
        rows.append(("accepted_requirements", requirement, code, value))
    for _, status, at, message, *_ in children["timeline_events"]:
        rows.append(("timeline", status, at, message))
    found = defaultdict[tuple[str, str, str], list[Cell]](list)
    for name, first, second, text in rows:
        found[name, folded(first), folded(second)].append(text)
    return found


def folded(code: Cell) -> str:
    """Return a code in the form in which it is compared: without case."""
    return str(code).casefold()


def differ(told: Cell, said: Cell) -> bool:
    """Whether values differ by more than the spelling of a code, or a creation rounded to seconds."""
    if isinstance(told, datetime) and isinstance(said, datetime):
        return abs(told - said) > _ROUNDED
    return folded(told) != folded(said)
