"""Days: ranges of them, and the dates that request them from the service (docs/service.md 4.3)."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

from pipeline.sync.limits import (
    DAYS_AFTER,
    DAYS_BEFORE,
    FAR_DAYS,
    FAR_ROWS,
    FAR_SHARE,
    FIRST_ZONE,
    LAST_ZONE,
    ZONE_DAYS,
)

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


def nightly_days(start: date, lookback: int, last: date) -> DayRange:
    """Return the days of a nightly run: ``lookback`` days up to ``last``, none before ``start``.

    Older days that were never walked are work of the night's second part.
    """
    first = last - (lookback - 1) * ONE_DAY
    return DayRange(max(first, min(start, last)), last)


def recent_days(start: date | None, today: date) -> DayRange:
    """Return the days that every light run reads: today and yesterday, none before ``start``."""
    yesterday = today - ONE_DAY
    return DayRange(max(yesterday, min(start or yesterday, today)), today)


def day_of(instant: datetime, zone: ZoneInfo) -> date:
    """Return the day of ``instant`` in ``zone``; its day in UTC at the very ends of time."""
    try:
        return instant.astimezone(zone).date()
    except OverflowError:
        return instant.date()


def dates_of(days: DayRange, today: date) -> Dates:
    """Return ``from`` and ``to`` that cover ``days``; the answer may hold more.

    ``to`` is None (until the current time) when it would reach ``today``: nobody knows whether the service
    accepts a future date. For the same reason ``from`` is before ``today``.
    """
    asked = asked_around(days)
    return min(asked.first, today - ONE_DAY), (asked.last if asked.last < today else None)


def days_in(dates: Dates | None, today: date) -> int:
    """Return how many days are asked for with ``dates``; 0: all."""
    return ((dates[1] or today) - dates[0]).days + 1 if dates else 0


def parts_of(dates: Dates | None, days: int, today: date) -> list[Dates]:
    """Return parts of ``dates``, each of at most so many ``days``. Neighbours share a day."""
    assert dates is not None  # noqa: S101
    first, last = dates
    parts: list[Dates] = []
    while ((last or today) - first).days >= days:
        parts.append((first, first + (days - 1) * ONE_DAY))
        first += (days - 1) * ONE_DAY
    return [*parts, (first, last)]


def asked_around(days: DayRange) -> DayRange:
    """Return the days that a question for ``days`` asks for, to cover them in any case."""
    return DayRange(days.first - DAYS_BEFORE * ONE_DAY, days.last + DAYS_AFTER * ONE_DAY)


def shown_around(days: DayRange) -> DayRange:
    """Return the days, in our zone, of which an answer to a question for ``days`` may have rows."""
    asked, zone = asked_around(days), ZONE_DAYS * ONE_DAY
    return DayRange(asked.first - zone, asked.last + zone)


def ends_before(day: date) -> date:
    """Return the last day of a question whose dates end before ``day``, at the latest that is possible."""
    return day - (1 + DAYS_AFTER) * ONE_DAY


def surely_within(dates: Dates, until: datetime) -> tuple[datetime, datetime]:
    """Return the instants between which whatever was created lies within ``dates``, in any zone.

    ``until``: the end where ``to`` is None.
    """
    since = datetime.combine(dates[0], time(), UTC) + LAST_ZONE
    if dates[1] is None:
        return since, until
    return since, min(until, datetime.combine(dates[1], time(), UTC) - FIRST_ZONE)


def among(dates: Dates | None, others: Dates | None) -> bool:
    """Whether all that is asked for with ``dates`` is asked for with ``others``, too; None asks for all."""
    if dates is None or others is None:
        return others is None
    (first, last), (their_first, their_last) = dates, others
    return their_first <= first and (
        their_last is None or (last is not None and last <= their_last)
    )


def mislead(dates: Dates, created: Collection[datetime]) -> bool:
    """Whether an answer for ``dates`` shows, by these creations, that dates do not mean the creation."""
    far = FAR_DAYS * ONE_DAY
    first, last = dates[0] - far, (dates[1] or date.max - far) + far
    many = sum(not first <= each.date() <= last for each in created)
    return many >= FAR_ROWS and FAR_SHARE * many >= len(created)


def windows(days: Iterable[date], longest: int) -> list[DayRange]:
    """Join days into ranges of consecutive days, each at most ``longest`` days, oldest first."""
    ranges: list[DayRange] = []
    for day in sorted(set(days)):
        if ranges and day - ranges[-1].last == ONE_DAY and len(ranges[-1]) < longest:
            ranges[-1] = DayRange(ranges[-1].first, day)
        else:
            ranges.append(DayRange(day, day))
    return ranges
