"""Finds out what the service's days mean: in which zone it cuts them, whether ``to`` includes its day.

docs/service.md 4.3 says neither. Two known activities, from just after a midnight and from just before one,
are listed by their ids within ranges of a day: three requests for one row each once the answer is known, a
handful before. What is found is stored, and a change of it is logged.
"""

import asyncio
from datetime import date, timedelta
from itertools import product

import sqlalchemy as sa

from pipeline.service.client import ListQuery, ServiceClient, or_none
from pipeline.sync.days import ONE_DAY, UNKNOWN, DayBoundaries
from pipeline.sync.options import Tools
from pipeline.warehouse import service_facts
from pipeline.warehouse.service_facts import AtMidnight, at_midnight

_BACK = 5 * ONE_DAY

#: Values of the stored fact ``to_day``.
_WHOLE_DAY, _MIDNIGHT = "whole day", "midnight"


async def learn_day_boundaries(tools: Tools) -> DayBoundaries:
    """Return what the service's days mean, as far as stored activities can show it.

    Unknown for an empty warehouse, or when the service's answers contradict each other. Raises only
    a fatal ``ServiceError``, or a ``WarehouseError``.
    """
    samples = await asyncio.to_thread(at_midnight, tools.engine, tools.zone.key)
    if not samples:
        return UNKNOWN
    known = await asyncio.to_thread(stored_day_boundaries, tools.engine)
    found = await or_none(_find(tools.client, samples, known)) or UNKNOWN
    if found.zone is None:
        tools.progress.log("the service does not show where its days begin; windows stay wide")
        return found
    to_day = _WHOLE_DAY if found.to_whole_day else _MIDNIGHT
    for fact, value in (("day_zone", found.zone), ("to_day", to_day)):
        before = await asyncio.to_thread(service_facts.learn, tools.engine, fact, value)
        if before is not None:
            tools.progress.log(f"the service changed: {fact} was {before}, now is {value}")
    return found


def stored_day_boundaries(engine: sa.Engine) -> DayBoundaries:
    """Return what earlier runs found out, without a request. Raises a ``WarehouseError``."""
    known = service_facts.read_facts(engine)
    if not {"day_zone", "to_day"} <= known.keys():
        return UNKNOWN
    return DayBoundaries(known["day_zone"], known["to_day"] == _WHOLE_DAY)


async def _find(
    client: ServiceClient, samples: list[AtMidnight], known: DayBoundaries
) -> DayBoundaries:
    """Return what all answers agree with. ``known`` is tried first: a service may change it."""
    for sample, whole in sorted(
        product(samples, (True, False)),
        key=lambda each: (each[0].zone, each[1]) != (known.zone, known.to_whole_day),
    ):
        if await _agrees(client, sample, 0 * ONE_DAY if whole else ONE_DAY):
            return DayBoundaries(sample.zone, whole, exact=sample.near)
    return UNKNOWN


async def _agrees(client: ServiceClient, sample: AtMidnight, more: timedelta) -> bool:
    """Whether ``to`` must be ``more`` than a day to list both activities in the days that they show."""

    async def lists(activity_id: str, first: date, last: date) -> bool:
        query = ListQuery(limit=1, page=1, id=activity_id, from_=first, to=last)
        return bool((await client.list_activities(query)).rows)

    begun, ended = sample.day_begun, sample.day_ended
    return (
        await lists(sample.after, begun, begun + more)
        and await lists(sample.before, ended, ended + more)
        # Else `to` reaches further, or the service ignores dates when an id is given.
        and not await lists(sample.after, begun - _BACK, begun + more - ONE_DAY)
    )
