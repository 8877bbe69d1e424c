"""Runs of the mirror: in this process, or in a process of its own that can be killed."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import uuid
from datetime import date
from typing import TYPE_CHECKING, Any, Self
from zoneinfo import ZoneInfo

import msgspec

from pipeline.service.client import ServiceClient
from pipeline.service.config import Credentials, ServiceConfig
from pipeline.service.errors import ServiceError
from pipeline.service.retry import RetryPolicy
from pipeline.sync.days import DayRange
from pipeline.sync.options import Options, Summary, SyncError
from pipeline.sync.run import SyncRunner
from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.database.errors import WarehouseError
from tests.support.mirroring import Told
from tests.support.retrying import immediate

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: The errors that stop a run with one clear line.
CLEAR_ERRORS = (ServiceError, WarehouseError, SyncError)

#: The days that are mirrored.
FIRST, LAST = date(2025, 3, 25), date(2025, 4, 1)

#: Sizes of the runs. A killed run may repeat the requests of `BATCH` and those in flight.
PAGE, BATCH, WORKERS = 25, 20, 4

#: Seconds after which a fault counts as missed.
PATIENCE = 120.0

# Forked from the process that has imported the libraries: this one has threads, which no fork may copy.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.support.warm"])


class Missed(Exception):
    """A fault did not happen at the moment that was chosen for it; ``str()`` says why."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What a run needs: service, warehouse, for a run over all days.

    ``answer_within``: seconds that the service has for an answer.
    """

    base_url: str
    credentials: Credentials
    warehouse_url: str
    full: bool = False
    workers: int = WORKERS
    walks: int = 4
    answer_within: float = 30.0


class End(msgspec.Struct, frozen=True):
    """How a run ended: ``complete``, ``incomplete`` or ``stopped``, and the problems or the error.

    ``str()`` is the status, and of a stopped run also the first part of the error.
    """

    status: str
    reason: str = ""

    def __str__(self) -> str:
        if self.status == "stopped":
            return f"stopped: {self.reason.partition(';')[0]}"
        return self.status


def run(job: Job) -> End:
    """Do the job in this process."""
    try:
        problems = asyncio.run(_mirror(job)).problems
    except CLEAR_ERRORS as error:
        return End("stopped", str(error))
    return End("incomplete" if problems else "complete", "; ".join(problems))


async def _mirror(job: Job) -> Summary:
    service = ServiceConfig(
        base_url=job.base_url,
        credentials=job.credentials,
        max_concurrency=job.workers,
        # As many attempts as always, without waiting between them.
        retry=immediate(RetryPolicy().attempts),
        read_timeout=job.answer_within,
    )
    options = Options(
        full=job.full, workers=job.workers, walks=job.walks, page_size=PAGE, batch_size=BATCH
    )
    with warehouse_engine(job.warehouse_url) as engine:
        async with ServiceClient(service) as client:
            mirror = SyncRunner(client, engine, ZoneInfo("UTC"), options, Told())
            return await mirror.sync_days(uuid.uuid4().hex, DayRange(FIRST, LAST))


class Child:
    """A run under way in a process of its own; a context manager that leaves none of it."""

    def __init__(self, job: Job) -> None:
        self._end, end = _PROCESSES.Pipe(duplex=False)
        self._process = _PROCESSES.Process(target=_report, args=(job, end))
        self._process.start()
        end.close()

    def kill(self) -> None:
        """Kill it as ``kill -9`` does. Raises `Missed` when it had ended before."""
        self._process.kill()
        self._process.join()
        if self._process.exitcode != -signal.SIGKILL:
            raise Missed(f"exit {self._process.exitcode} before the signal")

    def end(self) -> End:
        """Wait for the end of the run and return it. Raises `Missed` when that takes too long."""
        if not self._end.poll(PATIENCE):
            raise Missed(f"the run has not ended within {PATIENCE:g} s")
        ended: End = self._end.recv()
        return ended

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self._process.kill()
        self._process.join()
        self._end.close()


def _report(job: Job, end: Connection) -> None:
    end.send(run(job))
