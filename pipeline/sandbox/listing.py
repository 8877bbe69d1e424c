"""The list operation (specification §4.3): its query, the asked range, and the pages."""

from __future__ import annotations

import datetime as dt
import re
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec

from .people import FOREVER_MS
from .refusals import Refused
from .settings import day_start_ms
from .zones import zone_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .behaviour import Behaviour
    from .history import Activity
    from .wire import Wire
    from .world import World

DEFAULT_LIMIT: Final = 35
# A larger number is no page or limit anybody can mean.
LARGEST_NUMBER: Final = 999_999_999
DATE_PATTERN: Final = r"^\d{4}-\d{2}-\d{2}$"
_NUMBER: Final = re.compile(r"\d{1,9}", re.ASCII)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_SCALARS: Final = ("limit", "page", "id", "cifcode", "from", "to")


class ListQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The validated query of a list request."""

    limit: int = DEFAULT_LIMIT
    page: int = 1
    id: str | None = None
    cifcode: str | None = None
    entities: frozenset[str] = frozenset()
    from_date: dt.date | None = None
    to_date: dt.date | None = None


class Page(msgspec.Struct):
    """The activities of one page, and what `has_next` says."""

    activities: Sequence[Activity]
    has_next: bool


def parsed(query: Mapping[str, Sequence[str]], behaviour: Behaviour) -> ListQuery:
    """Validate a query (each name with all its values); Refused with 400 if it is wrong."""
    given: dict[str, str] = {}
    for name in _SCALARS:
        values = query.get(name, ())
        if len(values) > 1:
            raise Refused(400, f"`{name}` is given more than once")
        if values:
            given[name] = values[0]
    limit = _number(given, "limit", DEFAULT_LIMIT)
    if behaviour.max_limit is not None and limit > behaviour.max_limit:
        if behaviour.over_limit == "refuse":
            raise Refused(400, f"`limit` must not be above {behaviour.max_limit}")
        limit = behaviour.max_limit
    from_date, to_date = _date(given, "from"), _date(given, "to")
    if from_date and to_date and from_date > to_date:
        raise Refused(400, "`from` must be before or equal to `to`")
    return ListQuery(
        limit=limit,
        page=_number(given, "page", 1),
        id=given.get("id"),
        cifcode=given.get("cifcode"),
        entities=frozenset(query.get("entity", ())),
        from_date=from_date,
        to_date=to_date,
    )


def _number(given: dict[str, str], name: str, default: int) -> int:
    text = given.get(name)
    if text is None:
        return default
    if not _NUMBER.fullmatch(text) or int(text) == 0:
        raise Refused(400, f"`{name}` must be a whole number from 1 to {LARGEST_NUMBER}")
    return int(text)


def _date(given: dict[str, str], name: str) -> dt.date | None:
    text = given.get(name)
    if text is None:
        return None
    try:
        if _DATE.fullmatch(text):
            return dt.date.fromisoformat(text)
    except ValueError:
        pass
    raise Refused(400, f"`{name}` must be a date, yyyy-MM-dd")


def asked_range(
    query: ListQuery, behaviour: Behaviour, caller_zone: str, now: int
) -> tuple[int | None, int]:
    """Return the half-open range of creation instants (epoch ms) a query asks for.

    Nothing later than `now` is in it: it hasn't been created yet.
    """
    name = {"utc": "UTC", "caller": caller_zone}.get(behaviour.day_zone, behaviour.day_zone)
    zone = zone_named(name)
    start = None if query.from_date is None else day_start_ms(query.from_date, zone)
    if query.to_date is None:
        if start is not None and start > now:
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

    def __init__(self, world: World, behaviour: Behaviour, wire: Wire) -> None:
        self._world = world
        self._behaviour = behaviour
        self._wire = wire
        self._requests = 0
        self._shifts = 0
        self._sorted: dict[tuple[int, int | None, int], list[Activity]] = {}

    def page(self, query: ListQuery, caller_zone: str, now: int) -> Page:
        """Return the page a query asks for."""
        start, end = asked_range(query, self._behaviour, caller_zone, now)
        self._requests += 1
        self._shift(query, start, end, now)
        selected = self._selected(query, start, end, now)
        return self._cut(selected, query.page, query.limit)

    def _selected(self, query: ListQuery, start: int | None, end: int, now: int) -> list[Activity]:
        world, hidden = self._world, self._behaviour.hidden_statuses
        if query.id is None and query.cifcode is None and not query.entities:
            found = world.between(start, end)
            if not hidden:
                return self._in_order(found, (world.version, start, len(found)))
        else:
            found = _filtered(world, query, start or 0, end)
        if hidden:
            found = [a for a in found if self._wire.status(a, now) not in hidden]
        return self._in_order(found, None)

    def _in_order(
        self, found: list[Activity], key: tuple[int, int | None, int] | None
    ) -> list[Activity]:
        order = self._behaviour.order
        if order == "oldest":
            return found
        if order == "newest":
            found.reverse()
            return found
        if order == "reshuffled":
            Random(self._world.seed * 1_000_003 + self._requests).shuffle(found)
            return found
        kept = None if key is None else self._sorted.get(key)
        if kept is not None:
            return kept
        if order == "id":
            found.sort(key=lambda activity: activity.id)
        else:
            seed = self._world.seed * 0x9E3779B9
            found.sort(key=lambda activity: (activity.seed ^ seed) * 0x9E3779B97F4A7C15 & _MASK)
        if key is not None:
            if len(self._sorted) >= 4:
                self._sorted.clear()
            self._sorted[key] = found
        return found

    def _cut(self, selected: list[Activity], page: int, limit: int) -> Page:
        behaviour = self._behaviour
        if behaviour.stuck == "no":
            return self._plain(selected, page, limit)
        last = max(1, -(-len(selected) // limit))
        first_stuck = min(behaviour.stuck_page or last + 1, last + 1)
        times = FOREVER_MS if behaviour.stuck_times is None else behaviour.stuck_times
        if page < first_stuck:
            cut = self._plain(selected, page, limit)
            return Page(cut.activities, cut.has_next or (page == first_stuck - 1 and times > 0))
        if page >= first_stuck + times:
            return self._plain(selected, page - times, limit)
        if behaviour.stuck == "empty":
            return Page((), has_next=True)
        return Page(self._plain(selected, max(1, first_stuck - 1), limit).activities, has_next=True)

    def _plain(self, selected: list[Activity], page: int, limit: int) -> Page:
        begin = (page - 1) * limit
        rows = selected[begin : begin + limit]
        rows += rows[: self._behaviour.duplicate_rows]
        has_next = len(selected) > begin + limit
        if self._behaviour.trailing_empty_page and rows:
            has_next = True
        return Page(rows, has_next)

    def _shift(self, query: ListQuery, start: int | None, end: int, now: int) -> None:
        behaviour = self._behaviour
        if not behaviour.shift_every or self._requests % behaviour.shift_every:
            return
        if behaviour.shift_times is not None and self._shifts >= behaviour.shift_times:
            return
        kind = behaviour.shift_kind
        if kind == "insert" or (kind == "both" and self._shifts % 2 == 0):
            if end - 1 < (start or 0):
                return
            self._world.create(end - 1)
        else:
            selected = self._selected(query, start, end, now)
            if not selected:
                return
            self._world.delete(selected[0])
        self._shifts += 1


_MASK: Final = (1 << 64) - 1


def _filtered(world: World, query: ListQuery, start: int, end: int) -> list[Activity]:
    """Return what meets id, profile and entities (all of them), oldest first."""
    if query.id is not None:
        activity = world.activities.get(query.id)
        candidates = [] if activity is None else [activity]
    elif query.cifcode is not None:
        entity = world.by_profile.get(query.cifcode)
        candidates = [] if entity is None else list(entity.activities)
    else:
        entities = [world.by_entity[e] for e in query.entities if e in world.by_entity]
        candidates = [activity for entity in entities for activity in entity.activities]
        candidates.sort(key=lambda activity: (activity.created_at, activity.number))
    return [
        activity
        for activity in candidates
        if not activity.deleted
        and start <= activity.created_at < end
        and (query.cifcode is None or activity.entity.cifcode == query.cifcode)
        and (not query.entities or activity.entity.id in query.entities)
    ]
