"""The world the service speaks of: all activities and counterparts, and how they are found."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from random import Random
from typing import TYPE_CHECKING

from .bodies import ValidityThreshold
from .catalogue import AUTHORIZATION, INDIVIDUAL, OUT, UNIT_MS
from .clock import zone_named
from .counterparts import drawn_people, individual_by_phone
from .drawing import drawn_activities, drawn_activity, unanswered_life, with_future
from .history import Life

if TYPE_CHECKING:
    from .bodies import Authorization
    from .counterparts import Counterpart
    from .history import Activity
    from .settings import SandboxSettings


class World:
    """Activities in order of creation, with indexes by id, entity and profile.

    `version` counts insertions and removals: a list sorted for an earlier version is outdated.
    """

    def __init__(self, settings: SandboxSettings, now: int) -> None:
        begin, end = settings.range_ms(now)
        count = settings.people or max(1, min(settings.activities, settings.activities // 6 + 8))
        self.seed = settings.seed
        self.people = list(drawn_people(count, settings.seed, begin, end))
        self.by_entity = {each.entity.id: each for each in self.people}
        self.by_profile = {each.entity.cifcode: each for each in self.people}
        self._by_phone: dict[tuple[str, str], Counterpart] = {}
        for each in self.people:
            if each.entity.type == INDIVIDUAL:
                self._by_phone.setdefault(each.phone, each)
        zone = zone_named(settings.timezone)
        self.ordered = list(
            drawn_activities(settings.activities, settings.seed, begin, end, zone, self.people)
        )
        for activity in self.ordered:
            activity.counterpart.activities.append(activity)
        self.activities = {activity.id: activity for activity in self.ordered}
        self._instants = [activity.created_at for activity in self.ordered]
        self._rng = Random(f"created:{settings.seed}")
        self.version = 0

    def between(self, start_ms: int | None, end_ms: int) -> list[Activity]:
        """Return what was created in [start, end) (epoch ms) and not deleted, oldest first."""
        low = 0 if start_ms is None else bisect_left(self._instants, start_ms)
        return self.ordered[low : bisect_left(self._instants, end_ms)]

    def get(self, activity_id: str, now: int) -> Activity | None:
        """Return the activity of an id if it was created by `now` and not deleted."""
        activity = self.activities.get(activity_id)
        if activity is None or activity.deleted or activity.created_at > now:
            return None
        return activity

    def insert(self, activity: Activity) -> None:
        """Put a new activity, or one that comes back, in its place."""
        if activity.id not in self.activities:
            self.activities[activity.id] = activity
            theirs = activity.counterpart.activities
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
        """Put a deleted activity back as if it had never been away."""
        if not activity.deleted:
            raise ValueError(f"{activity.id} isn't deleted")
        activity.deleted = False
        self.insert(activity)

    def change_counterpart(self, activity: Activity, counterpart: Counterpart) -> None:
        """Put an activity among those of another counterpart."""
        activity.counterpart.activities.remove(activity)
        activity.counterpart = counterpart
        counterpart.activities.append(activity)
        counterpart.activities.sort(key=lambda other: (other.created_at, other.number))

    def create(
        self,
        created_at: int,
        *,
        activity_id: str | None = None,
        counterpart: Counterpart | None = None,
        kind: str | None = None,
        bound: str | None = None,
        drawn: bool = True,
    ) -> Activity:
        """Make an activity; with `drawn` its future is drawn, otherwise nobody answers it."""
        counterpart = counterpart or self._rng.choice(self.people)
        activity = drawn_activity(
            self._rng, len(self.activities), created_at, counterpart, kind, bound
        )
        activity.id = activity_id or activity.id
        if activity.id in self.activities:
            raise ValueError(f"there is an activity {activity.id} already")
        if not drawn:
            activity.life = unanswered_life(activity)
        self.insert(activity)
        return activity

    def authorize(self, wish: Authorization, now: int) -> None:
        """Make the activity of a created Authorization (docs/service.md 4.2)."""
        receiver = self.individual(
            wish.phone.phone_country_code.upper(), wish.phone.phone_number, now
        )
        number = len(self.activities)
        activity = drawn_activity(self._rng, number, now, receiver, AUTHORIZATION, OUT)
        wait = wish.validity_threshold or ValidityThreshold("HOURS", 72)
        activity.valid_until = now + max(1, round(wait.amount * UNIT_MS[wait.time_unit]))
        requested = Life(
            description=wish.description, requirements=wish.requirements, expires_in=("DAYS", 30)
        )
        activity.life = with_future(activity, requested)
        self.insert(activity)

    def individual(self, country: str, phone: str, now: int) -> Counterpart:
        """Return the individual with this phone number; a new number gets a new individual."""
        found = self._by_phone.get((country, phone))
        if found is None:
            found = individual_by_phone(country, phone, len(self.people), now)
            self._by_phone[found.phone] = found
            self.people.append(found)
            self.by_entity[found.entity.id] = self.by_profile[found.entity.cifcode] = found
        return found
