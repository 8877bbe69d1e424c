"""Ctrl-C and SIGTERM: both end the process in order. Afterwards we know which of the two came.

While a job runs, Dagster has its own handlers for both signals and does not say which one came. Python's
wake-up descriptor still gets the number of each signal.
"""

import signal
import socket
from contextlib import suppress

_reader, _writer = socket.socketpair()
_reader.setblocking(False)
_writer.setblocking(False)


def listen() -> None:
    """Make SIGTERM end the process like Ctrl-C, and listen to both. Only the main thread may call this."""
    signal.set_wakeup_fd(_writer.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def heard() -> signal.Signals | None:
    """Return the first of the two signals that came, if any."""
    with suppress(BlockingIOError):
        # What came stays in the socket: the next caller hears it, too.
        for number in _reader.recv(4096, socket.MSG_PEEK):
            if number in (signal.SIGINT, signal.SIGTERM):
                return signal.Signals(number)
    return None
