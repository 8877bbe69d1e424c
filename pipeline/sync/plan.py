"""The plan of a run: which windows to walk, which activities to fetch one by one.

Implements docs/design.md "Plan".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from math import ceil

from pipeline.sync.context import Run
from pipeline.sync.days import ONE_DAY, DayRange, service_dates, windows
from pipeline.warehouse import coverage, due
from pipeline.warehouse.coverage import DayCoverage
from pipeline.warehouse.due import DueActivity

#: A walk lists more days than its window: at most so many around it.
_MARGIN = 3 * ONE_DAY

#: A window of days that were walked before has about so many rows, if that makes it a longer one.
_MOST_ROWS = 2000


@dataclass(frozen=True)
class Plan:
    """What a run will do. ``known``: coverage of the days before the run.

    ``audit``: days walked only because their last walk is the longest ago. ``before``: for due work,
    the day before which it looks; None for days that were asked for.
    """

    windows: list[DayRange]
    known: Mapping[date, DayCoverage]
    activities: list[DueActivity]
    audit: frozenset[date] = frozenset()
    before: date | None = None
    note: str | None = None

    def forecast(self, pages: float, listed: int, to_fetch: int, pace: float) -> str:
        """Return a line about the requests and minutes that the run will need, once a window is walked.

        The list has no total, so the first window stands for all days that were never walked. Days that
        the warehouse knows to be complete are expected to hold nothing new. A window takes ``pages``; the
        first one lists ``listed`` activities and needs details of ``to_fetch``.
        ``pace``: requests a second.
        """
        rest = [day for window in self.windows[1:] for day in window]
        unknown = sum(not (day in self.known and self.known[day].complete) for day in rest)
        details = to_fetch + round(listed / len(self.windows[0]) * unknown)
        lists = round(pages * len(self.windows))
        # A run that has just begun may have sent next to nothing yet.
        minutes = (lists + details) / max(pace, 0.1) / 60
        duration = f"{ceil(minutes)} minutes" if minutes > 1 else "a minute at most"
        return (
            f"forecast: about {lists:,} list and {details:,} details requests,"
            f" {duration} at {pace:,.0f} a second"
        )


def plan_days(run: Run, days: DayRange) -> Plan:
    """Plan to walk all of ``days``. Raises a ``WarehouseError``."""
    known = coverage.between(run.engine, days.first - _MARGIN, days.last + _MARGIN)
    return Plan(days.split(run.options.window_days), known, [])


def plan_older_days(run: Run, before: date) -> Plan:
    """Plan the due work of the days before ``before``. Raises a ``WarehouseError``.

    A day with activities that are not final is visited again in the cheaper way: by walking it, with
    days around it or alone, or by fetching these activities one by one. Days since the start that are
    not complete, or were never walked, are walked; so are days with a malformed or missing list row,
    and every night some of the others, so that all come round.
    """
    now = run.client.clock.now()
    stale_before = now - run.options.recheck
    days = due.open_days(run.engine, before, now, stale_before)
    known = coverage.between(run.engine, date.min, before + _MARGIN)
    for day in coverage.silent(run.engine):
        known.pop(day, None)
    start = run.options.start
    wanted = set(DayRange(start, before - ONE_DAY)) if start and start < before else set()
    # Walked whatever it costs: only a walk can verify a day, or read its rows again.
    broken = {day for day, each in known.items() if day < before and not each.complete}
    broken |= set(due.days_to_walk(run.engine, before))
    broken |= wanted - known.keys()
    audit = _audit(known, wanted - broken, run.options.audit_days)
    # What is due is fetched anyway, so only the others decide whether a walk is cheaper.
    rest = {day: number for day, number in days.items() if day not in broken | audit}
    listed = sum(each.listed for each in known.values())
    longest = max(run.options.window_days, _MOST_ROWS * len(known) // max(1, listed))
    saved, chosen = 0, set[date]()
    for window in DayRange(min(rest), max(rest)).split(longest) if rest else ():
        gain, cheaper = _cheapest(run, known, rest, window)
        saved, chosen = saved + gain, chosen | cheaper
    walked = audit | chosen & known.keys() - broken
    one_by_one = [day for day in rest if day not in walked]
    activities = due.due_activities(run.engine, before, now, stale_before, one_by_one)
    note = (
        f"older days: {len(days)} hold activities that are not final;"
        f" {len(walked | broken)} walked ({len(broken)} because they were not complete,"
        f" {len(audit)} because their last walk is the longest ago),"
        f" {len(activities)} activities fetched one by one, about {saved} requests saved by walking"
    )
    # Apart, because one day that changed has its whole window read again.
    ranges = windows(list(broken), run.options.window_days) + windows(list(walked), longest)
    return Plan(ranges, known, activities, audit, before, note)


def _audit(known: Mapping[date, DayCoverage], days: set[date], nights: int) -> frozenset[date]:
    """Return the part of ``days`` whose last walk is the longest ago; ``nights`` parts make the whole."""
    # Each of them is complete, so it has been verified.
    oldest = sorted(days, key=lambda day: (str(known[day].verified_at), day))
    return frozenset(oldest[: ceil(len(days) / nights)])


def _cheapest(
    run: Run, known: Mapping[date, DayCoverage], rest: Mapping[date, int], days: DayRange
) -> tuple[int, set[date]]:
    """Return how many requests walking saves in ``days``, and which of them to walk for that.

    Compared with fetching ``rest`` there. Days are walked together, or by halves, or not at all.
    """
    first, last = service_dates(days, run.zone, run.boundaries, date.max)
    walked = DayRange(first, last or days.last)  # with the margins, which a walk lists too
    listed = sum(known[each].listed for each in walked if each in known)
    pages = max(1, ceil(listed / run.page_size.limit))
    together = sum(rest.get(day, 0) for day in days) - pages, set(days)
    if len(days) == 1:
        return together if together[0] >= 0 else (0, set())
    halves = [_cheapest(run, known, rest, half) for half in days.split((len(days) + 1) // 2)]
    apart = sum(gain for gain, _ in halves), set[date]().union(*(part for _, part in halves))
    return together if together[0] >= apart[0] else apart
