"""The world the service speaks of: all activities and entities, and how they are found."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from .catalogue import AUTHORIZATION, INDIVIDUAL, OUT
from .drawing import drawn_activities, drawn_activity, life_of, unanswered, with_future
from .history import Activity, Event, Life, Move, Requirement, settled, with_event
from .people import Entity, drawn_people, individual_by_phone
from .zones import zone_named

if TYPE_CHECKING:
    from .settings import SandboxSettings

# They stand in the list row, so that editing them would not be an edit of the details alone.
_ROW_FIELDS = frozenset(
    {"id", "type", "in_out_bound", "entity", "status", "time_zone", "created_at"}
)


class World:
    """Activities in order of creation, with indexes by id, entity and profile.

    `version` counts insertions and removals, so that orders sorted before are sorted anew.
    """

    def __init__(self, settings: SandboxSettings, now: int) -> None:
        start, end = settings.range_ms(now)
        count = settings.people or max(1, min(settings.activities, settings.activities // 6 + 8))
        self.seed = settings.seed
        self.people = list(drawn_people(count, settings.seed, start, end))
        self.by_entity = {entity.id: entity for entity in self.people}
        self.by_profile = {entity.cifcode: entity for entity in self.people}
        self._by_phone: dict[tuple[str, str], Entity] = {}
        for entity in self.people:
            if entity.type == INDIVIDUAL:
                self._by_phone.setdefault(entity.phone, entity)
        zone = zone_named(settings.timezone)
        self.ordered = list(
            drawn_activities(settings.activities, settings.seed, start, end, zone, self.people)
        )
        for activity in self.ordered:
            activity.entity.activities.append(activity)
        self.activities = {activity.id: activity for activity in self.ordered}
        self._instants = [activity.created_at for activity in self.ordered]
        self._created = Random(f"created:{settings.seed}")
        self.version = 0

    def between(self, start_ms: int | None, end_ms: int) -> list[Activity]:
        """Return what is not deleted and created in [start, end) (epoch ms), oldest first."""
        low = 0 if start_ms is None else bisect_left(self._instants, start_ms)
        return self.ordered[low : bisect_left(self._instants, end_ms)]

    def get(self, activity_id: str, now: int) -> Activity | None:
        """Return the activity of an id if it is there at `now`: created, and not deleted."""
        activity = self.activities.get(activity_id)
        if activity is None or activity.deleted or activity.created_at > now:
            return None
        return activity

    def insert(self, activity: Activity) -> None:
        """Put a new activity, or one that comes back, in its place."""
        if activity.id not in self.activities:
            self.activities[activity.id] = activity
            theirs = activity.entity.activities
            theirs.append(activity)
            theirs.sort(key=lambda other: (other.created_at, other.number))
        place = bisect_right(self._instants, activity.created_at)
        self.ordered.insert(place, activity)
        self._instants.insert(place, activity.created_at)
        self.version += 1

    def delete(self, activity: Activity) -> None:
        """Remove an activity from list and details; its record stays for `restore`."""
        if activity.deleted:
            raise ValueError(f"{activity.id} is deleted already")
        activity.deleted = True
        place = bisect_left(self._instants, activity.created_at)
        while self.ordered[place] is not activity:
            place += 1
        del self.ordered[place], self._instants[place]
        self.version += 1

    def restore(self, activity: Activity) -> None:
        """Let a deleted activity come back as if it had never been away."""
        if not activity.deleted:
            raise ValueError(f"{activity.id} isn't deleted")
        activity.deleted = False
        self.insert(activity)

    def create(
        self,
        created_at: int,
        *,
        activity_id: str | None = None,
        entity: Entity | None = None,
        kind: str | None = None,
        bound: str | None = None,
        drawn: bool = True,
    ) -> Activity:
        """Make an activity; with `drawn` its future is drawn, otherwise nobody will answer it."""
        rng = self._created
        entity = entity or rng.choice(self.people)
        activity = drawn_activity(rng, len(self.activities), created_at, entity, kind, bound)
        if activity_id is not None:
            activity.id = activity_id
        if activity.id in self.activities:
            raise ValueError(f"there is an activity {activity.id} already")
        if not drawn:
            life = life_of(activity)
            activity.life = msgspec.structs.replace(life, events=unanswered(activity))
        self.insert(activity)
        return activity

    def authorize(
        self,
        now: int,
        description: str,
        entity: Entity,
        requirements: tuple[Requirement, ...],
        validity_ms: int | None,
    ) -> Activity:
        """Make the activity of a created Authorization (specification §4.2): AT_004, OUT, SENT."""
        rng = self._created
        number = len(self.activities)
        activity = drawn_activity(rng, number, now, entity, AUTHORIZATION, OUT)
        if validity_ms is not None:
            activity.valid_until = now + validity_ms
        asked = Life(
            description=description, requirements=requirements, expires_in=("DAYS", 30), events=()
        )
        activity.life = with_future(activity, asked)
        self.insert(activity)
        return activity

    def individual(self, country: str, phone: str, now: int) -> Entity:
        """Return the individual with this phone number; one appears where there was none."""
        entity = self._by_phone.get((country, phone))
        if entity is None:
            entity = individual_by_phone(country, phone, len(self.people), now)
            self._by_phone[entity.phone] = entity
            self.people.append(entity)
            self.by_entity[entity.id] = self.by_profile[entity.cifcode] = entity
        return entity

    def settle(
        self,
        activity: Activity,
        status: str,
        now: int,
        move: Move,
        codes: tuple[str, ...] | None = None,
        message: str = "",
    ) -> None:
        """Let an activity that is in `status` make a move now; ValueError if it can't."""
        activity.life = settled(life_of(activity), status, now, move, codes, message)
        activity.version += 1

    def enter_status(self, activity: Activity, now: int, status: str) -> None:
        """Put an activity in any status, known or not, by whatever road; no future is left."""
        life = life_of(activity)
        past = tuple(event for event in life.events if event.at <= now)
        moved = Event(at=now, status=status, message="")
        activity.life = msgspec.structs.replace(life, events=(*past, moved))
        activity.version += 1

    def edit(self, activity: Activity, now: int, changes: dict[str, Any]) -> None:
        """Edit details without a change of the list row; ValueError for a field of the row."""
        refused = changes.keys() & _ROW_FIELDS
        if refused:
            raise ValueError(
                f"{', '.join(sorted(refused))}: in the list row, not an edit of details"
            )
        activity.life = with_event(life_of(activity), Event(at=now, changes=dict(changes)))
        activity.version += 1
