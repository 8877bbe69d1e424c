"""Finds out what the service's days mean: in which zone it cuts them, whether ``to`` includes its day.

docs/service.md 4.3 says neither. One known activity is listed by its id within ranges that differ by
a day: a handful of requests for one row each, one or two once the answer is known. What is found is
stored, and a change of it is logged.
"""

import asyncio
from dataclasses import dataclass
from datetime import UTC, date
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.service.client import ListQuery, ServiceClient
from pipeline.service.errors import ServiceError
from pipeline.sync.days import ONE_DAY, UNKNOWN, DayBoundaries, day_of
from pipeline.sync.options import Progress
from pipeline.warehouse import service_facts
from pipeline.warehouse.service_facts import sample_activity

_BACK = 5 * ONE_DAY

#: Values of the stored fact ``to_day``.
_WHOLE_DAY = {"whole day": True, "midnight": False}


async def learn_day_boundaries(
    client: ServiceClient, engine: sa.Engine, zone: ZoneInfo, progress: Progress
) -> DayBoundaries:
    """Return what the service's days mean, as far as a stored activity can show it.

    Unknown for an empty warehouse, or when the service's answers contradict each other. Raises only
    a fatal ``ServiceError``, or a ``WarehouseError``.
    """
    sample = await asyncio.to_thread(sample_activity, engine, zone.key)
    if sample is None:
        return UNKNOWN
    known = await asyncio.to_thread(stored_day_boundaries, engine)
    activity_id, created_at = sample
    probe = _Probe(
        client, zone, activity_id, day_of(created_at, zone), created_at.astimezone(UTC).date()
    )
    try:
        # Every process asks again: a service may change this without a word.
        if await probe.confirms(known):
            return known
        found = await probe.find()
    except ServiceError as error:
        if error.fatal:
            raise
        found = UNKNOWN
    if found == UNKNOWN:
        progress.log("the service does not show where its days begin; windows stay wide")
        return found
    to_day = next((word for word, whole in _WHOLE_DAY.items() if whole is found.to_whole_day), None)
    for fact, value in (("day_zone", found.zone), ("to_day", to_day)):
        if value is not None:
            before = await asyncio.to_thread(service_facts.learn, engine, fact, value)
            if before is not None:
                progress.log(f"the service changed: {fact} was {before}, now is {value}")
    return found


def stored_day_boundaries(engine: sa.Engine) -> DayBoundaries:
    """Return what earlier runs found out, without a request. Raises a ``WarehouseError``."""
    known = service_facts.read_facts(engine)
    return DayBoundaries(known.get("day_zone"), _WHOLE_DAY.get(known.get("to_day", "")))


@dataclass(frozen=True)
class _Probe:
    """Asks the service for one activity, created on these two days, within ranges of days."""

    client: ServiceClient
    zone: ZoneInfo
    activity_id: str
    local: date
    utc: date

    async def confirms(self, known: DayBoundaries) -> bool:
        """Whether one or two answers are what ``known`` predicts."""
        if known.zone is None or known.to_whole_day is None:
            return False
        day = self.local if known.zone == "caller" else self.utc
        if known.to_whole_day:
            return await self._lists(day, day)
        return await self._lists(day, day + ONE_DAY) and not await self._lists(day - _BACK, day)

    async def find(self) -> DayBoundaries:
        """Ask for ranges that begin or end at the activity's day in the caller's zone, and in UTC."""
        early, late = min(self.local, self.utc), max(self.local, self.utc)
        if await self._lists(late + ONE_DAY, None):
            return UNKNOWN  # a third zone, or the service ignores dates when an id is given
        day = late if await self._lists(late, None) else early
        if day == early != late and not await self._lists(early, None):
            return UNKNOWN
        whole = await self._lists(day - _BACK, day)
        if await self._lists(day - _BACK, day - ONE_DAY) or not (
            whole or await self._lists(day - _BACK, day + ONE_DAY)
        ):
            return UNKNOWN
        if early == late and self.zone.key != "UTC":
            return DayBoundaries(None, whole)
        return DayBoundaries("caller" if day == self.local else "UTC", whole)

    async def _lists(self, first: date, last: date | None) -> bool:
        query = ListQuery(limit=1, page=1, id=self.activity_id, from_=first, to=last)
        return bool((await self.client.list_activities(query)).rows)
