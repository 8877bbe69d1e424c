"""Serves a sandbox from a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final, Self

from aiohttp import web

from .front import Front

if TYPE_CHECKING:
    from .settings import Credentials
    from .state import SandboxState

LOOPBACK: Final = "127.0.0.1"


class Running:
    """A sandbox being served from a thread of its own; a context manager that ends it.

    `port` 0 takes a free one. OSError when the address can't be bound.
    """

    def __init__(self, state: SandboxState, host: str = LOOPBACK, port: int = 0) -> None:
        self.state = state
        self._started: Future[str] = Future()
        self._thread = threading.Thread(target=self._run, args=(host, port), daemon=True)
        self._thread.start()
        self.base_url = self._started.result()

    @property
    def credentials(self) -> Credentials:
        """The credentials the service takes."""
        return self.state.settings.credentials

    def catch_up(self) -> None:
        """Wait until what callers have sent so far has had its effect, also if they gave up waiting."""
        # Turns enough to accept a connection, read its request and answer it.
        for _ in range(20):
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self._loop).result()

    def close(self) -> None:
        """End the server: parked and hanging requests are let go, connections closed."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, host: str, port: int) -> None:
        try:
            asyncio.run(self._serve(host, port))
        except Exception as problem:
            if self._started.done():
                raise
            # Raised where the thread was started, which waits for it.
            self._started.set_exception(problem)

    async def _serve(self, host: str, port: int) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        app = Front(self.state).app()
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port, backlog=512).start()
            bound = runner.addresses[0]
            shown = f"[{bound[0]}]" if ":" in bound[0] else bound[0]
            self._started.set_result(f"http://{shown}:{bound[1]}")
            await self._stop.wait()
        finally:
            await runner.cleanup()
