"""The plan of a night: which of the older days to walk, which activities to fetch one by one.

Implements docs/design.md "Plan". A night without news costs a login, one question for each window of days,
a second one for those of the audit, what is due, and the sample at its end (`verify`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from math import ceil

from pipeline.sync.days import ONE_DAY, DayRange
from pipeline.sync.limits import DATES_OF_A_DAY, NEAR_WALKED
from pipeline.sync.options import Tools
from pipeline.sync.walk import list_todo
from pipeline.warehouse.state import coverage, quarantine, todo
from pipeline.warehouse.state.coverage import DayCoverage
from pipeline.warehouse.state.todo import Todo


@dataclass(frozen=True)
class Plan:
    """What a night will do with the days before its lookback. ``note``: a line about it.

    ``known``: the coverage of all of them, which a run reads once. ``broken``: those of the days that are
    not complete, or were never walked; ``audit``: those that are walked only because their last walk is
    the longest ago.
    """

    known: Mapping[date, DayCoverage]
    days: frozenset[date]
    broken: frozenset[date]
    audit: frozenset[date]
    todo: list[Todo]
    note: str


def plan_older_days(run: Tools, before: date, limit: int) -> Plan:
    """Plan the work of the days before ``before``. Raises a ``WarehouseError``.

    A day with activities that are not final is walked if that costs no more requests than to fetch these
    activities one by one. Days since the start that are not complete, or were never walked, are walked; so
    are days with a malformed row of the list, and every night some of the others, so that all come round.
    ``limit``: rows of a page.
    """
    now = run.client.clock.now()
    days = todo.open_days(run.engine, before, now, now - run.options.recheck)
    known = coverage.between(run.engine, last=before - ONE_DAY)
    for day in coverage.silent(run.engine):
        known.pop(day, None)
    start = run.options.start
    wanted = set(DayRange(start, before - ONE_DAY)) if start and start < before else set()
    # Walked whatever it costs: only a walk can prove a day, or read its rows again.
    broken = {day for day, each in known.items() if not each.complete}
    # So are days with a malformed row of the list whose next attempt is due.
    malformed = [each for each in quarantine.unresolved(run.engine) if each.source == "list"]
    broken |= {each.day for each in malformed if each.day and each.day < before and not each.waits}
    broken |= wanted - known.keys()
    audit = _audit(known, wanted - broken, run.options.audit_days)
    # What is due is fetched anyway, so only the others decide whether a walk is cheaper.
    rest = {day: number for day, number in days.items() if day not in broken | audit}
    cheap = {
        day
        for day, number in rest.items()
        if day in known and DATES_OF_A_DAY * known[day].listed <= number * limit
    }
    walked = broken | audit | cheap
    for day in sorted(rest.keys() & known.keys() - walked):
        # In the order of time: each day that is added has neighbours, too.
        near = any(day + days * ONE_DAY in walked for days in range(-NEAR_WALKED, NEAR_WALKED + 1))
        if near and NEAR_WALKED * known[day].listed <= rest[day] * limit:
            walked.add(day)
    single = list_todo(run, date.min, before - ONE_DAY)
    single += todo.open_or_gone(run.engine, rest.keys() - walked, audit)
    # What a walked day names is fetched beside the walk.
    single = [each for each in single if each.day not in walked or each.reason == "gone"]
    # What is in doubt is asked for last.
    single = [each for each in single if each.reason != "doubtful"]
    note = (
        f"older days: {len(days)} hold activities that are not final;"
        f" {len(walked)} walked ({len(broken)} because they were not complete,"
        f" {len(audit)} because their last walk is the longest ago),"
        f" {len(single)} activities fetched one by one"
    )
    return Plan(known, frozenset(walked), frozenset(broken), audit, single, note)


def _audit(known: Mapping[date, DayCoverage], days: set[date], nights: int) -> frozenset[date]:
    """Return the part of ``days`` whose last walk is the longest ago; ``nights`` parts make the whole."""
    # Each of them is complete, so it has been verified. Those of one run count as equally long ago, so that
    # neighbours stay together: a question for one day brings the rows of its neighbours, too.
    newest_first = sorted(known.values(), key=lambda each: str(each.verified_at), reverse=True)
    began = {each.run_id: str(each.verified_at) for each in newest_first}
    oldest = sorted(days, key=lambda day: (began[known[day].run_id], day))
    return frozenset(oldest[: ceil(len(days) / nights)])
