"""Serves a sandbox: in a thread of its own for tests, or in the running event loop."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Self

from aiohttp import web

from .app import make_app
from .settings import SandboxSettings
from .state import SandboxState

if TYPE_CHECKING:
    from collections.abc import Callable

    from .counters import CountersReading
    from .settings import Credentials

_SHUTDOWN_SECONDS = 0.5
LOOPBACK = "127.0.0.1"


async def run_server(
    state: SandboxState,
    host: str = LOOPBACK,
    port: int = 0,
    *,
    ready: Callable[[str], None],
    stop: asyncio.Event,
) -> None:
    """Serve `state` until `stop` is set; `ready` gets the base URL once connections are taken.

    `port` 0 takes a free one. OSError when the address can't be bound.
    """
    # A caller that leaves ends its handler, so that a request that hangs doesn't live for ever.
    runner = web.AppRunner(
        make_app(state),
        handler_cancellation=True,
        access_log=None,
        shutdown_timeout=_SHUTDOWN_SECONDS,
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, backlog=512)
        await site.start()
        bound = runner.addresses[0]
        shown = f"[{bound[0]}]" if ":" in bound[0] else bound[0]
        ready(f"http://{shown}:{bound[1]}")
        await stop.wait()
    finally:
        await runner.cleanup()


class Running:
    """A sandbox being served from a thread of its own; a context manager that ends it."""

    def __init__(self, state: SandboxState, host: str, port: int) -> None:
        self.state = state
        self.base_url = ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._problem: BaseException | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(host, port), name="sandbox", daemon=True
        )
        self._thread.start()
        self._ready.wait()
        if not self.base_url:
            self._thread.join()
            raise self._problem or RuntimeError("the sandbox did not start")

    @property
    def credentials(self) -> Credentials:
        """The credentials the service takes."""
        return self.state.settings.credentials

    def counters(self) -> CountersReading:
        """Return what was counted since the start or the last reset."""
        return self.state.counters()

    def close(self) -> None:
        """End the server: parked and hanging requests are let go, connections closed."""
        loop, stop = self._loop, self._stop
        if loop is not None and stop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(stop.set)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, host: str, port: int) -> None:
        try:
            asyncio.run(self._serve(host, port))
        except BaseException as problem:
            self._problem = problem
            self._ready.set()

    async def _serve(self, host: str, port: int) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        await run_server(self.state, host, port, ready=self._took, stop=self._stop)

    def _took(self, base_url: str) -> None:
        self.base_url = base_url
        self._ready.set()


class Sandbox:
    """The service with its data, ready to be served."""

    def __init__(self, settings: SandboxSettings | None = None) -> None:
        self.state = SandboxState(settings or SandboxSettings())

    def serve(self, host: str = LOOPBACK, port: int = 0) -> Running:
        """Serve it from a thread of its own with its own event loop; returns when it answers.

        `port` 0 takes a free one. OSError when the address can't be bound.
        """
        return Running(self.state, host, port)
