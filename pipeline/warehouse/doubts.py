"""Which details are not believed: they contradict the list, or lost what the stored ones have.

Implements docs/warehouse.md 4 and docs/design.md "Doubt". Pure. A reason names fields and, where that is
no personal value, what they hold.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from pipeline.warehouse.erasures import is_over
from pipeline.warehouse.meaning import ABSENT, Difference
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
_ALWAYS = frozenset(
    {"type", "type_name", "in_out_bound", "description", "status", "notification_message"}
    | {"time_zone", "created_at", "updated_at"}
)
#: Moments that belong to a status: they may go when the status does, for example back to the open one.
_OF_STATUS = frozenset({"valid_until", "attended_at", "completed_at", "expires_at", "expires_in"})
#: What members shared and refused: it may go when the sharing period is over.
_SHARED = frozenset({"accepted_requirements", "declined_requirements"})
_KEPT = _ALWAYS | _OF_STATUS | _SHARED | {"entity", "requirements", "timeline"}


def disagreement(listed: ListObservation, details: DetailsObservation) -> str | None:
    """Return in what a list row and details of one activity differ; None if they agree.

    A field that one of them lacks is no disagreement.
    """
    told, said = listed.said, details.said
    found = [
        f"the list says {name} {_shown(told[column])}, the details say {_shown(said[column])}"
        for column, name in _AGREED.items()
        if None not in (told[column], said[column]) and _differ(told[column], said[column])
    ]
    return "; ".join(found) or None


def agreed(details: DetailsObservation) -> Row:
    """Return what details say where they must agree with the list."""
    said = details.said
    return tuple(said[column] for column in _AGREED)


def doubt(details: DetailsObservation, differing: Sequence[Difference]) -> str | None:
    """Return why details are not believed; None if they are.

    ``differing``: how they differ from the stored ones; nothing if none are stored.
    """
    said = details.said
    missing = sorted(name for name in _ALWAYS if said[name] is None)
    if 2 * len(missing) > len(_ALWAYS):
        return f"the details lack most of the required fields: {', '.join(missing)}"
    excused = set[str]()
    if any(path == ("status",) for path, _, _ in differing):
        excused |= _OF_STATUS
    if is_over(details):
        excused |= _SHARED
    lost = {path[0] for path, before, after in differing if _is_loss(path, before, after)}
    lost &= _KEPT - excused
    if lost:
        return f"the details lost {', '.join(sorted(lost))}, which the stored ones have"
    if any(
        path[0] == "updated_at" and _is_less(after, before) for path, before, after in differing
    ):
        return "the details are older than the stored ones: updated_at went back"
    return None


def _differ(told: Cell, said: Cell) -> bool:
    """Whether values differ by more than the spelling of a code, or a creation rounded to seconds."""
    if isinstance(told, datetime) and isinstance(said, datetime):
        return abs(told - said) >= _ROUNDED
    return str(told).casefold() != str(said).casefold()


def _shown(value: object) -> str:
    return (
        "something else" if isinstance(value, str) and not _SHOWN.fullmatch(value) else str(value)
    )


def _is_loss(path: tuple[str, ...], before: object, after: object) -> bool:
    if path == ("timeline",) and isinstance(before, list) and isinstance(after, list):
        return len(after) < len(before)  # a history only grows
    if before is ABSENT or not before:
        return False
    gone = after is ABSENT or after is None or (after == 0 and path[0] in _OF_STATUS)
    # Deeper down, values come and go as members change them; but a shared value does not by itself.
    return gone and (len(path) == 1 or (path[0] in _SHARED and path[-1] in ("data", "value")))


def _is_less(after: object, before: object) -> bool:
    both = isinstance(after, int | Decimal) and isinstance(before, int | Decimal)
    return both and after < before  # type: ignore[operator]
