"""One run: plan, walk, decide, fetch, load, account (design, "One run")."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.service.client import ServiceClient
from pipeline.service.errors import ServiceError
from pipeline.sync.accounting import close
from pipeline.sync.day_boundaries import learn_day_boundaries
from pipeline.sync.days import DayBoundaries, DayRange
from pipeline.sync.erasing import erase_expired
from pipeline.sync.fetching import Fetcher
from pipeline.sync.listing import PageSize
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper
from pipeline.sync.options import Options, Progress, Summary, SyncError
from pipeline.sync.plan import plan_older_days
from pipeline.sync.state import Run
from pipeline.sync.windows import (
    settle_failures,
    settle_gone,
    sync_activities,
    sync_windows,
)
from pipeline.warehouse import coverage, due, runs, service_facts
from pipeline.warehouse.engine import cancel_statements, give_up
from pipeline.warehouse.erasing import set_policy
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.merge import LoadCounts

#: Seconds that the batch in hand gets once a run is interrupted; a process manager kills after ten.
_LAST_SECONDS = 3.0


class Mirror:
    """Mirrors the service into the warehouse: one object a process, one login for all it does.

    ``zone``: the configured zone in which days are cut.
    """

    def __init__(
        self,
        client: ServiceClient,
        engine: sa.Engine,
        zone: ZoneInfo,
        options: Options,
        progress: Progress,
    ) -> None:
        self._client = client
        self._engine = engine
        self._zone = zone
        self.options = options
        self.progress = progress
        self._boundaries: DayBoundaries | None = None

    async def sync_days(self, run_id: str, days: DayRange) -> Summary:
        """Bring ``days`` up to date: walk, fetch what is new, changed or due, load, account.

        Raises ``ServiceError``, ``WarehouseError`` or ``SyncError`` when the run can't go on; what was
        fetched until then is kept. What is quarantined or unverified is named in the summary.
        """
        summary = Summary(run_id, "days", days)
        async with self._run(summary) as run:
            run.stored = await asyncio.to_thread(
                coverage.between, self._engine, days.first, days.last
            )
            run.cuts = days.split(self.options.window_days)
            run.pace = await asyncio.to_thread(runs.pace, self._engine)
            self.progress.planned(len(run.cuts), 0)
            await sync_windows(run, run.cuts)
            await settle_failures(run)
            await settle_gone(run)
        return summary

    async def sync_open(self, run_id: str, before: date) -> Summary:
        """Re-examine what is due in the days before ``before``; errors as of `sync_days`."""
        summary = Summary(run_id, "open")
        async with self._run(summary) as run:
            run.before = before
            plan = await asyncio.to_thread(
                plan_older_days,
                self._engine,
                before,
                self._client.clock.now(),
                self.options.recheck,
                run.page_size.limit,
                self.options.window_days,
                run.boundaries,
                self._zone,
            )
            for note in plan.notes:
                self.progress.said(note)
            run.stored = await asyncio.to_thread(coverage.between, self._engine, date.min, before)
            self.progress.planned(len(plan.windows), len(plan.activities))
            await sync_windows(run, plan.windows)
            await sync_activities(run, plan.activities)
            await settle_failures(run)
            await settle_gone(run)
        return summary

    @asynccontextmanager
    async def _run(self, summary: Summary) -> AsyncIterator[Run]:
        """Open a run: its row in ``sync.runs``, its workers; close it whatever happens."""
        began = time.monotonic()
        before = _counts(self._client)
        first, last = (summary.days.first, summary.days.last) if summary.days else (None, None)
        live = await asyncio.to_thread(
            runs.start, self._engine, summary.run_id, summary.kind, first, last
        )
        status, error = "failed", "interrupted"
        try:
            run = await self._prepare(summary)
            await self._erase_expired()
            async with _workers(run):
                yield run
            await close(run)
            await self._erase_expired()
            status, error = summary.status, "; ".join(summary.problems)[:1000]
        except (ServiceError, WarehouseError, SyncError) as failure:
            error = str(failure)
            raise
        finally:
            summary.seconds = time.monotonic() - began
            _add_counts(summary, before, _counts(self._client))
            ended = asyncio.to_thread(live.finish, status, error or None, summary.counts())
            with suppress(WarehouseError):
                await asyncio.shield(ended)

    async def _erase_expired(self) -> None:
        """Erase what is no longer shared, where that is asked for; at the end also what was news."""
        if self.options.expired_values == "erase":
            now = self._client.clock.now()
            await asyncio.to_thread(erase_expired, self._engine, now, self.progress)

    async def _prepare(self, summary: Summary) -> Run:
        await self._client.login()
        await asyncio.to_thread(
            service_facts.learn, self._engine, service_facts.ZONE, self._zone.key
        )
        await asyncio.to_thread(set_policy, self._engine, self.options.expired_values)
        known = await asyncio.to_thread(service_facts.read_facts, self._engine)
        asked = self.options.page_size
        granted = min(int(known["page_size"]), asked) if "page_size" in known else None
        if self._boundaries is None:
            self._boundaries = await learn_day_boundaries(
                self._client, self._engine, self._zone, self.progress
            )
        mapper = Mapper(
            self._zone,
            frozenset(await asyncio.to_thread(service_facts.final_statuses, self._engine)),
            frozenset(await asyncio.to_thread(service_facts.known_codes, self._engine)),
        )

        def told(loaded: LoadCounts) -> None:
            summary.loaded += loaded

        loader = Loader(self._engine, summary.run_id, self.options, told)
        fetcher = Fetcher(self._client, mapper, loader, self.progress, self.options.workers)
        return Run(
            client=self._client,
            engine=self._engine,
            zone=self._zone,
            options=self.options,
            progress=self.progress,
            summary=summary,
            mapper=mapper,
            loader=loader,
            fetcher=fetcher,
            page_size=PageSize(asked, granted),
            boundaries=self._boundaries,
            stored={},
            held=await asyncio.to_thread(due.held_entries, self._engine),
            started_at=datetime.now(UTC),
        )


@asynccontextmanager
async def _workers(run: Run) -> AsyncIterator[None]:
    """Keep the workers at work; when anything ends the run early, keep what was fetched."""
    try:
        async with asyncio.TaskGroup() as group:
            workers = run.fetcher.start(group)
            yield
            for worker in workers:
                worker.cancel()
    except BaseException as error:
        with suppress(WarehouseError):
            await _last_flush(run, hurried=isinstance(error, asyncio.CancelledError))
        raise _first_cause(error) from None


async def _last_flush(run: Run, *, hurried: bool) -> None:
    """Load what is in hand. ``hurried``: somebody waits for our end, so that it may not take long."""
    if hurried:
        give_up(run.engine)
    flush = asyncio.create_task(run.loader.flush())
    done, _ = await asyncio.wait([flush], timeout=_LAST_SECONDS if hurried else None)
    if not done:
        await asyncio.to_thread(cancel_statements, run.engine)
    await asyncio.shield(flush)


def _first_cause(error: BaseException) -> BaseException:
    """Return the error that ended the run: the first of a group, whatever was cancelled by it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _counts(client: ServiceClient) -> tuple[int, int, int, int, int]:
    counts = client.counts
    return (
        counts.list_requests,
        counts.details_requests,
        counts.retries,
        counts.logins,
        counts.bytes_received,
    )


def _add_counts(summary: Summary, before: Sequence[int], after: Sequence[int]) -> None:
    """Put into the summary what the client did between the two counts: one client may serve two."""
    (
        summary.list_requests,
        summary.details_requests,
        summary.retries,
        summary.logins,
        summary.bytes_received,
    ) = (now - then for then, now in zip(before, after, strict=True))
