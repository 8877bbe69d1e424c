"""One run: log in, restore, walk, work off what there is to do, judge (docs/design.md "One run")."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from random import Random

from pipeline.sync.accounting import name_slow_clock, sum_up
from pipeline.sync.budget import shared_budget
from pipeline.sync.context import Run
from pipeline.sync.days import DayRange, recent_days
from pipeline.sync.doubts import ask_doubtful
from pipeline.sync.limits import MOST_WALKS
from pipeline.sync.listing import Learned, ListReader
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import load_mapper
from pipeline.sync.options import Summary, Tools
from pipeline.sync.plan import plan_older_days
from pipeline.sync.recent import read_recent
from pipeline.sync.recording import RunRecord
from pipeline.sync.refused import ask_unlisted, judge_refused
from pipeline.sync.restore import restore
from pipeline.sync.stamps import stamps
from pipeline.sync.verify import measure_night
from pipeline.sync.walk import Walk
from pipeline.sync.work import Worker
from pipeline.telemetry import step
from pipeline.warehouse.answers.erasures import set_policy
from pipeline.warehouse.database.server import check_zone
from pipeline.warehouse.load.load import load
from pipeline.warehouse.privacy.erase import Due, erase_due
from pipeline.warehouse.privacy.prune import prune
from pipeline.warehouse.state import coverage, discrepancies, ledger, quarantine, service_facts


@dataclass(eq=False, repr=False)
class SyncRunner(Tools):
    """Runs parts of the sync: one object and one login for all runs of a process.

    ``began``: a stamp, set by the first run. What is unlisted since then no other night has found.
    ``learned``: what the runs have found out of the service.
    ``gone_unmarked``: what looks gone, and is not marked by this process.
    """

    began: datetime | None = None
    learned: Learned = field(default_factory=Learned)
    gone_unmarked: set[str] = field(default_factory=set)

    async def sync_days(self, run_id: str, days: DayRange) -> Summary:
        """Bring ``days`` up to date: walk, fetch what is new, changed or due.

        Raises ``ServiceError``, ``WarehouseError`` or ``SyncError`` when the run can't go on; what was
        fetched until then is kept. The summary names what is quarantined or not complete.
        """
        summary = Summary(run_id, "days", days)
        return await self.execute(summary, partial(self._sync_days, summary, days))

    async def sync_open(self, run_id: str, before: date) -> Summary:
        """Examine again what is due in the days before ``before``; errors as of `sync_days`."""
        summary = Summary(run_id, "open")
        return await self.execute(summary, partial(self._sync_open, summary, before))

    async def sync_recent(self, run_id: str, today: date, requests: int) -> Summary:
        """Look for news of the newest days and a few older ones; errors as of `sync_days`."""
        newest = recent_days(self.options.start, today)
        summary = Summary(run_id, "recent", newest)
        return await self.execute(summary, partial(self._sync_recent, summary, newest, requests))

    async def _sync_days(self, summary: Summary, days: Collection[date], run: Run) -> None:
        self.progress.step(f"to walk: {len(days)} days")
        await _walk(run, days)
        await _finish(run, summary)
        await asyncio.to_thread(sum_up, run, summary, None)

    async def _sync_recent(
        self, summary: Summary, newest: DayRange, requests: int, run: Run
    ) -> None:
        await self._sync_days(summary, await read_recent(run, newest, requests), run)

    async def _sync_open(self, summary: Summary, before: date, run: Run) -> None:
        with step("plan"):
            plan = await asyncio.to_thread(plan_older_days, run, before, run.reader.limit)
        self.progress.log(plan.note)
        await _walk(run, plan.days, plan.audit, plan.known)
        run.looked_at |= {each.day for each in plan.todo if each.day is not None}
        await run.worker.work(plan.todo)
        await _finish(run, summary)
        await measure_night(run)
        await _finish(run, summary)
        await self._prune(summary)
        await asyncio.to_thread(sum_up, run, summary, before)

    async def execute(self, summary: Summary, work: Callable[[Run], Awaitable[None]]) -> Summary:
        """Log in, restore, do ``work``, and record it in ``summary``, which is returned."""
        # The record opens before the login, so a refused login is a failed run that everyone sees.
        async with (
            RunRecord(self.engine, summary, self.client.counts),
            shared_budget(self.engine, self.client),
        ):
            run = await self._prepare(summary)
            # Before and after: erasing must not wait for a run that succeeds, and what this run
            # brings may have expired already.
            await self._erase_due(summary)
            try:
                async with run.worker.working():
                    await work(run)
                await self._erase_due(summary)
            finally:
                summary.listed = sum(map(run.evidence.count, run.walked))
                summary.loaded = run.loader.loaded
                done = summary.loaded.new + summary.loaded.changed + summary.loaded.unchanged
                summary.unchanged = max(0, summary.listed - done - summary.quarantined)
        return summary

    async def _prepare(self, summary: Summary) -> Run:
        """Log in, restore what was altered, and read what earlier runs learned."""
        run_id = summary.run_id
        client, engine, options = self.client, self.engine, self.options
        await client.login()
        if client.clock.difference is not None:
            self.progress.step(f"{client.clock.difference}: due work goes by the service's")
            summary.problems += name_slow_clock(summary.days, client.clock, self.zone)
        restored = await asyncio.to_thread(service_facts.learn_database, engine)
        if restored is not None:
            self.progress.log(restored)
        await asyncio.to_thread(check_zone, engine, self.zone)
        # Both before any load: they decide the day under which, and whether, values are stored.
        previous = await asyncio.to_thread(service_facts.learn_zone, engine, self.zone.key)
        if previous is not None:
            self.progress.log(
                f"days are now cut in {self.zone.key} instead of {previous}: every activity has moved to"
                " its day there, and all days are walked again"
            )
        await asyncio.to_thread(set_policy, engine, options.expired_values)
        mapper = await asyncio.to_thread(load_mapper, engine, self.zone)
        # Before the stamps: they come after every stored time, also one that somebody invented.
        await asyncio.to_thread(restore, self, mapper, summary)
        if options.start is not None:
            await asyncio.to_thread(
                service_facts.learn, engine, service_facts.START, str(options.start)
            )
        unresolved = await asyncio.to_thread(quarantine.unresolved, engine)
        sick = frozenset(each.subject for each in unresolved if each.source == "details")
        covered = set(await asyncio.to_thread(coverage.rows_by_day, engine))
        stamp = await asyncio.to_thread(stamps, engine)
        self.began = self.began or stamp()
        habits = await asyncio.to_thread(discrepancies.habits, engine)
        store = partial(load, engine, run_id, mapper, habits=habits)
        loader = Loader(engine, store, options)
        random = Random(run_id)  # noqa: S311 - no secret
        return Run(
            run_id=run_id,
            client=client,
            engine=engine,
            zone=self.zone,
            options=options,
            progress=self.progress,
            mapper=mapper,
            loader=loader,
            worker=Worker(self, mapper, loader, stamp, sick),
            reader=ListReader(client, self.zone, options.page_size, stamp, random, self.learned),
            stamp=stamp,
            began=self.began,
            gone_unmarked=self.gone_unmarked,
            quarantined={(each.source, each.subject): each.waits for each in unresolved},
            covered=covered,
            habits=habits,
        )

    async def _prune(self, summary: Summary) -> None:
        """Remove what is too old to keep."""
        keep, versions = self.options.keep_days, self.options.keep_versions
        removed = await asyncio.to_thread(prune, self.engine, keep, versions)
        summary.pruned = sum(removed.values())
        if summary.pruned:
            told = ", ".join(f"{number} {what}" for what, number in removed.items())
            self.progress.log(f"removed what was kept long enough: {told}")

    async def _erase_due(self, summary: Summary) -> None:
        """Erase what the settings no longer keep, by the service's clock."""
        now, months = self.client.clock.now(), self.options.keep_personal_months
        due: list[Due] = ["expired"] if self.options.expired_values == "erase" else []
        due += ["ended"] if months is not None else []
        for each in due:
            erase = partial(erase_due, self.engine, each, now, self.progress.log, months)
            summary.erased += (await asyncio.to_thread(erase))["activities"]


async def _walk(
    run: Run,
    days: Iterable[date],
    need_two: frozenset[date] = frozenset(),
    known: Mapping[date, coverage.DayCoverage] | None = None,
) -> None:
    """Read the list of ``days`` until it is proven. ``need_two``: those that only two questions prove.

    ``known``: their coverage and that of the days between them, if it was read already.
    """
    wanted = frozenset(days)
    if not wanted:
        return
    if known is None:
        known = await asyncio.to_thread(coverage.between, run.engine, min(wanted), max(wanted))
    await Walk(run, wanted, known, need_two).read()


async def _finish(run: Run, summary: Summary) -> None:
    """Ask for what the lists no longer have, ask again for what failed or is in doubt, judge refusals.

    Days that this reopens, or that a row of another question has reopened, are walked now.
    """
    for _ in range(MOST_WALKS):
        await _end(run, summary)
        run.note_reopened()
        reopened = run.reopened & (run.covered | run.walked)
        run.looked_at |= reopened
        if not reopened:
            return
        await _walk(run, reopened)


async def _end(run: Run, summary: Summary) -> None:
    if summary.kind == "open":
        unclear = sorted({*run.worker.refused, *run.loader.loaded.doubtful})
        # Only the list can say why something is refused or in doubt that was fetched by itself.
        known = await asyncio.to_thread(ledger.read, run.engine, unclear)
        days = {
            row.day
            for name, row in known.items()
            if row.day is not None and (name in run.worker.refused or row.contradicts_list)
        }
        await _walk(run, days - run.walked)
    await run.worker.finish()
    await ask_doubtful(run, everywhere=summary.kind == "open")
    await ask_unlisted(run)
    await run.worker.finish()
    problems = await judge_refused(run)
    summary.problems += [each for each in problems if each not in summary.problems]
