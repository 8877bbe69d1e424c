"""The whole sandbox in one object: world, clock, switches, counters. Safe from any thread."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from .auth import Tokens
from .clock import Clock
from .counters import Counters
from .drawing import life_of
from .faults import RuleInForce
from .history import Event, after_move, with_events
from .listing import Lister
from .parking import Parking
from .statements import Statements
from .world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .behaviour import Behaviour
    from .counters import Counts
    from .faults import FaultRule, Operation
    from .history import Activity, Move
    from .parking import Phase
    from .settings import SandboxSettings

F = TypeVar("F", bound="Callable[..., Any]")

# They stand in the list row, so editing them would not be an edit of the details alone.
_ROW_FIELDS = {"id", "type", "in_out_bound", "entity", "status", "time_zone", "created_at"}


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
        self.counts = Counters()
        self.parkings: list[Parking] = []
        # Raw bodies by activity, served instead of what the service would state.
        self._replaced_rows: dict[str, bytes | None] = {}
        self._replaced_details: dict[str, bytes | None] = {}
        self.set_faults(*settings.faults)
        self.set_behaviour(settings.behaviour)

    # How the service answers.

    @_locked
    def set_behaviour(self, behaviour: Behaviour) -> None:
        """Set all switches; ValueError (or ValidationError) for wrong values."""
        self.behaviour = behaviour.changed()
        self.statements = Statements(self.behaviour)
        self.lister = Lister(self.world, self.behaviour)

    @_locked
    def change_behaviour(self, **changes: object) -> Behaviour:
        """Set some switches; returns them all as they are now."""
        self.set_behaviour(self.behaviour.changed(**changes))
        return self.behaviour

    def faults(self) -> list[RuleInForce]:
        """Return the rules in force with their counts."""
        return self._rules

    @_locked
    def set_faults(self, *rules: FaultRule) -> None:
        """Put these rules in force instead of the former ones; without rules all is well again."""
        self._rules = [RuleInForce(rule) for rule in rules]

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
    def revoke_tokens(self) -> None:
        """End every token given until now."""
        self.tokens.revoke_all()

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

    def release_all(self) -> None:
        """Release every request that is parked or waited for."""
        for parking in self.parkings:
            parking.release()

    # What the service was asked.

    @_locked
    def counters(self) -> Counts:
        """Return the counts since the start or the last reset."""
        return self.counts.read()

    @_locked
    def reset_counters(self) -> None:
        """Set all counts to zero."""
        self.counts.reset()

    @_locked
    def details_asked(self) -> dict[str, int]:
        """Return how often each activity's details were asked for."""
        return dict(self.counts.details)

    # What the service states.

    def truth(self, *, include_deleted: bool = False) -> Iterator[Truth]:
        """State every activity that is there now, in order of creation.

        The lock is held for one at a time only; freeze the clock for one consistent instant.
        """
        with self.lock:
            now = self.clock.now()
            everything = self.world.between(None, now + 1)
            if include_deleted:
                everything += [a for a in self.world.activities.values() if a.deleted]
        for activity in everything:
            yield self._truth(activity, now)

    @_locked
    def truth_of(self, activity_id: str) -> Truth:
        """State one activity, deleted or not."""
        return self._truth(self.world.activities[activity_id], self.clock.now())

    @_locked
    def _truth(self, activity: Activity, now: int) -> Truth:
        row = self.statements.row(activity, now)
        details = self.statements.details(activity, now)
        stated = b"null" if details is None else details
        return Truth(activity.id, activity.deleted, msgspec.Raw(row), msgspec.Raw(stated))

    @_locked
    def ids(self, *statuses: str) -> list[str]:
        """Return the ids of all activities there are now, oldest first, or those in `statuses`."""
        now = self.clock.now()
        return [
            activity.id
            for activity in self.world.between(None, now + 1)
            if not statuses or self.statements.status(activity, now) in statuses
        ]

    @_locked
    def people(self) -> list[dict[str, Any]]:
        """Return every entity as stated now, each with `phone_country_code` and `phone_number`."""
        now = self.clock.now()
        return [
            msgspec.to_builtins(each.stated(now)[0])
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
        return self.world.create(
            self.clock.now() if created_at is None else created_at,
            activity_id=activity_id,
            counterpart=None if entity_id is None else self.world.by_entity[entity_id],
            kind=type,
            bound=in_out_bound,
            drawn=drawn,
        ).id

    @_locked
    def move(
        self,
        activity_id: str,
        move: Move,
        codes: tuple[str, ...] | None = None,
        message: str = "",
    ) -> str:
        """Accept, decline, cancel, complete or expire; `codes`: what is accepted (None: all)."""
        activity, now = self.world.activities[activity_id], self.clock.now()
        status = self.statements.status(activity, now)
        activity.life = after_move(life_of(activity), status, now, move, codes, message)
        return self._changed(activity_id)

    @_locked
    def enter_status(self, activity_id: str, status: str) -> str:
        """Put an activity in any status, also an unknown one; nothing more will happen to it."""
        activity, now = self.world.activities[activity_id], self.clock.now()
        life = life_of(activity)
        past = [event for event in life.events if event.at <= now]
        activity.life = with_events(life, [*past, Event(at=now, status=status)])
        return self._changed(activity_id)

    @_locked
    def edit(self, activity_id: str, **changes: Any) -> str:
        """Edit fields of the details that don't stand in the list row."""
        refused = changes.keys() & _ROW_FIELDS
        if refused:
            raise ValueError(f"{', '.join(sorted(refused))}: a field of the list row")
        activity = self.world.activities[activity_id]
        life = life_of(activity)
        edit = Event(at=self.clock.now(), changes=changes)
        activity.life = with_events(life, [*life.events, edit])
        return self._changed(activity_id)

    @_locked
    def change_entity(self, entity_id: str, **changes: Any) -> str:
        """Rename (`name`), rescore (`score`), unregister (`unregistered`) an entity."""
        self.world.by_entity[entity_id].change(self.clock.now(), changes)
        return self._changed(entity_id)

    @_locked
    def change_counterpart(self, activity_id: str, entity_id: str) -> str:
        """Give an activity another counterpart, as if it always had been this one."""
        self.world.change_counterpart(
            self.world.activities[activity_id], self.world.by_entity[entity_id]
        )
        return self._changed(activity_id)

    def _changed(self, changed_id: str) -> str:
        # Rows encoded before may be outdated, and no event says so.
        self.statements = Statements(self.behaviour)
        return changed_id

    @_locked
    def delete(self, activity_id: str) -> str:
        """Remove an activity from list and details."""
        self.world.delete(self.world.activities[activity_id])
        return activity_id

    @_locked
    def restore(self, activity_id: str) -> str:
        """Put a deleted activity back."""
        self.world.restore(self.world.activities[activity_id])
        return activity_id

    def listed_row(self, activity: Activity, now: int) -> bytes:
        """Return the list row that the service answers."""
        replaced = self._replaced_rows.get(activity.id)
        return self.statements.row(activity, now) if replaced is None else replaced

    def answered_details(self, activity: Activity, now: int) -> bytes | None:
        """Return the details that the service answers; None when they are forbidden."""
        replaced = self._replaced_details.get(activity.id)
        return self.statements.details(activity, now) if replaced is None else replaced

    @_locked
    def replace_payload(
        self, activity_id: str, *, row: bytes | None = None, details: bytes | None = None
    ) -> str:
        """Serve raw bytes as list row or details; None: as it should be. The truth stays."""
        self._replaced_rows[activity_id] = row
        self._replaced_details[activity_id] = details
        return activity_id
