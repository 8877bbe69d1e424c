"""Ctrl-C and SIGTERM: both end the process in order. Afterwards we know which of the two came."""

import signal
import socket


class Interrupts:
    """Makes SIGTERM end the process like Ctrl-C, and remembers which of the two came first.

    While a job runs, Dagster has its own handlers for both signals and does not say which one came.
    Python's wake-up descriptor still gets the number of each signal.
    """

    def __init__(self) -> None:
        self._heard: signal.Signals | None = None
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)

    def listen(self) -> None:
        """Listen until the process ends. Only the main thread may call this."""
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, signal.default_int_handler)

    def heard(self) -> signal.Signals | None:
        """Return the first of the two signals that came, if any."""
        try:
            numbers = self._reader.recv(4096)
        except BlockingIOError:
            numbers = b""
        for number in numbers:
            if self._heard is None and number in (signal.SIGINT, signal.SIGTERM):
                self._heard = signal.Signals(number)
        return self._heard


#: The only instance. `pipeline.cli` lets it listen before a command runs.
interrupts = Interrupts()
