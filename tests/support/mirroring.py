"""Runs the mirror against a sandbox, and reads the warehouse afterwards."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import psycopg
import pytest

from pipeline.sandbox import Behaviour, Running, SandboxSettings, SandboxState
from pipeline.service.client import ServiceClient
from pipeline.service.config import Credentials, ServiceConfig
from pipeline.sync.days import DayRange
from pipeline.sync.options import Options, Summary
from pipeline.sync.refused import judge_refused
from pipeline.sync.run import SyncRunner
from pipeline.sync.verify import Sample, measure
from pipeline.warehouse.database.engine import open_engine, warehouse_engine
from pipeline.warehouse.schema.refresh import refresh
from tests.support.comparison import KEYS, differences, instant, stored_rows
from tests.support.retrying import immediate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    import sqlalchemy as sa

    from pipeline.sandbox import Truth
    from pipeline.sync.context import Run

#: The days of the sandboxes here, and their clock: noon of the day after.
FIRST, LAST, TODAY = date(2026, 1, 1), date(2026, 3, 31), date(2026, 4, 1)
NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)

_numbers = itertools.count(1)


@contextmanager
def sandbox(activities: int = 300, **settings: Any) -> Iterator[Running]:
    """Serve a sandbox of the first quarter of 2026, its clock frozen at noon of the day after.

    ``behaviour`` may be given as a dict of switches.
    """
    switches = settings.pop("behaviour", {})
    chosen: dict[str, Any] = {
        "activities": activities,
        "from_date": FIRST,
        "to_date": LAST,
        "now": NOON,
        "frozen": True,
        "behaviour": Behaviour().changed(**switches),
    }
    with Running(SandboxState(SandboxSettings(**(chosen | settings)))) as running:
        yield running


def compare(database_url: str, truths: Iterable[Truth]) -> list[str]:
    """Return every difference between the warehouse and the service as a line."""
    with psycopg.connect(database_url) as session:
        return [str(difference) for difference in differences(stored_rows(session), truths)]


@dataclass
class Told:
    """A `Progress` that keeps what it receives."""

    lines: list[str] = field(default_factory=list)
    done: int = 0

    def log(self, message: str) -> None:
        """Keep a line."""
        self.lines.append(message)

    def step(self, message: str) -> None:
        """Keep a line."""
        self.lines.append(message)

    def advance(self, done: int, total: int) -> None:  # noqa: ARG002
        """Keep how many details were fetched."""
        self.done = done


@dataclass
class Warehouse:
    """A migrated database and the service it mirrors. Each run has a client of its own."""

    url: str
    service: Running
    zone: str = "UTC"
    options: Options = field(default_factory=lambda: Options(night_sample=0))
    told: Told = field(default_factory=Told)
    night: tuple[datetime | None, set[str]] | None = None

    @asynccontextmanager
    async def mirror(self, **options: Any) -> AsyncIterator[SyncRunner]:
        """Open a mirror with some options changed."""
        given = self.service.credentials
        credentials = Credentials(given.api_key, given.username, given.password)
        config = ServiceConfig(
            self.service.base_url, credentials, timezone=self.zone, retry=immediate()
        )
        with self.engine() as engine:
            async with ServiceClient(config) as client:
                chosen = replace(self.options, **options)
                mirror = SyncRunner(client, engine, ZoneInfo(self.zone), chosen, self.told)
                if self.night is not None:
                    mirror.began, mirror.gone_unmarked = self.night
                yield mirror
                self.night = self.night and (mirror.began, mirror.gone_unmarked)

    @contextmanager
    def one_night(self) -> Iterator[None]:
        """Count all runs of the block as one night, as if a process had made them."""
        self.night = None, set()
        try:
            yield
        finally:
            self.night = None

    @contextmanager
    def engine(self) -> Iterator[sa.Engine]:
        """Open an engine on the database."""
        with warehouse_engine(self.url) as engine:
            yield engine

    @contextmanager
    def session(self) -> Iterator[psycopg.Connection[Any]]:
        """Open a session on the database, for one transaction."""
        with psycopg.connect(self.url) as session:
            yield session

    async def sync(self, first: date, last: date | None = None, **options: Any) -> Summary:
        """Mirror the days from ``first`` to ``last``."""
        async with self.mirror(**options) as mirror:
            return await mirror.sync_days(run_id(), DayRange(first, last or first))

    def days(self, first: date = FIRST, last: date = LAST, **options: Any) -> Summary:
        """Mirror days in one call."""
        return asyncio.run(self.sync(first, last, **options))

    def open_work(self, before: date, **options: Any) -> Summary:
        """Do the due work of the days before ``before`` in one call."""

        async def run() -> Summary:
            async with self.mirror(**options) as mirror:
                return await mirror.sync_open(run_id(), before)

        return asyncio.run(run())

    def verify(
        self, sample: int, name: str | None = None, told: Told | None = None
    ) -> tuple[Summary, Sample]:
        """Compare a sample with the service in one call, as a run of this name."""
        summary, found = Summary(name or run_id(), "verify"), Sample()

        async def work(run: Run) -> None:
            nonlocal found
            found = await measure(run, sample)
            summary.problems += found.problems + await judge_refused(run)
            summary.quarantined = run.loader.loaded.quarantined
            await asyncio.to_thread(refresh, run.engine)

        async def run() -> tuple[Summary, Sample]:
            async with self.mirror() as mirror:
                mirror.progress = told or mirror.progress
                return await mirror.execute(summary, work), found

        return asyncio.run(run())

    def cancel_at(self, number: int) -> None:
        """Cancel a run over all days while its so-many-th details request is under way."""
        parking = self.service.state.park("details", number)

        async def cancelled() -> None:
            run = asyncio.create_task(self.sync(FIRST, LAST))
            await asyncio.to_thread(parking.wait)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run

        asyncio.run(cancelled())
        parking.release()

    def nightly(self, today: date, lookback: int = 3, **options: Any) -> tuple[Summary, Summary]:
        """Do what the nightly run does: the newest days, then the due work before them."""
        first = today - timedelta(days=lookback - 1)

        async def run() -> tuple[Summary, Summary]:
            async with self.mirror(**options) as mirror:
                recent = await mirror.sync_days(run_id(), DayRange(first, today))
                return recent, await mirror.sync_open(run_id(), first)

        return asyncio.run(run())

    def offered(self, first: date = FIRST, last: date = TODAY) -> list[Truth]:
        """Return what the service states now of what was created on these days of our zone."""
        truths = self.service.state.truth()
        return [truth for truth in truths if first <= created_on(truth, self.zone) <= last]

    def differences(self, first: date = FIRST, last: date = TODAY) -> list[str]:
        """Compare every field of every table with what the service states now of these days."""
        with self.session() as session:
            found = differences(stored_rows(session), self.offered(first, last))
        return [str(difference) for difference in found]

    def query(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self.session() as session:
            return session.execute(statement.encode(), parameters).fetchall()

    def execute(self, statement: str) -> None:
        """Carry out a statement and commit it."""
        with self.session() as session:
            session.execute(statement.encode())

    def value(self, statement: str, *parameters: object) -> Any:
        """Return the one value of a query."""
        ((value,),) = self.query(statement, *parameters)
        return value

    def versions(self) -> dict[str, set[tuple[str, str]]]:
        """Return place and inserting transaction of every row of the contract's tables."""
        return {
            table: set(self.query(f"select ctid::text, xmin::text from warehouse.{table}"))
            for table in KEYS
        }

    def complete_days(self) -> set[date]:
        """Return the days that the coverage calls complete."""
        return {
            day for (day,) in self.query("select day from sync.coverage where incomplete is null")
        }

    def gaps(self) -> list[tuple[Any, ...]]:
        """Return the days whose coverage does not add up."""
        return self.query(
            "select day, listed, stored, quarantined, incomplete from sync.coverage"
            " where listed <> stored + quarantined order by day"
        )

    def quarantined(self) -> dict[str, str]:
        """Return subject and reason of the open quarantine entries."""
        return dict(
            self.query("select subject, reason from sync.quarantine where resolved_at is null")
        )

    def gone(self) -> set[str]:
        """Return the ids marked as gone."""
        found = self.query("select id::text from warehouse.activities where gone_at is not null")
        return {name for (name,) in found}


@dataclass
class LastingWarehouse(Warehouse):
    """One that keeps its sessions between runs: to open one costs more than most statements."""

    def __post_init__(self) -> None:
        self._engine = open_engine(self.url)
        self._session = psycopg.connect(self.url)

    @contextmanager
    def engine(self) -> Iterator[sa.Engine]:
        """Give the engine of all runs."""
        yield self._engine

    @contextmanager
    def session(self) -> Iterator[psycopg.Connection[Any]]:
        """Begin a transaction in the session of all."""
        with self._session.transaction():
            yield self._session

    def reopen(self) -> None:
        """Begin with another engine, as another process does."""
        self._engine.dispose()
        self._engine = open_engine(self.url)

    def close(self) -> None:
        """Close all sessions."""
        self._engine.dispose()
        self._session.close()


def created_on(truth: Truth, zone: str = "UTC") -> date:
    """Return the day in ``zone`` on which an activity was created."""
    created_at = instant(truth.row_fields()["created_at"])
    assert created_at is not None
    return created_at.astimezone(ZoneInfo(zone)).date()


def run_id() -> str:
    """Return a run id not used before in this session, or since `restart_run_numbers`."""
    return f"run-{next(_numbers)}"


def restart_run_numbers(first: int = 1) -> None:
    """Begin with this run id again: a run draws by its id, and is to draw the same again."""
    global _numbers
    _numbers = itertools.count(first)
