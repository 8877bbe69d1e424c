"""An event loop in its own thread, for synchronous callers that can be interrupted."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Self, TypeVar

import uvloop

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

#: Seconds between two calls of what the caller does meanwhile.
_PAUSE = 1.0


class LoopThread:
    """Runs coroutines for one caller at a time; a context manager.

    When the caller is interrupted (Ctrl-C, Dagster's Terminate), the coroutine is cancelled once. The
    interrupt goes on only after the coroutine has ended and stored what it had.
    """

    def __enter__(self) -> Self:
        self._loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sync", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(
        self, coroutine: Coroutine[Any, Any, T], meanwhile: Callable[[], object] | None = None
    ) -> T:
        """Return what ``coroutine`` returns; raise what it raises.

        ``meanwhile``: is called in the caller's thread, every `_PAUSE` seconds until then. If it fails,
        ``coroutine`` is cancelled.
        """
        tasks: list[asyncio.Task[T]] = []
        ended = threading.Event()

        def start() -> None:
            tasks.append(self._loop.create_task(coroutine))
            tasks[0].add_done_callback(lambda _: ended.set())

        self._loop.call_soon_threadsafe(start)
        try:
            while not ended.wait(_PAUSE):
                if meanwhile is not None:
                    meanwhile()
        except BaseException:
            # It comes after `start`, since the loop keeps the order of calls.
            self._loop.call_soon_threadsafe(lambda: tasks[0].cancel())
            ended.wait()
            raise
        return tasks[0].result()
