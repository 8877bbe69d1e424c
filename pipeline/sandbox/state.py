"""The whole sandbox in one object: world, clock, switches, counters. Safe from any thread."""

from __future__ import annotations

import copy
import functools
import threading
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from .auth import Tokens
from .clock import Clock
from .counters import Counts
from .drawing import life_of, unanswered_life
from .faults import RuleInForce
from .history import Event, after_move, with_events
from .parking import Parking
from .statements import details_of, row_of, status_of
from .world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from .behaviour import Behaviour
    from .faults import FaultRule, Operation
    from .history import Activity, Move
    from .parking import Phase
    from .settings import SandboxSettings

F = TypeVar("F", bound="Callable[..., Any]")


class Truth(msgspec.Struct, frozen=True):
    """What the service states of an activity now; `details` is `null` when it refuses them (403)."""

    id: str
    deleted: bool
    row: msgspec.Raw
    details: msgspec.Raw

    def row_fields(self) -> dict[str, Any]:
        """Return the list row, decoded."""
        return msgspec.json.decode(self.row, type=dict[str, Any])

    def details_fields(self) -> dict[str, Any] | None:
        """Return the details, decoded; None when they are refused."""
        return msgspec.json.decode(self.details, type=dict[str, Any] | None)


def _locked(method: F) -> F:
    @functools.wraps(method)
    def locked(self: SandboxState, *args: Any, **kwargs: Any) -> Any:
        with self.lock:
            return method(self, *args, **kwargs)

    return cast("F", locked)


class SandboxState:
    """State and controls of a sandbox.

    `lock` guards everything. The service's handlers hold it while they look or act, never while
    they wait. A control that changes an activity or entity returns its id; it raises KeyError for
    an unknown id and ValueError for what can't be done.
    """

    def __init__(self, settings: SandboxSettings) -> None:
        self.lock = threading.RLock()
        self.settings = settings
        self.clock = Clock(settings.now, frozen=settings.frozen)
        self.world = World(settings, self.clock.now())
        self.tokens = Tokens(settings.credentials, settings.seed)
        self.counts = Counts()
        self.behaviour = settings.behaviour.changed()
        self.parkings: list[Parking] = []
        self.set_faults(*settings.faults)

    # How the service answers.

    @_locked
    def change_behaviour(self, **changes: object) -> Behaviour:
        """Set some switches; returns them all as they are now. ValueError for wrong values."""
        self.behaviour = self.behaviour.changed(**changes)
        return self.behaviour

    @_locked
    def set_faults(self, *rules: FaultRule) -> None:
        """Put these rules in force instead of the former ones; without rules all is well again."""
        self.rules = [RuleInForce(rule) for rule in rules]

    @_locked
    def set_clock(
        self, *, now: int | None = None, advance_ms: int = 0, frozen: bool | None = None
    ) -> int:
        """Move the clock to `now` (epoch ms), then by `advance_ms`; freeze it or let it run.

        Returns what the clock shows then.
        """
        base = self.clock.now() if now is None else now
        stands = self.clock.frozen if frozen is None else frozen
        self.clock.set(base + advance_ms, frozen=stands)
        return self.clock.now()

    @_locked
    def park(
        self,
        operation: Operation,
        number: int = 1,
        *,
        activity_id: str | None = None,
        phase: Phase = "before",
    ) -> Parking:
        """Hold the `number`-th such request from now on until it is released."""
        self.parkings.append(Parking(operation, number, activity_id, phase))
        return self.parkings[-1]

    # What the service was asked.

    @_locked
    def counters(self) -> Counts:
        """Return a copy of the counts since the start or the last reset."""
        return copy.deepcopy(self.counts)

    @_locked
    def reset_counters(self) -> None:
        """Set all counts to zero, except that of the requests in flight."""
        in_flight = self.counts.in_flight
        self.counts = Counts(in_flight=in_flight, max_concurrent=in_flight)

    # What the service states.

    @_locked
    def truth(self, *, include_deleted: bool = False) -> list[Truth]:
        """State every activity that is there now, in order of creation."""
        now = self.clock.now()
        there = self.world.between(0, now + 1)
        if include_deleted:
            there += [each for each in self.world.activities.values() if each.deleted]
        return [self._truth(each, now) for each in there]

    @_locked
    def truth_of(self, activity_id: str) -> Truth:
        """State one activity, deleted or not."""
        return self._truth(self.world.activities[activity_id], self.clock.now())

    def _truth(self, activity: Activity, now: int) -> Truth:
        row = row_of(activity, self.behaviour, now)
        details = details_of(activity, self.behaviour, now) or b"null"
        return Truth(activity.id, activity.deleted, msgspec.Raw(row), msgspec.Raw(details))

    @_locked
    def ids(self, *statuses: str) -> list[str]:
        """Return the ids of all activities there are now, oldest first, or those in `statuses`."""
        now = self.clock.now()
        return [
            activity.id
            for activity in self.world.between(0, now + 1)
            if not statuses or status_of(activity, self.behaviour, now) in statuses
        ]

    @_locked
    def people(self) -> list[dict[str, Any]]:
        """Return every entity as stated now, each with `phone_country_code` and `phone_number`."""
        now = self.clock.now()
        return [
            msgspec.to_builtins(each.stated(now))
            | {"phone_country_code": each.phone[0], "phone_number": each.phone[1]}
            for each in self.world.people
        ]

    # What happens to activities and entities.

    @_locked
    def create(
        self,
        *,
        activity_id: str | None = None,
        created_at: int | None = None,
        entity_id: str | None = None,
        type: str | None = None,  # the service's own word
        in_out_bound: str | None = None,
        drawn: bool = True,
    ) -> str:
        """Make an activity (`created_at` in epoch ms, None: now); what isn't given is drawn.

        Without `drawn` nobody will answer it: it is canceled at its `valid_until`.
        """
        activity = self.world.draw(
            self.clock.now() if created_at is None else created_at,
            None if entity_id is None else self.world.by_entity[entity_id],
            type,
            in_out_bound,
        )
        activity.id = activity_id or activity.id
        if not drawn:
            activity.life = unanswered_life(activity)
        self.world.insert(activity)
        return activity.id

    @_locked
    def move(
        self, activity_id: str, move: Move, codes: tuple[str, ...] | None = None, message: str = ""
    ) -> str:
        """Accept, decline, cancel, complete or expire; `codes`: what is accepted (None: all)."""
        activity, now = self.world.activities[activity_id], self.clock.now()
        status = status_of(activity, self.behaviour, now)
        activity.life = after_move(life_of(activity), status, now, move, codes, message)
        return activity_id

    @_locked
    def enter_status(self, activity_id: str, status: str) -> str:
        """Put an activity in any status, also an unknown one; nothing more will happen to it."""
        activity, now = self.world.activities[activity_id], self.clock.now()
        life = life_of(activity)
        past = [event for event in life.events if event.at <= now]
        activity.life = with_events(life, [*past, Event(at=now, status=status)])
        return activity_id

    @_locked
    def edit(self, activity_id: str, **changes: Any) -> str:
        """Edit fields of the details that don't stand in the list row."""
        activity = self.world.activities[activity_id]
        life = life_of(activity)
        edit = Event(at=self.clock.now(), changes=changes)
        activity.life = with_events(life, [*life.events, edit])
        return activity_id

    @_locked
    def change_entity(self, entity_id: str, **changes: Any) -> str:
        """Rename (`name`), rescore (`score`), unregister (`unregistered`) an entity."""
        self.world.by_entity[entity_id].change(self.clock.now(), changes)
        return entity_id

    @_locked
    def change_counterpart(self, activity_id: str, entity_id: str) -> str:
        """Give an activity another counterpart, as if it always had been this one."""
        self.world.activities[activity_id].counterpart = self.world.by_entity[entity_id]
        return activity_id

    @_locked
    def delete(self, activity_id: str) -> str:
        """Remove an activity from list and details."""
        self.world.activities[activity_id].deleted = True
        return activity_id

    @_locked
    def restore(self, activity_id: str) -> str:
        """Put a deleted activity back as if it had never been away."""
        self.world.activities[activity_id].deleted = False
        return activity_id

    @_locked
    def replace_payload(
        self, activity_id: str, *, row: bytes | None = None, details: bytes | None = None
    ) -> str:
        """Serve raw bytes as list row or details; None: as it should be. The truth stays."""
        activity = self.world.activities[activity_id]
        activity.row_instead, activity.details_instead = row, details
        return activity_id
