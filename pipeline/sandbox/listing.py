"""The list operation (docs/service.md 4.3): its query, the requested range, and the pages."""

from __future__ import annotations

import datetime as dt
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import UNSET, UnsetType

from .answers import Refused
from .bodies import Number  # noqa: TC001  # read by msgspec at run time
from .clock import day_start_ms, zone_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .behaviour import Behaviour
    from .history import Activity
    from .world import World

_MASK: Final = (1 << 64) - 1


class ListQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The query of a list request. What is not given is UNSET."""

    limit: Number = 35
    page: Number = 1
    id: str | UnsetType = UNSET
    cifcode: str | UnsetType = UNSET
    entity: tuple[str, ...] = ()
    from_date: dt.date | UnsetType = msgspec.field(name="from", default=UNSET)
    to_date: dt.date | UnsetType = msgspec.field(name="to", default=UNSET)


def parsed(query: Mapping[str, Sequence[str]], behaviour: Behaviour) -> ListQuery:
    """Check a query (each name with all its values); Refused with 400 if it is wrong."""
    given: dict[str, object] = {}
    for name, values in query.items():
        if name != "entity" and len(values) > 1:
            raise Refused(400, f"`{name}` is given more than once")
        given[name] = values if name == "entity" else values[0]
    try:
        wanted = msgspec.convert(given, ListQuery, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(400, str(error)) from None
    if wanted.from_date and wanted.to_date and wanted.from_date > wanted.to_date:
        raise Refused(400, "`from` must be before or equal to `to`")
    if behaviour.max_limit is None or wanted.limit <= behaviour.max_limit:
        return wanted
    if behaviour.over_limit == "refuse":
        raise Refused(400, f"`limit` must not be above {behaviour.max_limit}")
    return msgspec.structs.replace(wanted, limit=behaviour.max_limit)


def requested_range(
    query: ListQuery, behaviour: Behaviour, caller_zone: str, now: int
) -> tuple[int, int]:
    """Return the half-open range of creation instants (epoch ms) that a query asks for.

    Nothing later than `now` is in it: that hasn't been created yet.
    """
    name = {"utc": "UTC", "caller": caller_zone}.get(behaviour.day_zone, behaviour.day_zone)
    zone = zone_named(name)
    start = -_MASK if query.from_date is UNSET else day_start_ms(query.from_date, zone)
    if query.to_date is UNSET:
        if start > now:
            raise Refused(
                400, "`from` must be before or equal to `to`, by default the current time"
            )
        return start, now + 1
    if behaviour.to_day == "midnight":
        return start, min(now, day_start_ms(query.to_date, zone)) + 1
    if query.to_date == dt.date.max:
        return start, now + 1
    return start, min(now + 1, day_start_ms(query.to_date + dt.timedelta(days=1), zone))


class Lister:
    """Answers list requests of one world under one behaviour."""

    def __init__(self, world: World, behaviour: Behaviour) -> None:
        self._world = world
        self._behaviour = behaviour
        self._requests = 0
        self._sorted: dict[tuple[int, int, int], list[Activity]] = {}

    def page(self, query: ListQuery, caller_zone: str, now: int) -> tuple[list[Activity], bool]:
        """Return the activities of the page that a query asks for, and `has_next`."""
        start, end = requested_range(query, self._behaviour, caller_zone, now)
        self._requests += 1
        selected = self._selected(query, start, end)
        begin = (query.page - 1) * query.limit
        rows = selected[begin : begin + query.limit]
        more = len(selected) > begin + query.limit
        return rows, more or (self._behaviour.trailing_empty_page and bool(rows))

    def _selected(self, query: ListQuery, start: int, end: int) -> list[Activity]:
        if query.id is not UNSET or query.cifcode is not UNSET or query.entity:
            return self._in_order(_filtered(self._world, query, start, end))
        found = self._world.between(start, end)
        if self._behaviour.order not in ("id", "shuffled"):
            return self._in_order(found)
        key = self._world.version, start, len(found)
        if key not in self._sorted:
            # Sorting for every page would make walks of large worlds slow.
            if len(self._sorted) >= 4:
                self._sorted.clear()
            self._sorted[key] = self._in_order(found)
        return self._sorted[key]

    def _in_order(self, found: list[Activity]) -> list[Activity]:
        order, seed = self._behaviour.order, self._world.seed
        if order == "newest":
            found.reverse()
        elif order == "reshuffled":
            Random(seed * 1_000_003 + self._requests).shuffle(found)
        elif order == "id":
            found.sort(key=lambda activity: activity.id)
        elif order == "shuffled":
            salt = seed * 0x9E3779B9
            found.sort(key=lambda activity: (activity.seed ^ salt) * 0x9E3779B97F4A7C15 & _MASK)
        return found


def _filtered(world: World, query: ListQuery, start: int, end: int) -> list[Activity]:
    """Return what meets id, profile and entities (all of them), oldest first."""
    if query.id is not UNSET:
        candidates = [world.activities[query.id]] if query.id in world.activities else []
    elif query.cifcode is not UNSET:
        profile = world.by_profile.get(query.cifcode)
        candidates = [] if profile is None else profile.activities
    else:
        found = [world.by_entity[each] for each in set(query.entity) if each in world.by_entity]
        candidates = [activity for counterpart in found for activity in counterpart.activities]
        candidates.sort(key=lambda activity: (activity.created_at, activity.number))
    return [
        activity
        for activity in candidates
        if not activity.deleted
        and start <= activity.created_at < end
        and query.cifcode in (UNSET, activity.counterpart.entity.cifcode)
        and (not query.entity or activity.counterpart.entity.id in query.entity)
    ]
