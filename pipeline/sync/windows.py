"""The work of a run: windows of days, single activities, and what is gone."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from pipeline.sync.accounting import account, place_undated, unlisted
from pipeline.sync.days import DayRange, windows
from pipeline.sync.decide import Decider
from pipeline.sync.fetching import Tally, Work
from pipeline.sync.forecast import forecast
from pipeline.sync.options import TooManyGone
from pipeline.sync.state import Run
from pipeline.sync.walk import Walked, Walker
from pipeline.warehouse import ledger
from pipeline.warehouse.due import DueActivity
from pipeline.warehouse.engine import in_transaction


async def sync_windows(run: Run, ranges: Sequence[DayRange]) -> None:
    """Bring windows up to date, several at a time; few enough that their rows fit in memory."""
    waiting = iter(ranges)

    async def work_off() -> None:
        for days in waiting:
            await _sync_window(run, days)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(run.options.walks, len(ranges))):
            group.create_task(work_off())


async def sync_activities(run: Run, activities: Sequence[DueActivity]) -> None:
    """Fetch single activities, but for those that the run's walks have settled already.

    Where one is refused, its day is walked: only that can tell why.
    """
    tally = Tally(hold_refusals=True)
    known = await _settled_since(run, [each.activity_id for each in activities])
    known |= {outcome.subject for outcome in (*run.doubtful, *run.gone)}
    activities = [each for each in activities if each.activity_id not in known]
    run.fetcher.known += len(activities)
    run.looked_at += len(activities)
    run.days.update(each.day for each in activities)
    for each in activities:
        await run.fetcher.add(Work(each.activity_id, each.day, tally, unlisted=each.unlisted))
    await _land(run, tally)
    if not tally.refused:
        return
    days = sorted({work.day for work, _ in tally.refused if work.day is not None})
    await sync_windows(run, windows(days, run.options.window_days))
    settled = await _settled_since(run, [work.activity_id for work, _ in tally.refused])
    settled |= {outcome.subject for outcome in run.gone}
    for work, outcome in tally.refused:
        if work.activity_id not in settled:
            await run.loader.add(outcome)
    await run.loader.flush()


async def settle_failures(run: Run) -> None:
    """Store what was refused, quarantine what could not be had: it was no outage, nor lost access."""
    for outcome in run.doubtful:
        await run.loader.add(outcome)
    run.doubtful.clear()
    await run.loader.flush()


async def settle_gone(run: Run) -> None:
    """Mark what was found gone, unless it is too much to be believed. Raises `TooManyGone`."""
    limit = max(run.options.gone_least, run.options.gone_share * run.looked_at)
    if len(run.gone) > limit and not run.options.accept_gone:
        raise TooManyGone(
            f"{len(run.gone)} of {run.looked_at} activities are no longer offered by the service,"
            f" more than the {limit:.0f} that a run marks by itself; none was marked as gone."
            " If that is right, run again with --accept-gone"
        )
    for outcome in run.gone:
        await run.loader.add(outcome)
    await run.loader.flush()


async def _sync_window(run: Run, days: DayRange) -> None:
    walked = await _walker(run).walk(days)
    await place_undated(run, walked)
    rows = list(walked.rows.values())
    decider = Decider(
        engine=run.engine,
        mapper=run.mapper,
        held=run.held,
        started_at=run.started_at,
        now=run.client.clock.now(),
        recheck=run.options.recheck,
        full=run.options.full,
    )
    decided = await asyncio.to_thread(decider.decide, rows)
    run.days.update(days)
    run.looked_at += len(rows)
    run.summary.unchanged += decided.unchanged + len(decided.news)
    run.fetcher.known += len(decided.fetch)
    run.progress.walked(days, len(rows), len(decided.fetch), _note(walked))
    _foretell(run, days, walked.pages, len(rows), len(decided.fetch))
    tally = Tally()
    for outcome in decided.news:
        await run.loader.add(outcome)
    for row in decided.fetch:
        over = row.subject in decided.over
        await run.fetcher.add(Work(row.subject, row.day, tally, row, over=over))
    await _land(run, tally)
    await place_undated(run, walked)
    for name, day in await unlisted(run, walked):
        await run.fetcher.add(Work(name, day, tally, unlisted=True))
        run.fetcher.known += 1
        run.looked_at += 1
    await _land(run, tally)
    run.summary.listed += sum(map(len, walked.by_day().values()))
    await account(run, walked)


def _foretell(run: Run, days: DayRange, pages: int, listed: int, to_fetch: int) -> None:
    """Tell what the run will cost, once: when the first of its windows is walked."""
    if run.cuts:
        elapsed = (datetime.now(UTC) - run.started_at).total_seconds()
        pace = run.pace or run.client.counts.requests / max(elapsed, 0.001)
        run.progress.foretold(forecast(run.cuts, days, pages, listed, to_fetch, run.stored, pace))
        run.cuts = ()


def _walker(run: Run) -> Walker:
    return Walker(
        list_page=run.client.list_activities,
        zone=run.zone,
        page_size=run.page_size,
        boundaries=run.boundaries,
        stored={day: known.listed_digest for day, known in run.stored.items() if known.complete},
        now=run.client.clock.now,
    )


def _note(walked: Walked) -> str:
    unverified = sum(reason is not None for reason in walked.days.values())
    note = f"{walked.pages} pages in {walked.passes} passes"
    return f"{note}, {unverified} days unverified" if unverified else note


async def _land(run: Run, tally: Tally) -> None:
    """Wait until all works of the tally are in the warehouse; collect what is judged at the end."""
    await tally.settled()
    run.doubtful += tally.doubtful
    tally.doubtful.clear()
    run.gone += tally.gone
    tally.gone.clear()
    await run.loader.flush()


async def _settled_since(run: Run, ids: list[str]) -> set[str]:
    """Return those of ``ids`` that the run has settled by walking their days."""
    rows = await asyncio.to_thread(in_transaction, run.engine, partial(ledger.read, ids=ids))
    return {
        name
        for name, row in rows.items()
        if row.checked_at is not None and row.checked_at >= run.started_at
    }
