"""The list operation (docs/service.md 4.3): its query, the requested range, and the pages."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType

from .answers import Refused
from .bodies import Number  # noqa: TC001  # read by msgspec at run time
from .clock import day_start_ms, zone_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from .behaviour import Behaviour
    from .history import Activity
    from .world import World


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
    start = 0 if query.from_date is UNSET else day_start_ms(query.from_date, zone)
    end = now + 1
    if query.to_date is UNSET:
        if start > now:
            raise Refused(
                400, "`from` must be before or equal to `to`, by default the current time"
            )
    elif behaviour.to_day == "midnight":
        end = day_start_ms(query.to_date, zone) + 1
    elif query.to_date != dt.date.max:
        end = day_start_ms(query.to_date + dt.timedelta(days=1), zone)
    return start, min(end, now + 1)


def listed(
    world: World, query: ListQuery, behaviour: Behaviour, between: tuple[int, int], shuffle: Random
) -> tuple[list[Activity], bool]:
    """Return the activities of the page that a query asks for, and `has_next`.

    `between`: of `requested_range`; `shuffle` makes the order `reshuffled`.
    """
    found = [
        each
        for each in world.between(*between)
        if query.id in (UNSET, each.id)
        and query.cifcode in (UNSET, each.counterpart.entity.cifcode)
        and (not query.entity or each.counterpart.entity.id in query.entity)
    ]
    if behaviour.order == "newest":
        found.reverse()
    elif behaviour.order == "id":
        found.sort(key=lambda activity: activity.id)
    elif behaviour.order == "reshuffled":
        shuffle.shuffle(found)
    begin = (query.page - 1) * query.limit
    rows = found[begin : begin + query.limit]
    more = len(found) > begin + query.limit
    return rows, more or (behaviour.trailing_empty_page and bool(rows))
