"""Days: ranges of them, and the dates that request them from the service (docs/service.md 4.3)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

ONE_DAY = timedelta(days=1)

Dates: TypeAlias = tuple[date, date | None]
"""``from`` and ``to`` of a query; None: until the current time."""


@dataclass(frozen=True)
class DayRange:
    """Days from ``first`` to ``last``, both included, in the configured time zone."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError(f"{self.first} is after {self.last}")

    def __iter__(self) -> Iterator[date]:
        for number in range(len(self)):
            yield self.first + number * ONE_DAY

    def __len__(self) -> int:
        return (self.last - self.first).days + 1

    def __contains__(self, day: object) -> bool:
        return isinstance(day, date) and self.first <= day <= self.last

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}..{self.last}"

    def split(self, days: int) -> list["DayRange"]:
        """Cut into ranges of at most ``days`` days, oldest first."""
        most = (days - 1) * ONE_DAY
        return [DayRange(first, min(self.last, first + most)) for first in list(self)[::days]]


def day_of(instant: datetime, zone: ZoneInfo) -> date:
    """Return the day of ``instant`` in ``zone``; its day in UTC at the very ends of time."""
    try:
        return instant.astimezone(zone).date()
    except OverflowError:
        return instant.date()


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the instant at which ``day`` begins in ``zone``."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


@dataclass(frozen=True)
class DayBoundaries:
    """What the service's ``from`` and ``to`` mean, as far as known (docs/service.md 4.3).

    ``zone``: ``caller`` (``x-pvt-timezone``) or ``UTC``. ``to_whole_day``: whether ``to`` includes its
    day (else it stops at that day's midnight). Both are None if not known. ``exact``: no other zone
    explains the answers of this process; else one may agree by chance.
    """

    zone: str | None = None
    to_whole_day: bool | None = None
    exact: bool = False


UNKNOWN = DayBoundaries()

#: Two zones are at most 26 hours apart, and ``to`` may stop at its midnight.
_BEFORE, _AFTER = 2 * ONE_DAY, 3 * ONE_DAY


def service_dates(
    days: DayRange,
    zone: ZoneInfo,
    boundaries: DayBoundaries,
    today: date,
    margin: timedelta = ONE_DAY,
) -> Dates:
    """Return ``from`` and ``to`` that surely cover ``days``; the answer may hold more.

    ``margin``: days asked for on both sides, beyond what the known boundaries need; one day covers
    every zone within 24 hours of the known one. ``to`` is None (until the current time) when it would
    reach ``today``: nobody knows whether the service accepts a future date. For the same reason
    ``from`` is before ``today``.
    """
    if boundaries == UNKNOWN:
        first, last = days.first - _BEFORE, days.last + _AFTER
    else:
        first, last = days.first, days.last
        if boundaries.zone == "UTC":
            first = start_of(days.first, zone).date()
            last = (start_of(days.last + ONE_DAY, zone) - timedelta(microseconds=1)).date()
        first -= margin
        last += margin if boundaries.to_whole_day else margin + ONE_DAY
    return min(first, today - ONE_DAY), (last if last < today else None)


def cut(dates: Dates, places: Iterable[date], *, to_whole_day: bool | None) -> list[Dates]:
    """Cut ``dates`` into queries that together cover the same days; each ends at one of ``places``.

    Unless ``to`` is known to include its day, the next query begins with that day again.
    """
    queries: list[Dates] = []
    first, last = dates
    for place in sorted(places):
        queries.append((first, place))
        first = place + ONE_DAY if to_whole_day else place
    return [*queries, (first, last)]


def windows(days: list[date], longest: int) -> list[DayRange]:
    """Join days into ranges of consecutive days, each at most ``longest`` days, oldest first."""
    ranges: list[DayRange] = []
    for day in sorted(set(days)):
        if ranges and day - ranges[-1].last == ONE_DAY and len(ranges[-1]) < longest:
            ranges[-1] = DayRange(ranges[-1].first, day)
        else:
            ranges.append(DayRange(day, day))
    return ranges
