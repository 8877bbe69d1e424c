"""Batches on their way to the warehouse: one is loaded while the next is filled."""

import asyncio
from collections.abc import Callable

import sqlalchemy as sa

from pipeline.sync.options import Options
from pipeline.warehouse.load import load
from pipeline.warehouse.merge import LoadCounts
from pipeline.warehouse.rows import Outcome


class Loader:
    """Collects outcomes and loads them in batches, in a thread, one batch in flight.

    A batch is half of ``batch_size``, so that what is being filled and what is on its way together
    are no more: a process that dies loses no more. It is bounded in bytes too, since one response
    may hold images. Once a batch has failed, no outcome is taken any more: else the workers that wait
    would each fetch another one, which nobody can load.
    """

    def __init__(
        self, engine: sa.Engine, run_id: str, options: Options, told: Callable[[LoadCounts], None]
    ) -> None:
        self._engine = engine
        self._run_id = run_id
        self._options = options
        self._told = told
        self._batch: dict[str, Outcome] = {}
        self._bytes = 0
        self._turn = asyncio.Lock()
        self._flight: asyncio.Task[LoadCounts] | None = None
        self._failure: Exception | None = None

    async def add(self, outcome: Outcome) -> None:
        """Take one outcome; waits while a full batch can't go yet. Raises a ``WarehouseError``."""
        await self._leave(lambda: self._full or outcome.subject in self._batch)
        self._batch[outcome.subject] = outcome
        self._bytes += outcome.size
        await self._leave(lambda: self._full)

    async def flush(self) -> None:
        """Load what is here and wait until it is in, also after a failure. Raises a ``WarehouseError``."""
        async with self._turn:
            await self._depart()
            await self._land()

    @property
    def _full(self) -> bool:
        half = 2 * len(self._batch) >= self._options.batch_size
        return half or self._bytes >= self._options.batch_bytes

    async def _leave(self, must: Callable[[], bool]) -> None:
        """Have the batch depart when it must; once, however many workers wait for that."""
        while self._failure is not None or must():
            async with self._turn:
                if self._failure is not None:
                    raise self._failure
                if must():
                    await self._depart()

    async def _depart(self) -> None:
        await self._land()
        batch, self._batch, self._bytes = list(self._batch.values()), {}, 0
        if batch:
            self._flight = asyncio.create_task(
                asyncio.to_thread(load, self._engine, self._run_id, batch)
            )

    async def _land(self) -> None:
        flight = self._flight
        if flight is None:
            return
        try:
            loaded = await asyncio.shield(flight)
        except Exception as error:
            self._failure = error
            raise
        finally:
            if flight.done():  # else we were cancelled, and somebody must wait for it still
                self._flight = None
        self._told(loaded)
