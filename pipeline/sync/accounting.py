"""Account: what walks found becomes coverage; what a run found out becomes its summary.

Implements docs/design.md "Account".
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from pipeline.service.clock import ServiceClock
from pipeline.sync.codes import PAGE_FIELD
from pipeline.sync.context import Run
from pipeline.sync.days import DayRange, day_of
from pipeline.sync.list_rows import ListRow
from pipeline.sync.options import Summary
from pipeline.sync.walk import WalkResult, listed_digest
from pipeline.warehouse import coverage, service_facts
from pipeline.warehouse.coverage import DayCoverage, WalkedDay
from pipeline.warehouse.due import quarantined_before

#: Lines of a summary that name single days; the rest are counted.
_MOST_NAMED = 10


async def place_undated(run: Run, walk: WalkResult) -> WalkResult:
    """Return the walk with each row without a readable creation on its stored day.

    A row that another window of this run counts is left out.
    """
    undated = [row.subject for row in walk.rows.values() if row.created_at is None]
    if not undated:
        return walk
    stored = await asyncio.to_thread(coverage.recorded_days, run.engine, undated)
    placed = (
        _place(run, walk, row, stored.get(row.subject)) if row.created_at is None else row
        for row in walk.rows.values()
    )
    return replace(walk, rows={row.subject: row for row in placed if row is not None})


def _place(run: Run, walk: WalkResult, row: ListRow, stored: date | None) -> ListRow | None:
    day = stored or row.day
    if row.activity_id == row.subject:
        return replace(row, day=day)
    moved = row.moved or day not in walk.days
    # Windows overlap and run side by side, so several of them may list this row. It has no id, so
    # its details don't say the day: the first window that gets here owns it. No await in between.
    day = run.claims.setdefault(row.subject, row.day if moved else day)
    return replace(row, day=day, moved=moved) if day in walk.days else None


async def write_coverage(run: Run, walk: WalkResult, undecided: set[date]) -> dict[date, int]:
    """Write the coverage of the walked days; return how many activities each of them lists.

    ``undecided``: days that are not complete before the run ends: it holds back something of theirs. Some
    are days of windows before this one.
    """
    now = run.stamp()
    by_day = walk.by_day()
    days = [
        WalkedDay(
            day=day,
            listed=len(by_day[day]),
            listed_digest=listed_digest(row.subject for row in by_day[day]),
            verified_at=now if reason is None else None,
            unverified=reason,
        )
        for day, reason in sorted(walk.days.items())
    ]
    await asyncio.to_thread(coverage.account, run.engine, run.run_id, days, undecided)
    return {day.day: day.listed for day in days}


def sum_up(run: Run, summary: Summary, before: date | None) -> None:
    """Count the run's days again, and name the problems in ``summary``.

    ``before``: for due work, the day before which it looked; None for days that were asked for.
    """
    # Single activities, and outcomes stored at the end, changed counts of days accounted before.
    days = run.findings.days
    coverage.recount(run.engine, list(days))
    service_facts.record_unknown(run.engine, PAGE_FIELD, sorted(run.client.unnamed))
    touched = [known for day, known in coverage.between(run.engine).items() if day in days]
    summary.problems += name_problems(touched)
    if before is None:
        summary.quarantined = sum(day.quarantined for day in touched)
        return
    summary.quarantined = quarantined_before(run.engine, before)
    if summary.quarantined and not summary.problems:
        summary.problems.append(f"{summary.quarantined} activities of older days in quarantine")


def name_slow_clock(days: DayRange | None, clock: ServiceClock, zone: ZoneInfo) -> list[str]:
    """Return a line when ``days`` end today, but before the service's today: by a slow clock of ours."""
    here = day_of(datetime.fromtimestamp(clock.local(), UTC), zone)
    there = day_of(clock.now(), zone)
    # Around midnight the days of any two clocks differ.
    if days is None or days.last != here or here >= there or not clock.machine_is_behind:
        return []
    return [f"the run ends with {here}, while the service has {there}: set this machine's clock"]


def name_problems(days: Sequence[DayCoverage]) -> list[str]:
    """Return a line for each of the first days with a problem, and one that counts the others."""
    problems = [f"{day.day}: {day.problem}" for day in days if day.problem is not None]
    more = len(problems) - _MOST_NAMED
    return [*problems[:_MOST_NAMED], *([f"and {more} more days"] if more > 0 else [])]
