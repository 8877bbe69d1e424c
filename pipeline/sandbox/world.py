"""The world the service speaks of: all activities and counterparts, and how they are found."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from random import Random
from typing import TYPE_CHECKING

from .bodies import ValidityThreshold
from .catalogue import AUTHORIZATION, INDIVIDUAL, OUT, UNIT_MS
from .clock import zone_named
from .counterparts import drawn_people, individual_by_phone
from .drawing import drawn_activities, drawn_activity, with_future
from .history import Life

if TYPE_CHECKING:
    from .bodies import Authorization
    from .counterparts import Counterpart
    from .history import Activity
    from .settings import SandboxSettings


class World:
    """Activities in order of creation, and counterparts, with indexes by id."""

    def __init__(self, settings: SandboxSettings, now: int) -> None:
        begin, end = settings.range_ms(now)
        count = settings.people or max(1, min(settings.activities, settings.activities // 6 + 8))
        self.people = list(drawn_people(count, settings.seed, begin, end))
        self.by_entity = {each.entity.id: each for each in self.people}
        zone = zone_named(settings.timezone)
        self._ordered = list(
            drawn_activities(settings.activities, settings.seed, begin, end, zone, self.people)
        )
        self.activities = {activity.id: activity for activity in self._ordered}
        self._instants = [activity.created_at for activity in self._ordered]
        self._rng = Random(f"created:{settings.seed}")

    def between(self, start_ms: int, end_ms: int) -> list[Activity]:
        """Return what was created in [start, end) (epoch ms) and not deleted, oldest first."""
        low, high = (bisect_left(self._instants, each) for each in (start_ms, end_ms))
        return [activity for activity in self._ordered[low:high] if not activity.deleted]

    def get(self, activity_id: str, now: int) -> Activity | None:
        """Return the activity of an id if it was created by `now` and not deleted."""
        activity = self.activities.get(activity_id)
        if activity is None or activity.deleted or activity.created_at > now:
            return None
        return activity

    def draw(
        self,
        created_at: int,
        counterpart: Counterpart | None = None,
        kind: str | None = None,
        bound: str | None = None,
    ) -> Activity:
        """Draw an activity that is not in the world yet; what isn't given is drawn."""
        counterpart = counterpart or self._rng.choice(self.people)
        number = len(self.activities)
        return drawn_activity(self._rng, number, created_at, counterpart, kind, bound)

    def insert(self, activity: Activity) -> None:
        """Put a new activity in its place; ValueError if there is one of its id."""
        if activity.id in self.activities:
            raise ValueError(f"there is an activity {activity.id} already")
        self.activities[activity.id] = activity
        place = bisect_right(self._instants, activity.created_at)
        self._ordered.insert(place, activity)
        self._instants.insert(place, activity.created_at)

    def authorize(self, wish: Authorization, now: int) -> None:
        """Make the activity of a created Authorization (docs/service.md 4.2)."""
        phone = wish.phone.phone_country_code.upper(), wish.phone.phone_number
        receiver = self._individual(phone, now)
        activity = self.draw(now, receiver, AUTHORIZATION, OUT)
        wait = wish.validity_threshold or ValidityThreshold("HOURS", 72)
        activity.valid_until = now + max(1, round(wait.amount * UNIT_MS[wait.time_unit]))
        requested = Life(
            description=wish.description, requirements=wish.requirements, expires_in=("DAYS", 30)
        )
        activity.life = with_future(activity, requested)
        self.insert(activity)

    def _individual(self, phone: tuple[str, str], now: int) -> Counterpart:
        """Return the individual with this phone number; a new number gets a new individual."""
        for each in self.people:
            if each.phone == phone and each.entity.type == INDIVIDUAL:
                return each
        stranger = individual_by_phone(phone, len(self.people), now)
        self.people.append(stranger)
        self.by_entity[stranger.entity.id] = stranger
        return stranger
