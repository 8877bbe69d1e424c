"""The record of a run: its row in ``sync.runs``, opened and closed in one place.

=========================================  ============  =========================================
the block ends                             status        error
=========================================  ============  =========================================
without an exception                       its summary's  the summary's problems, if there are any
by a service, warehouse or sync error      failed        the message of the error
by anything else (a signal, a bug)         failed        interrupted
=========================================  ============  =========================================
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field

import sqlalchemy as sa

from pipeline.service.errors import ServiceError
from pipeline.service.exchange import RequestCounts
from pipeline.sync.options import Summary, SyncError
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.state import runs

_SPENT = ("list_requests", "details_requests", "retries", "logins", "bytes_received")


@dataclass(eq=False, repr=False)
class RunRecord:
    """Records a run while its block is under way. Use with ``with``, or ``async with`` in a loop.

    Fills ``seconds`` and the request counts of ``summary`` at the end. ``counts``: live counts of
    the run's client; a run without requests has none. Raises ``WarehouseError`` when it can't open.
    """

    engine: sa.Engine
    summary: Summary
    counts: RequestCounts = field(default_factory=RequestCounts)

    def __enter__(self) -> None:
        summary = self.summary
        self._began = time.monotonic()
        # One client may serve several runs: each run counts only what came after its start.
        self._before = {name: getattr(self.counts, name) for name in _SPENT}
        first, last = (summary.days.first, summary.days.last) if summary.days else (None, None)
        self._live = runs.start(self.engine, summary.run_id, summary.kind, first, last)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        summary = self.summary
        summary.seconds = time.monotonic() - self._began
        for name, before in self._before.items():
            setattr(summary, name, getattr(self.counts, name) - before)
        if error is None:
            status, reason = summary.status, "; ".join(summary.problems)[:1000]
        elif isinstance(error, ServiceError | WarehouseError | SyncError):
            status, reason = "failed", str(error)
        else:
            status, reason = "failed", "interrupted"
        # All data is committed by now. If only this row can't be written, the next run marks it.
        with suppress(WarehouseError):
            self._live.finish(status, reason or None, summary.counts())

    async def __aenter__(self) -> None:
        await asyncio.to_thread(self.__enter__)

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        # A second cancellation may end the waiting, but not the thread: the row is still written.
        await asyncio.shield(asyncio.to_thread(self.__exit__, kind, error, trace))
