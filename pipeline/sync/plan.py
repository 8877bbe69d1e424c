"""The plan of a run: which windows to walk, which activities to fetch one by one.

Implements docs/design.md "Plan".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import ceil

from pipeline.sync.context import Run
from pipeline.sync.days import ONE_DAY, DayRange, service_dates, windows
from pipeline.warehouse import coverage, due
from pipeline.warehouse.coverage import DayCoverage
from pipeline.warehouse.due import DueActivity

#: A walk lists more days than its window: about so many after it.
_MARGIN = 3 * ONE_DAY


@dataclass(frozen=True)
class Plan:
    """What a run will do. ``known``: coverage of the days before the run.

    ``before``: for due work, the day before which it looks; None for days that were asked for.
    """

    windows: list[DayRange]
    known: Mapping[date, DayCoverage]
    activities: list[DueActivity]
    before: date | None = None
    note: str | None = None


def plan_days(run: Run, days: DayRange) -> Plan:
    """Plan to walk all of ``days``. Raises a ``WarehouseError``."""
    known = coverage.between(run.engine, days.first, days.last)
    return Plan(days.split(run.options.window_days), known, [])


def plan_older_days(run: Run, before: date) -> Plan:
    """Plan the due work of the days before ``before``. Raises a ``WarehouseError``.

    A day with activities that are not final is visited again in the cheaper way: by walking it, with
    its neighbours or alone, or by fetching these activities one by one. Days that are not complete
    are walked, and so are days with a malformed list row whose next attempt has come.
    """
    now = run.client.clock.now()
    stale_before = now - run.options.recheck
    days = due.open_days(run.engine, before, now, stale_before)
    # Walked whatever it costs: only a walk can verify a day, or read its rows again.
    broken = {each.day for each in coverage.incomplete(run.engine, before)}
    broken |= set(due.malformed_days(run.engine, before))
    known = coverage.between(run.engine, date.min, before + _MARGIN)
    longest = run.options.window_days
    walked = set(broken)
    one_by_one: list[date] = []
    saved = 0
    # What is due is fetched anyway, so only the others decide whether a walk is cheaper.
    rest = {each.day: each.open - each.due for each in days if each.day not in broken}
    saving = partial(_saving, run, known, rest)
    for window in windows([day for day, number in rest.items() if number], longest):
        # Neighbours share their margins: a whole window may be cheaper than its days.
        for part in (window,) if saving(window) >= 0 else window.split(1):
            gain = saving(part)
            if gain >= 0:
                walked |= set(part)
                saved += gain
            else:
                one_by_one += part
    activities = due.due_activities(run.engine, before, now, stale_before, one_by_one)
    note = (
        f"older days: {len(days)} hold activities that are not final;"
        f" {len(walked)} walked again ({len(broken)} because they were not complete),"
        f" {len(activities)} activities fetched one by one, about {saved} requests saved by walking"
    )
    return Plan(windows(list(walked), longest), known, activities, before, note)


def _saving(
    run: Run, known: Mapping[date, DayCoverage], rest: Mapping[date, int], days: DayRange
) -> int:
    """Return how many requests walking ``days`` saves, compared with fetching ``rest`` there."""
    first, last = service_dates(days, run.zone, run.boundaries, date.max)
    walked = DayRange(first, last or days.last)  # with the margins, which a walk lists too
    listed = sum(known[each].listed for each in walked if each in known)
    pages = max(1, ceil(listed / run.page_size.limit))
    return sum(rest[day] for day in days) - pages
