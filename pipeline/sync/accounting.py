"""Account: coverage per day, what is no longer listed, and what of the run is not in order."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime

from pipeline.sync.state import Run
from pipeline.sync.walk import Walked, listed_digest
from pipeline.warehouse import coverage, service_facts
from pipeline.warehouse.coverage import DayCoverage, WalkedDay
from pipeline.warehouse.due import quarantined_before

#: Lines of a summary that name single days; the rest are counted.
_MOST_NAMED = 10


async def place_undated(run: Run, walked: Walked) -> None:
    """Put rows without a readable creation on the day they are recorded under.

    Windows overlap, so that several may list such a row; it counts on that one day only. Of a row
    without an id nothing but the list can tell the day: the first window of a run that lists it has it.
    """
    undated = [row for row in walked.rows.values() if row.undated]
    if undated:
        known = await asyncio.to_thread(
            coverage.recorded_days, run.engine, [row.subject for row in undated]
        )
        for row in undated:
            day = known.get(row.subject, row.day)
            if row.activity_id != row.subject:
                row.moved = row.moved or day not in walked.days
                day = run.undated.setdefault(row.subject, row.day if row.moved else day)
                if day not in walked.days:
                    del walked.rows[row.subject]
            row.day = day


async def unlisted(run: Run, walked: Walked) -> list[tuple[str, date]]:
    """Mark what the verified days no longer list; return it: ``(activity id, day)``."""
    days = [day for day, reason in walked.days.items() if reason is None]
    if not days:
        return []
    rows = [
        row for day, found in walked.by_day().items() if walked.days[day] is None for row in found
    ]
    return await asyncio.to_thread(
        coverage.mark_unlisted,
        run.engine,
        days,
        [row.subject for row in rows if row.activity_id == row.subject],
        [row.subject for row in rows],
        datetime.now(UTC),
    )


async def account(run: Run, walked: Walked) -> None:
    """Write the coverage of the walked days."""
    now = datetime.now(UTC)
    by_day = walked.by_day()
    days = [
        WalkedDay(
            day=day,
            listed=len(by_day[day]),
            listed_digest=listed_digest(row.subject for row in by_day[day]),
            verified_at=now if reason is None else None,
            unverified=reason,
        )
        for day, reason in sorted(walked.days.items())
    ]
    await asyncio.to_thread(coverage.account, run.engine, run.summary.run_id, days)


async def close(run: Run) -> None:
    """Count the run's days once more, learn what it found out, and name what is not in order."""
    days = sorted(run.days)
    await asyncio.to_thread(coverage.recount, run.engine, days)
    if run.page_size.granted is not None:
        await asyncio.to_thread(
            service_facts.learn, run.engine, "page_size", str(run.page_size.granted)
        )
    known = await asyncio.to_thread(coverage.between, run.engine, days[0], days[-1]) if days else {}
    touched = [known[day] for day in days if day in known]
    summary = run.summary
    summary.problems += _named(touched)
    if summary.days is None:
        before = run.before or date.max
        summary.quarantined = await asyncio.to_thread(quarantined_before, run.engine, before)
        if summary.quarantined and not summary.problems:
            summary.problems.append(f"{summary.quarantined} activities of older days in quarantine")
    else:
        summary.quarantined = sum(day.quarantined for day in touched)


def _named(days: Sequence[DayCoverage]) -> list[str]:
    troubled = [(day.day, day.problem) for day in days if day.problem is not None]
    named = [f"{day}: {problem}" for day, problem in troubled[:_MOST_NAMED]]
    if len(troubled) > _MOST_NAMED:
        named.append(f"and {len(troubled) - _MOST_NAMED} more days")
    return named
