"""Finding out what the service's days mean: in which zone they are cut, whether ``to`` includes its day.

One known activity is asked for by id within ranges that differ by a day; a handful of requests for
one row each, one or two once it is known. What is found is stored, and a change of it is told.
"""

import asyncio
from collections.abc import Mapping
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.service.client import ListQuery, ServiceClient
from pipeline.service.errors import ServiceError
from pipeline.sync.days import ONE_DAY, UNKNOWN, DayBoundaries, day_of
from pipeline.sync.options import Progress
from pipeline.warehouse import service_facts
from pipeline.warehouse.samples import sample_activity

_BACK = 5 * ONE_DAY
_WHOLE, _MIDNIGHT = "whole day", "midnight"


async def learn_day_boundaries(
    client: ServiceClient, engine: sa.Engine, zone: ZoneInfo, progress: Progress
) -> DayBoundaries:
    """Return what the service's days mean, as far as a stored activity can tell.

    Unknown for an empty warehouse, or when the service's answers fit no reading.
    """
    sample = await asyncio.to_thread(sample_activity, engine, zone.key)
    if sample is None:
        return UNKNOWN
    known = _boundaries(await asyncio.to_thread(service_facts.read_facts, engine))
    try:
        if await _confirmed(client, sample[0], sample[1], zone, known):
            return known
        found = await _probe(client, sample[0], sample[1], zone)
    except ServiceError as error:
        if error.fatal:
            raise
        found = UNKNOWN
    if found == UNKNOWN:
        progress.said("what the service's days mean could not be told; windows stay wide")
        return found
    for fact, value in (("day_zone", found.zone), ("to_day", _words(found.to_whole_day))):
        if value is not None:
            before = await asyncio.to_thread(service_facts.learn, engine, fact, value)
            if before is not None:
                progress.said(f"the service changed: {fact} was {before}, now is {value}")
    return found


async def _confirmed(
    client: ServiceClient,
    activity_id: str,
    created_at: datetime,
    zone: ZoneInfo,
    known: DayBoundaries,
) -> bool:
    """Whether one or two answers are just as what is ``known`` foretells."""
    if known.zone is None or known.to_whole_day is None:
        return False
    day = day_of(created_at, zone) if known.zone == "caller" else created_at.astimezone(UTC).date()
    if known.to_whole_day:
        return await _found(client, activity_id, day, day)
    if not await _found(client, activity_id, day, day + ONE_DAY):
        return False
    return not await _found(client, activity_id, day - _BACK, day)


async def _found(client: ServiceClient, activity_id: str, first: date, last: date | None) -> bool:
    query = ListQuery(limit=1, page=1, id=activity_id, from_=first, to=last)
    return bool((await client.list_activities(query)).rows)


async def _probe(
    client: ServiceClient, activity_id: str, created_at: datetime, zone: ZoneInfo
) -> DayBoundaries:
    """Ask for the activity in ranges that begin or end at its day in the caller's zone, and in UTC."""

    async def found(first: date, last: date | None) -> bool:
        return await _found(client, activity_id, first, last)

    local, utc = day_of(created_at, zone), created_at.astimezone(UTC).date()
    early, late = min(local, utc), max(local, utc)
    if await found(late + ONE_DAY, None):
        return UNKNOWN  # cut in a third zone, or id and dates do not go together
    day = late if await found(late, None) else early
    if day == early != late and not await found(early, None):
        return UNKNOWN
    whole = await found(day - _BACK, day)
    if await found(day - _BACK, day - ONE_DAY) or not (
        whole or await found(day - _BACK, day + ONE_DAY)
    ):
        return UNKNOWN
    if early == late and zone.key != "UTC":
        return DayBoundaries(None, whole)
    return DayBoundaries("caller" if day == local else "UTC", whole)


def stored_day_boundaries(engine: sa.Engine) -> DayBoundaries:
    """Return what earlier runs found out, without asking the service."""
    return _boundaries(service_facts.read_facts(engine))


def _words(whole: bool | None) -> str | None:
    return None if whole is None else (_WHOLE if whole else _MIDNIGHT)


def _boundaries(known: Mapping[str, str]) -> DayBoundaries:
    whole = {_WHOLE: True, _MIDNIGHT: False}.get(known.get("to_day", ""))
    return DayBoundaries(known.get("day_zone"), whole)
