"""One run of the mirror, described so that any process can do it."""

from __future__ import annotations

import uuid
from contextlib import asynccontextmanager
from datetime import date  # noqa: TC003  # read by msgspec at run time
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from pipeline.sandbox import Credentials  # noqa: TC001  # read by msgspec at run time
from pipeline.service.client import ServiceClient
from pipeline.service.config import Credentials as Issued
from pipeline.service.config import ServiceConfig
from pipeline.service.retry import RetryPolicy
from pipeline.sync.days import DayRange
from pipeline.sync.options import Options, Summary
from pipeline.sync.run import Mirror
from pipeline.warehouse.engine import open_engine

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pipeline.sync.forecast import Forecast


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What a run needs: service, warehouse, the days from ``first`` to ``last``, and its sizes.

    ``nightly``: the due work of the days before ``first`` follows. ``answer_within``: seconds that
    the service has for an answer. Requests are tried as often as always, but without waiting. Its
    repr shows no address and no secret.
    """

    base_url: str
    credentials: Credentials
    warehouse_url: str
    first: date
    last: date
    nightly: bool = False
    full: bool = False
    page_size: int = 500
    batch_size: int = 500
    workers: int = 16
    walks: int = 3
    answer_within: float = 30.0

    def __repr__(self) -> str:
        return f"Job({self.first} to {self.last})"

    def options(self) -> Options:
        """Return the run's options."""
        return Options(
            full=self.full,
            page_size=self.page_size,
            workers=self.workers,
            batch_size=self.batch_size,
            walks=self.walks,
        )

    def service(self) -> ServiceConfig:
        """Return what the run's client needs."""
        given = self.credentials
        return ServiceConfig(
            base_url=self.base_url,
            credentials=Issued(given.api_key, given.username, given.password),
            max_concurrency=self.workers,
            retry=RetryPolicy.immediate(RetryPolicy().attempts),
            read_timeout=self.answer_within,
        )


async def run(job: Job) -> list[Summary]:
    """Do the job. Raises ``ServiceError``, ``WarehouseError`` or ``SyncError`` when it can't go on."""
    async with _mirror(job) as mirror:
        done = [await mirror.sync_days(uuid.uuid4().hex, DayRange(job.first, job.last))]
        if job.nightly:
            done.append(await mirror.sync_open(uuid.uuid4().hex, job.first))
        return done


@asynccontextmanager
async def _mirror(job: Job) -> AsyncIterator[Mirror]:
    engine = open_engine(job.warehouse_url)
    try:
        async with ServiceClient(job.service()) as client:
            yield Mirror(client, engine, ZoneInfo("UTC"), job.options(), _Silent())
    finally:
        engine.dispose()


class _Silent:
    """A `Progress` for runs that nobody watches."""

    def planned(self, windows: int, activities: int) -> None:
        """Say nothing."""

    def foretold(self, forecast: Forecast) -> None:
        """Say nothing."""

    def walked(self, days: DayRange, listed: int, to_fetch: int, note: str) -> None:
        """Say nothing."""

    def fetched(self, done: int, known: int) -> None:
        """Say nothing."""

    def said(self, message: str) -> None:
        """Say nothing."""
