"""The whole sandbox in one object: world, clock, switches, counters. Safe from any thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import msgspec

from . import behaviour as behaviours
from . import mutations as deeds
from .auth import Tokens
from .clock import Clock, ClockReading
from .counters import Counters, CountersReading, JournalEntry
from .deeds import Deeds
from .faults import FaultReading, FaultRule, Faults
from .listing import Lister
from .parking import Parking, Parkings, Phase
from .wire import Wire
from .world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .behaviour import Behaviour
    from .faults import Operation
    from .history import Activity
    from .settings import SandboxSettings

_TRUTH_CHUNK = 200


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


class SandboxState(Deeds):
    """State and controls of a sandbox; the controls over HTTP call these methods.

    `lock` guards everything; the service's handlers hold it while they look or act, never while
    they wait.
    """

    def __init__(self, settings: SandboxSettings) -> None:
        self.lock = threading.RLock()
        self.settings = settings
        self.clock = Clock(settings.start_ms(), frozen=settings.frozen)
        self.world = World(settings, self.clock.now())
        self.tokens = Tokens(settings.credentials, settings.seed)
        self.fault_rules = Faults(settings.faults)
        self.counts = Counters()
        self.parkings = Parkings()
        self.payloads: dict[str, deeds.ReplacePayload] = {}
        self.behaviour = settings.behaviour
        self.set_behaviour(settings.behaviour)

    def set_behaviour(self, behaviour: Behaviour) -> None:
        """Put all switches as in `behaviour`; ValueError (or ValidationError) for wrong values."""
        behaviour = behaviours.checked(behaviour)
        with self.lock:
            self.behaviour = behaviour
            self.wire = Wire(behaviour)
            self.lister = Lister(self.world, behaviour, self.wire)

    def change_behaviour(self, **changes: object) -> Behaviour:
        """Put some switches otherwise; returns them all as they are now."""
        with self.lock:
            self.set_behaviour(self.behaviour.changed(**changes))
            return self.behaviour

    def faults(self) -> list[FaultReading]:
        """Return the fault rules in force with their counts."""
        with self.lock:
            return self.fault_rules.reading()

    def set_faults(self, *rules: FaultRule) -> None:
        """Put these fault rules in force instead of the former (none: all is well again)."""
        with self.lock:
            self.fault_rules.replace(rules)

    def add_fault(self, rule: FaultRule) -> None:
        """Put one more fault rule in force."""
        with self.lock:
            self.fault_rules.add(rule)

    def clock_reading(self) -> ClockReading:
        """Return what the clock shows."""
        with self.lock:
            return self.clock.reading()

    def set_clock(
        self, *, now: int | None = None, advance_ms: int | None = None, frozen: bool | None = None
    ) -> ClockReading:
        """Move the clock to `now` (epoch ms), then by `advance_ms`, then freeze it or let it run."""
        with self.lock:
            if frozen:
                self.clock.freeze()
            if now is not None:
                self.clock.set(now)
            if advance_ms is not None:
                self.clock.advance(advance_ms)
            if frozen is False:
                self.clock.run()
            return self.clock.reading()

    def counters(self) -> CountersReading:
        """Return what was counted since the start or the last reset."""
        with self.lock:
            return self.counts.reading()

    def journal(self) -> list[JournalEntry]:
        """Return the last requests, in the order they ended."""
        with self.lock:
            return self.counts.journal()

    def details_asked(self) -> dict[str, int]:
        """Return how often each activity's details were asked for."""
        with self.lock:
            return self.counts.asked()

    def reset_counters(self) -> None:
        """Start counting anew."""
        with self.lock:
            self.counts.reset()

    def revoke_tokens(self) -> None:
        """End every token given until now."""
        with self.lock:
            self.tokens.revoke_all()

    def park(
        self,
        operation: Operation,
        number: int = 1,
        *,
        activity_id: str | None = None,
        phase: Phase = "before",
    ) -> Parking:
        """Set up the parking of the `number`-th such request from now on."""
        with self.lock:
            return self.parkings.add(operation, number, activity_id, phase)

    def truth(self, *, include_deleted: bool = False) -> Iterator[Truth]:
        """State every activity that is there now, in order of creation.

        The lock is held for a few at a time only; freeze the clock for one consistent instant.
        """
        with self.lock:
            now = self.clock.now()
            everything = self.world.between(None, now + 1)
            if include_deleted:
                everything += [a for a in self.world.activities.values() if a.deleted]
        for begin in range(0, len(everything), _TRUTH_CHUNK):
            with self.lock:
                chunk = [self._truth(a, now) for a in everything[begin : begin + _TRUTH_CHUNK]]
            yield from chunk

    def truth_of(self, activity_id: str) -> Truth:
        """State one activity, deleted or not; KeyError when there never was one of that id."""
        with self.lock:
            return self._truth(self.world.activities[activity_id], self.clock.now())

    def _truth(self, activity: Activity, now: int) -> Truth:
        row, details = self.wire.stated(activity, now)
        stated = msgspec.Raw(b"null" if details is None else details)
        return Truth(activity.id, activity.deleted, msgspec.Raw(row), stated)

    def ids(self, *statuses: str) -> list[str]:
        """Return the ids of all activities there are now, oldest first, or those in `statuses`."""
        with self.lock:
            now = self.clock.now()
            return [
                activity.id
                for activity in self.world.between(None, now + 1)
                if not statuses or self.wire.status(activity, now) in statuses
            ]

    def people(self) -> list[dict[str, Any]]:
        """Return every entity as stated now, each with `phone_country_code` and `phone_number`."""
        with self.lock:
            now = self.clock.now()
            return [
                entity.standing(now)[0]
                | {"phone_country_code": entity.phone[0], "phone_number": entity.phone[1]}
                for entity in self.world.people
            ]

    def mutate(self, mutation: deeds.Mutation) -> str:
        """Do a deed now; returns the id it was done to.

        KeyError for an unknown id, ValueError for what can't be done.
        """
        with self.lock:
            return self._done(mutation, self.clock.now())

    def _done(self, mutation: deeds.Mutation, now: int) -> str:
        world = self.world
        if isinstance(mutation, deeds.Create):
            return self._created(mutation, now)
        if isinstance(mutation, deeds.ChangeEntity):
            world.by_entity[mutation.id].change(now, mutation.changes)
            return mutation.id
        activity = world.activities[mutation.id]
        match mutation:
            case deeds.Settle():
                status = self.wire.status(activity, now)
                world.settle(activity, status, now, mutation.move, mutation.codes, mutation.message)
            case deeds.EnterStatus():
                world.enter_status(activity, now, mutation.status)
            case deeds.Edit():
                world.edit(activity, now, mutation.changes)
            case deeds.Delete():
                world.delete(activity)
            case deeds.Restore():
                world.restore(activity)
            case deeds.ReplacePayload():
                self.payloads[activity.id] = mutation
        return activity.id

    def _created(self, wish: deeds.Create, now: int) -> str:
        entity = None if wish.entity_id is None else self.world.by_entity[wish.entity_id]
        created = self.world.create(
            now if wish.created_at is None else wish.created_at,
            activity_id=wish.id,
            entity=entity,
            kind=wish.type,
            bound=wish.in_out_bound,
            drawn=wish.drawn,
        )
        return created.id
