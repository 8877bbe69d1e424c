"""Batches on their way to the warehouse: one is loaded while the next is filled.

======================  ===========================================================================
state                   next
======================  ===========================================================================
filling, none loading   the batch is full, or `Loader.flush`: its loading begins, filling goes on
filling, one loading    the batch is full: the workers wait until the other one is in, then as above
failed                  a load raised: `Loader.add` raises the same error from now on, `flush` tries
                        once more to load what is left
======================  ===========================================================================
"""

import asyncio
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date

import sqlalchemy as sa

from pipeline.sync.options import Options
from pipeline.warehouse.database.engine import cancel_statements, give_up
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.load.merge import LoadResult
from pipeline.warehouse.state.rows import Outcome

#: Seconds for the last batch after an interruption. Process managers kill after ten seconds.
_LAST_SECONDS = 3.0


class Loader:
    """Collects outcomes and loads them in batches, in a thread, one batch at a time.

    ``store``: loads a batch in one transaction. A batch is half of ``batch_size``, so the batch
    being filled and the batch being loaded together stay within it: a process that dies loses no
    more. Batches are bounded in bytes too, since one response may hold images.
    ``loaded``: the sum of what the batches did so far; of ``reopened``, since `take_reopened`.
    """

    def __init__(
        self, engine: sa.Engine, store: Callable[[list[Outcome]], LoadResult], options: Options
    ) -> None:
        self.loaded = LoadResult()
        self._engine = engine
        self._store = store
        self._options = options
        self._batch: dict[str, Outcome] = {}
        self._bytes = 0
        self._turn = asyncio.Lock()
        self._loading: asyncio.Task[LoadResult] | None = None
        self._failure: Exception | None = None
        # Loads may end in two threads at once.
        self._counting = threading.Lock()

    def check(self) -> None:
        """Raise the ``WarehouseError`` that a load has failed with."""
        if self._failure is not None:
            raise self._failure

    async def add(self, outcome: Outcome) -> None:
        """Take one outcome; waits while a full batch can't be sent yet. Raises a ``WarehouseError``."""
        # A load takes distinct activities only. The batch that holds the same one goes first.
        await self._send_while(lambda: self._full or outcome.subject in self._batch)
        self._batch[outcome.subject] = outcome
        self._bytes += outcome.size
        await self._send_while(lambda: self._full)

    def store_now(self, outcomes: list[Outcome]) -> None:
        """Load outcomes beside the batches, and wait for that. Raises a ``WarehouseError``."""
        self._count(self._store(outcomes))

    def take_reopened(self) -> set[date]:
        """Return the days that loads have reopened since the last call."""
        with self._counting:
            taken, self.loaded.reopened = self.loaded.reopened, set()
        return taken

    def _count(self, loaded: LoadResult) -> None:
        with self._counting:
            self.loaded += loaded

    async def store(self, outcomes: Iterable[Outcome]) -> None:
        """Take outcomes, and wait until they are committed. Raises a ``WarehouseError``."""
        for outcome in outcomes:
            await self.add(outcome)
        await self.flush()

    async def flush(self) -> None:
        """Load what is here and wait until it is committed, even after a failure.

        Raises a ``WarehouseError``.
        """
        async with self._turn:
            await self._send()
            await self._wait()

    async def flush_last(self, *, hurried: bool) -> None:
        """Load what is here when the run ends early. The error that ended it counts, not ours.

        ``hurried``: somebody waits for this process to end. Nothing is tried again then, and after
        `_LAST_SECONDS` the statements under way are cancelled.
        """
        # Before the flush begins: otherwise it may still wait for a database that is down.
        if hurried:
            give_up(self._engine)
        flush = asyncio.create_task(self.flush())
        done, _ = await asyncio.wait([flush], timeout=_LAST_SECONDS if hurried else None)
        while not done:  # a busy server may miss it
            await asyncio.to_thread(cancel_statements, self._engine)
            done, _ = await asyncio.wait([flush], timeout=_LAST_SECONDS)
        # A second cancellation may end this waiting, but not the load: it is still committed.
        with suppress(WarehouseError):
            await asyncio.shield(flush)

    @property
    def _full(self) -> bool:
        half = 2 * len(self._batch) >= self._options.batch_size
        return half or self._bytes >= self._options.batch_bytes

    async def _send_while(self, must_go: Callable[[], bool]) -> None:
        """Send the batch while it must go. Many workers may wait here; one sends it.

        After a failure nothing is taken any more: otherwise each worker would fetch one more
        activity that nobody can load.
        """
        while self._failure is not None or must_go():
            async with self._turn:
                self.check()
                if must_go():  # else another worker sent it while this one waited for its turn
                    await self._send()

    async def _send(self) -> None:
        await self._wait()
        # No await from here to the new task, so no worker can add to the batch that goes.
        batch, self._batch, self._bytes = list(self._batch.values()), {}, 0
        if batch:
            self._loading = asyncio.create_task(asyncio.to_thread(self._store, batch))

    async def _wait(self) -> None:
        """Wait until the batch under way is committed."""
        loading = self._loading
        if loading is None:
            return
        try:
            loaded = await asyncio.shield(loading)
        except Exception as error:
            self._failure = error
            raise
        finally:
            # Not done: this waiter was cancelled, and the last flush must wait for the batch.
            if loading.done():
                self._loading = None
        self._count(loaded)
