"""A run's progress in Dagster's log."""

import logging
import time

#: Seconds between two lines about fetching.
_PAUSE = 10.0


class LogProgress:
    """Writes a line for each step, and every ten seconds a line about the fetching."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._began = self._last = time.monotonic()

    def log(self, message: str) -> None:
        """Log it."""
        self._log.info(message)

    step = log

    def advance(self, done: int, total: int) -> None:
        """Log at most every ten seconds how far the fetching is."""
        now = time.monotonic()
        if now - self._last >= _PAUSE:
            self._last = now
            rate = done / (now - self._began)
            self._log.info(f"{done} of {total} known so far fetched, {rate:.0f} a second")
