"""Ctrl-C and SIGTERM: both end the process in order. Afterwards we know which of the two came."""

import signal
import socket
from types import FrameType
from typing import Self

_ENDING = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Context manager for the main thread: SIGTERM ends the process like Ctrl-C.

    While a job runs, Dagster has its own handlers for both signals and does not say which one came.
    Python's wake-up descriptor still gets the number of each signal.
    """

    def __init__(self) -> None:
        self._heard: signal.Signals | None = None
        self._reader: socket.socket | None = None

    def __enter__(self) -> Self:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, _interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        self.heard()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if self._reader is not None:
            self._reader.close()
            self._writer.close()
            self._reader = None

    def heard(self) -> signal.Signals | None:
        """Return the first of the two signals that came, if any."""
        try:
            numbers = self._reader.recv(4096) if self._reader is not None else b""
        except BlockingIOError:
            numbers = b""
        for number in numbers:
            if self._heard is None and number in _ENDING:
                self._heard = signal.Signals(number)
        return self._heard


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


#: The only instance. `pipeline.cli` enters it while a command runs.
interrupts = Interrupts()
