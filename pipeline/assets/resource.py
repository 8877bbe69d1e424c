"""The resource of all assets: one client, one login and one engine for a whole run."""

import gc
import logging
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import date
from typing import Any

import dagster as dg
import sqlalchemy as sa

from pipeline.assets.history import show_this_warehouse
from pipeline.assets.loop import LoopThread, T
from pipeline.assets.processes import locked
from pipeline.assets.progress import LogProgress
from pipeline.assets.rhythm import RECENT
from pipeline.configured import service_config, sync_options
from pipeline.service.client import ServiceClient
from pipeline.service.errors import LoginRefused, Outage, ServiceError
from pipeline.settings import Settings, SettingsInvalid, load_settings
from pipeline.sync.options import Options, Progress, Summary, SyncError
from pipeline.sync.run import SyncRunner
from pipeline.telemetry import counts, has_address
from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.database.errors import (
    WarehouseError,
    WarehouseUnreachable,
    WarehouseWriteFailed,
)
from pipeline.warehouse.schema.migrate import migrate
from pipeline.warehouse.schema.refresh import Refreshed

_logger = logging.getLogger(__name__)

Part = Callable[[SyncRunner], Coroutine[Any, Any, Summary]]

#: These errors end a run with one clear line instead of a traceback.
CLEAR_ERRORS = (SettingsInvalid, ServiceError, WarehouseError, SyncError)

#: These may be over in a few minutes. So may every error with ``service_failing``.
_PASSING = (Outage, WarehouseUnreachable, WarehouseWriteFailed)

#: Minutes after which a step that failed for a passing reason is tried again, in the same run.
TRY_AGAIN = (1, 3, 7, 15)


class SyncResource:
    """What one run holds open: its settings, its database connections, and a client in its event loop.

    Use its attributes and `run` inside of `opened`. ``progress``: the bar of the command line, or else what
    writes to the step's log. ``refreshed``: stored views that Dagster does not show yet. ``green``: days
    that it shows as materialized; None: it was not asked yet.
    """

    settings: Settings
    engine: sa.Engine
    progress: Progress
    refreshed: dict[str, Refreshed]
    green: set[date] | None

    def __init__(self, loop: LoopThread, bar: Progress | None) -> None:
        self._loop = loop
        self._bar = bar
        self._runner: SyncRunner | None = None
        self._refused: LoginRefused | None = None
        self.refreshed = {}

    @contextmanager
    def opened(self, step: dg.OpExecutionContext) -> Iterator[None]:
        """Open what is not open yet. Clear errors become ``dagster.Failure``; the next try opens new ones.

        Somebody waits for a run of the command line, so that one is not tried again. No later step of the
        run repeats a login that was refused: accounts get locked.
        """
        try:
            if self._refused:
                raise self._refused
            self.progress = self._bar or LogProgress(step.log)
            if self._runner is None:
                self._runner = self._open()
                for line in show_this_warehouse(
                    step.instance, self.engine, self.settings.start_date
                ):
                    self.progress.log(line)
            yield
        except CLEAR_ERRORS as error:
            self._refused = error if isinstance(error, LoginRefused) else None
            self.close()
            passing = isinstance(error, _PASSING) or getattr(error, "service_failing", False)
            if passing and self._bar is None and step.job_name != RECENT:
                raise _again(step, str(error)) from failure(error)
            raise failure(error) from None
        except dg.Failure:
            raise
        except Exception as error:
            what = f"unexpected {type(error).__name__}"
            if self._bar is None:
                raise _again(step, what) from error  # Dagster's log has the traceback
            what += "; the run's log in the Dagster UI says where"
            raise dg.Failure(what, allow_retries=False) from error

    def run(self, part: Part, options: Options, meanwhile: Callable[[], object]) -> Summary:
        """Run one part of the sync until it ends or is interrupted; return its summary.

        ``meanwhile``: is called again and again until then.
        """
        assert self._runner is not None  # noqa: S101
        self._runner.options, self._runner.progress = options, self.progress
        return self._loop.run(part(self._runner), meanwhile)

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` in the event loop until it ends or is interrupted; return its result."""
        return self._loop.run(work)

    def close(self) -> None:
        """Close all connections. Batches under way are stored first."""
        if self._runner is not None:
            self._loop.run(self._runner.client.aclose())
            self.engine.dispose()
            self._runner = None

    def _open(self) -> SyncRunner:
        self.green = None
        self.settings = settings = load_settings()
        wait = settings.migration_wait_seconds
        migrate(settings.warehouse_url, self.progress.log, wait=wait)
        client = self._loop.run(_make_client(settings))
        self.engine = open_engine(settings.warehouse_url)
        counts.append(client.counts)
        return SyncRunner(
            client, self.engine, settings.timezone, sync_options(settings), self.progress
        )


def sync_resource(bar: Progress | None = None) -> dg.ResourceDefinition:
    """Return the resource ``sync``, a `SyncResource`; a ``bar`` replaces the lines in the run's log.

    It reads the environment when a step starts. So definitions load without settings, a missing setting
    fails the run with its name, and no secret is in Dagster's configuration or UI.
    """

    @dg.resource(description="The service and the warehouse, as the environment names them.")
    def sync(context: dg.InitResourceContext) -> Iterator[SyncResource]:
        # Imported modules live as long as the process, and what a run makes is freed without the
        # garbage collector. Searching all of it for cycles took a seventh of a first load's CPU.
        gc.freeze()
        gc.set_threshold(10_000)
        lock = locked(context.instance, str(context.run_id)) if context.instance else nullcontext()
        with lock, LoopThread() as loop, _seen(context), closing(SyncResource(loop, bar)) as opened:
            yield opened

    return sync


def _seen(run: dg.InitResourceContext) -> AbstractContextManager[None]:
    """Export metrics and a trace of the run, if there is an address for them.

    See docs/nights.md "Seen from outside". The extra `telemetry` may be missing.
    """
    if has_address("METRICS", "TRACES"):
        try:
            from pipeline.assets.opentelemetry import exported

            return exported(str(run.run_id))
        except ImportError:
            _logger.warning("no telemetry: pip install 'activity-warehouse[telemetry]'")
        except Exception as error:  # its libraries raise what they like for a wrong variable
            name = type(error).__name__
            _logger.warning("no telemetry (%s): correct the variables OTEL_...", name)
    return nullcontext()


def failure(error: Exception) -> dg.Failure:
    """Return the failure of a step that shows ``error`` as its one clear line."""
    return dg.Failure(str(error), allow_retries=False)


def _again(step: dg.OpExecutionContext, reason: str) -> dg.RetryRequested:
    """Wait; return the request for another try of the step.

    Not a ``dagster.RetryPolicy``: that tries an interrupted step again too, and Terminate would not end
    its wait.
    """
    if step.retry_number < len(TRY_AGAIN):
        minutes = TRY_AGAIN[step.retry_number]
        step.log.warning("%s - tried again in %d min", reason, minutes)
        time.sleep(60 * minutes)
    return dg.RetryRequested(max_retries=len(TRY_AGAIN))


async def _make_client(settings: Settings) -> ServiceClient:
    """Make the client inside the event loop that it will use."""
    return ServiceClient(service_config(settings))
