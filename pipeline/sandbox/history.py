"""An activity's life: its events, and the state they lead to at an instant (docs/service.md 3).

    status                  move               next status
    SENT, ACTION_REQUIRED   accept             ACCEPTED
    SENT, ACTION_REQUIRED   decline            DECLINED
    SENT, ACTION_REQUIRED   cancel             CANCELED   (by itself at `valid_until`)
    ACCEPTED                complete           COMPLETED
    ACCEPTED, COMPLETED     expire             EXPIRED    (by itself at `expires_at`)

Only the events are stored. Status, instants, timeline and arrays at any moment are computed from
them, so moving the clock, forward or back, replays them exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from .bodies import Requirement
from .catalogue import ACCEPTED, CANCELED, COMPLETED, DECLINED, EXPIRED, PENDING, UNIT_MS

if TYPE_CHECKING:
    from .behaviour import Behaviour
    from .catalogue import TimeUnit
    from .counterparts import Counterpart

Move = Literal["accept", "decline", "cancel", "complete", "expire"]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happens to an activity at an instant (epoch ms).

    With a `status` the activity moves there; without one its details are edited (`changes`).
    `accepted` and `expires_at` come with ACCEPTED. `message` goes to the timeline and the emitter.
    """

    at: int
    status: str | None = None
    message: str = ""
    accepted: tuple[Requirement, ...] = ()
    expires_at: int | None = None
    changes: dict[str, Any] | None = None


class Life(msgspec.Struct, frozen=True, kw_only=True):
    """What was requested, and the events, past and future."""

    description: str
    requirements: tuple[Requirement, ...]
    expires_in: tuple[TimeUnit, int]
    events: tuple[Event, ...] = ()

    def sharing_ms(self) -> int:
        """Return how long accepted data stays available, in ms."""
        unit, amount = self.expires_in
        return UNIT_MS[unit] * amount


class Activity(msgspec.Struct, kw_only=True, eq=False):
    """The compact record of an activity.

    `life` is None as long as it is the one drawn from `seed`, so that large worlds stay small.
    """

    number: int
    id: str
    type: str
    bound: str
    counterpart: Counterpart
    zone: str
    created_at: int
    valid_until: int
    seed: int
    life: Life | None = None
    deleted: bool = False
    # Raw bodies that are served instead of what the service would state.
    row_instead: bytes | None = None
    details_instead: bytes | None = None


class Snapshot(msgspec.Struct, kw_only=True):
    """An activity's state at an instant."""

    status: str
    updated_at: int
    attended_at: int | None = None
    completed_at: int | None = None
    expires_at: int | None = None
    notification: str | None = None
    accepted: tuple[Requirement, ...] = ()
    declined: tuple[Requirement, ...] = ()
    data_gone: bool = False
    timeline: list[Event] = []
    changes: dict[str, Any] = {}


def snapshot(life: Life, now: int, behaviour: Behaviour) -> Snapshot:
    """Apply the events up to `now` (epoch ms, not before the first event)."""
    seen = Snapshot(status="", updated_at=life.events[0].at)
    stays = None if behaviour.completed_expires else COMPLETED
    for event in life.events:
        if event.at > now:
            break
        if event.status is None:
            seen.changes.update(event.changes or {})
            if behaviour.updated_at == "every":
                seen.updated_at = event.at
        elif event.status == EXPIRED and seen.status == stays:
            seen.data_gone = True
        else:
            _enter(seen, event, life)
            seen.timeline.append(event)
    return seen


def _enter(seen: Snapshot, event: Event, life: Life) -> None:
    """Move the snapshot to the event's status."""
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
    items_accepted = {requirement.code: requirement.items for requirement in accepted}
    left = []
    for requirement in requested:
        taken = items_accepted.get(requirement.code)
        items = tuple(item for item in requirement.items if item not in (taken or ()))
        if items or taken is None:
            left.append(Requirement(requirement.code, items))
    return tuple(left)


# From which statuses each move leads to which one.
_MOVES: Final[dict[Move, tuple[frozenset[str], str]]] = {
    "accept": (PENDING, ACCEPTED),
    "decline": (PENDING, DECLINED),
    "cancel": (PENDING, CANCELED),
    "complete": (frozenset({ACCEPTED}), COMPLETED),
    "expire": (frozenset({ACCEPTED, COMPLETED}), EXPIRED),
}


def after_move(
    life: Life, status: str, now: int, move: Move, codes: tuple[str, ...] | None, message: str
) -> Life:
    """Return the life after a move made at `now`; ValueError when `status` doesn't allow it.

    `codes`: the requirement codes accepted; None accepts all. Drawn events after `now` are
    dropped, except the expiry that accepting or completing leaves ahead.
    """
    allowed, target = _MOVES[move]
    if status not in allowed:
        raise ValueError(f"an activity that is {status} can't {move}")
    past = [event for event in life.events if event.at <= now]
    if move == "accept":
        accepted = tuple(r for r in life.requirements if codes is None or r.code in codes)
        acceptance = accepted_at(life, now, accepted, message)
        return with_events(life, [*past, acceptance, expiry_of(acceptance)])
    moved = Event(at=now, status=target, message=message)
    ahead = [event for event in life.events if event.at > now and event.status == EXPIRED]
    return with_events(life, [*past, moved, *(ahead if move == "complete" else ())])


def accepted_at(life: Life, at: int, accepted: tuple[Requirement, ...], message: str) -> Event:
    """Return the acceptance of some requirements at an instant."""
    expires_at = at + life.sharing_ms()
    return Event(at=at, status=ACCEPTED, message=message, accepted=accepted, expires_at=expires_at)


def expiry_of(acceptance: Event) -> Event:
    """Return the expiry that an acceptance leads to."""
    assert acceptance.expires_at is not None  # noqa: S101  # acceptances have one
    return Event(at=acceptance.expires_at, status=EXPIRED, message="The sharing period is over")


def with_events(life: Life, events: list[Event]) -> Life:
    """Return the life with other events; those of one instant happen in the given order."""
    return msgspec.structs.replace(life, events=tuple(sorted(events, key=lambda each: each.at)))
