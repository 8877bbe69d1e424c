"""The plan for older days: which to walk again, which activities to fetch one by one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.sync.days import ONE_DAY, DayBoundaries, DayRange, service_dates, windows
from pipeline.warehouse import coverage, due
from pipeline.warehouse.coverage import DayCoverage
from pipeline.warehouse.due import DueActivity, OpenDay


@dataclass
class Plan:
    """What a run over older days will do."""

    windows: list[DayRange] = field(default_factory=list)
    activities: list[DueActivity] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def plan_older_days(
    engine: sa.Engine,
    before: date,
    now: datetime,
    recheck: timedelta,
    page_size: int,
    longest: int,
    boundaries: DayBoundaries,
    zone: ZoneInfo,
) -> Plan:
    """Plan the due work of the days before ``before``; ``now`` is the service's time.

    A day that holds something not final is revisited by the cheaper way: walking it again, with its
    neighbours or by itself, or fetching what is not final one by one. Days not complete, and days
    with a malformed list row whose next attempt has come, are walked.
    """
    stale_before = now - recheck
    days = due.open_days(engine, before, now, stale_before)
    broken = {each.day for each in coverage.incomplete(engine, before)}
    broken |= set(due.malformed_days(engine, before))
    pages = _Pages(_coverage_around(engine, days), page_size, boundaries, zone)
    walked = set(broken)
    one_by_one: list[date] = []
    saved = 0
    rest = {each.day: each.open - each.due for each in days if each.day not in broken}
    for run in windows([day for day, number in rest.items() if number], longest):
        # Neighbours share their margins: a whole window may be cheaper than its days.
        for part in (run,) if _saving(run, rest, pages) >= 0 else run.split(1):
            gain = _saving(part, rest, pages)
            if gain >= 0:
                walked |= set(part)
                saved += gain
            else:
                one_by_one += part
    activities = due.due_activities(engine, before, now, stale_before, one_by_one)
    plan = Plan(windows(list(walked), longest), activities)
    plan.notes.append(
        f"older days: {len(days)} hold activities that are not final;"
        f" {len(walked)} walked again ({len(broken)} because they were not complete),"
        f" {len(activities)} activities fetched one by one, about {saved} requests saved by walking"
    )
    return plan


def _coverage_around(engine: sa.Engine, days: list[OpenDay]) -> dict[date, DayCoverage]:
    if not days:
        return {}
    margin = 3 * ONE_DAY
    return coverage.between(engine, days[0].day - margin, days[-1].day + margin)


@dataclass(frozen=True)
class _Pages:
    """Counts the pages that walks take."""

    known: Mapping[date, DayCoverage]
    page_size: int
    boundaries: DayBoundaries
    zone: ZoneInfo

    def of(self, days: DayRange) -> int:
        """Return about how many pages a walk of ``days`` takes, its margins included."""
        first, last = service_dates(days, self.zone, self.boundaries, date.max)
        asked = DayRange(first, last or days.last)
        listed = sum(self.known[each].listed for each in asked if each in self.known)
        return max(1, ceil(listed / self.page_size))


def _saving(days: DayRange, rest: Mapping[date, int], pages: _Pages) -> int:
    """Return how many requests fewer walking ``days`` takes than fetching what is not final there."""
    return sum(rest[day] for day in days) - pages.of(days)
