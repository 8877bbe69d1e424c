"""An activity's life: its events, and what they add up to at an instant (specification §3).

Nothing here is stored twice: an activity's status, instants, timeline and arrays at any moment
are computed from its events, so moving the clock, forward or back, replays them exactly.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from .catalogue import (
    ACCEPTED,
    CANCELED,
    COMPLETED,
    DECLINED,
    EXPIRED,
    PENDING,
    UNIT_MS,
)
from .people import FOREVER_MS, Entity

Move = Literal["accept", "decline", "cancel", "complete", "expire"]


class Requirement(msgspec.Struct, frozen=True):
    """A requirement with its requested items, in the request shape (§2.3)."""

    code: str
    items: tuple[str, ...] = ()


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happens to an activity at an instant (epoch ms).

    With a `status` it moves there; without, its details are edited (`changes`).
    `accepted`, `expires_at` come with ACCEPTED; `message` goes to timeline and emitter.
    """

    at: int
    status: str | None = None
    message: str = ""
    accepted: tuple[Requirement, ...] = ()
    expires_at: int | None = None
    changes: dict[str, Any] | None = None
    # Drawn edits happen only while the switch `silent_edits` is on.
    drawn_edit: bool = False


class Life(msgspec.Struct, frozen=True, kw_only=True):
    """All that isn't in the compact record: the request, and the events, past and future."""

    description: str
    requirements: tuple[Requirement, ...]
    expires_in: tuple[str, int]
    events: tuple[Event, ...]

    def sharing_ms(self) -> int:
        """Return how long accepted data stays available, in ms."""
        unit, amount = self.expires_in
        return UNIT_MS[unit] * amount


class Activity(msgspec.Struct, kw_only=True, eq=False):
    """The compact record of an activity; its life is drawn from `seed` until it departs from it."""

    number: int
    id: str
    type: str
    bound: str
    entity: Entity
    zone: str
    created_at: int
    valid_until: int
    seed: int
    life: Life | None = None
    deleted: bool = False
    # Counts the controls' changes, so that what was encoded before them is encoded anew.
    version: int = 0


class Snapshot(msgspec.Struct, kw_only=True):
    """What an activity's events add up to at an instant, and how long that holds."""

    status: str
    since: int
    until: int
    updated_at: int
    attended_at: int | None = None
    completed_at: int | None = None
    expires_at: int | None = None
    notification: str | None = None
    accepted: tuple[Requirement, ...] = ()
    declined: tuple[Requirement, ...] = ()
    data_gone: bool = False
    timeline: tuple[Event, ...] = ()
    changes: dict[str, Any] = {}


def snapshot(
    life: Life, now: int, *, silent_edits: bool, completed_expires: bool, edits_move: bool
) -> Snapshot:
    """Add up the events until `now` (epoch ms, not before the first event).

    `edits_move`: whether an edit without a status change moves `updated_at`.
    """
    first = life.events[0]
    seen = Snapshot(status="", since=first.at, until=FOREVER_MS, updated_at=first.at, changes={})
    timeline: list[Event] = []
    for event in life.events:
        if event.at > now:
            seen.until = event.at
            break
        if event.drawn_edit and not silent_edits:
            continue
        seen.since = event.at
        if event.status is None:
            seen.changes.update(event.changes or {})
            if edits_move:
                seen.updated_at = event.at
        elif event.status == EXPIRED and seen.status == COMPLETED and not completed_expires:
            seen.data_gone = True
        else:
            _enter(seen, event, life)
            timeline.append(event)
    seen.timeline = tuple(timeline)
    return seen


def _enter(seen: Snapshot, event: Event, life: Life) -> None:
    """Let the snapshot enter the event's status."""
    assert event.status is not None  # noqa: S101  # for the type checker; the caller looked
    pending_before = seen.status in PENDING
    seen.status = event.status
    seen.updated_at = event.at
    if event.message and event.status in (ACCEPTED, DECLINED):
        seen.notification = event.message
    if event.status == ACCEPTED:
        seen.accepted = event.accepted
        seen.declined = remaining(life.requirements, event.accepted)
        seen.expires_at = event.expires_at
        # A share has no approval step: nobody attended to it.
        seen.attended_at = event.at if pending_before else seen.attended_at
    elif event.status == DECLINED:
        seen.attended_at = event.at
        seen.declined = life.requirements
    elif event.status == COMPLETED:
        seen.completed_at = event.at
    elif event.status == EXPIRED:
        seen.expires_at = event.at
        seen.data_gone = True


def remaining(
    requested: tuple[Requirement, ...], accepted: tuple[Requirement, ...]
) -> tuple[Requirement, ...]:
    """Return what was requested and not accepted, item by item."""
    if accepted == requested:
        return ()
    items_accepted = {requirement.code: requirement.items for requirement in accepted}
    left = []
    for requirement in requested:
        taken = items_accepted.get(requirement.code)
        if taken is None:
            left.append(requirement)
            continue
        items = tuple(item for item in requirement.items if item not in taken)
        if items:
            left.append(Requirement(requirement.code, items))
    return tuple(left)


_ALLOWED: Final[dict[str, frozenset[str]]] = {
    "accept": PENDING,
    "decline": PENDING,
    "cancel": PENDING,
    "complete": frozenset({ACCEPTED}),
    "expire": frozenset({ACCEPTED, COMPLETED}),
}
_TARGETS: Final = {
    "decline": DECLINED,
    "cancel": CANCELED,
    "complete": COMPLETED,
    "expire": EXPIRED,
}


def settled(
    life: Life, status: str, now: int, move: Move, codes: tuple[str, ...] | None, message: str
) -> Life:
    """Return the life after a move made at `now`; ValueError when the state doesn't allow it.

    `codes`: the requirement codes accepted; None accepts all. What was drawn for later is void,
    but for the expiry that accepting or completing leaves ahead.
    """
    if status not in _ALLOWED[move]:
        raise ValueError(f"an activity that is {status} can't {move}")
    past = tuple(event for event in life.events if event.at <= now)
    if move == "complete":
        ahead = [event for event in life.events if event.at > now and event.status == EXPIRED]
        return with_events(life, (*past, Event(at=now, status=COMPLETED, message=message), *ahead))
    if move != "accept":
        return with_events(life, (*past, Event(at=now, status=_TARGETS[move], message=message)))
    unknown = set(codes or ()) - {requirement.code for requirement in life.requirements}
    if unknown:
        raise ValueError(f"not requested: {', '.join(sorted(unknown))}")
    accepted = tuple(r for r in life.requirements if codes is None or r.code in codes)
    return with_events(life, (*past, *acceptance(life, now, accepted, message)))


def acceptance(
    life: Life, at: int, accepted: tuple[Requirement, ...], message: str
) -> tuple[Event, Event]:
    """Return the acceptance at an instant and the expiry it leads to."""
    expires_at = at + life.sharing_ms()
    return (
        Event(at=at, status=ACCEPTED, message=message, accepted=accepted, expires_at=expires_at),
        Event(at=expires_at, status=EXPIRED, message="The sharing period is over"),
    )


def with_event(life: Life, event: Event) -> Life:
    """Return the life with one more event, after all that happened until then."""
    before = tuple(other for other in life.events if other.at <= event.at)
    after = tuple(other for other in life.events if other.at > event.at)
    return with_events(life, (*before, event, *after))


def with_events(life: Life, events: tuple[Event, ...]) -> Life:
    """Return the life with other events."""
    return msgspec.structs.replace(life, events=events)
