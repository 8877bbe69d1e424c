"""Serves a sandbox in the foreground until the process is told to end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

from .server import LOOPBACK, run_server
from .state import SandboxState

if TYPE_CHECKING:
    from collections.abc import Callable

    from .settings import SandboxSettings

WRONG_USAGE = 2


def serve_forever(
    settings: SandboxSettings,
    host: str = LOOPBACK,
    port: int = 0,
    ready: Callable[[str], None] = print,
) -> int:
    """Make a sandbox and serve it until Ctrl-C or SIGTERM; returns the exit code.

    `ready` gets the base URL once connections are taken.
    """
    return serve_until_signal(SandboxState(settings), host, port, ready)


def serve_until_signal(
    state: SandboxState, host: str, port: int, ready: Callable[[str], None]
) -> int:
    """Serve until Ctrl-C or SIGTERM: 0; 2 with one line when the address can't be bound."""
    try:
        asyncio.run(_serve(state, host, port, ready))
    except OSError as error:
        # asyncio's own text repeats the address; a failed look-up has no errno of the system.
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror or str(error)
        sys.stderr.write(f"can't serve on {host} port {port}: {reason}\n")
        return WRONG_USAGE
    return 0


async def _serve(state: SandboxState, host: str, port: int, ready: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await run_server(state, host, port, ready=ready, stop=stop)
