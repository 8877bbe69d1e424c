"""A run's progress in Dagster's log."""

import logging
import time

from pipeline.sync.days import DayRange
from pipeline.sync.forecast import Forecast

#: Seconds between two lines about fetching.
_PAUSE = 10.0


class LogProgress:
    """Writes a line a window, and one every ten seconds with what remains."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._began = time.monotonic()
        self._told = self._began

    def planned(self, windows: int, activities: int) -> None:
        """Log what is to be done."""
        self._log.info(f"to walk: {windows} windows of days; to fetch one by one: {activities}")

    def foretold(self, forecast: Forecast) -> None:
        """Log it."""
        self._log.info(str(forecast))

    def walked(self, days: DayRange, listed: int, to_fetch: int, note: str) -> None:
        """Log what a window lists."""
        self._log.info(f"{days}: {listed} listed ({note}), {to_fetch} need details")

    def fetched(self, done: int, known: int) -> None:
        """Log now and then how far the fetching is."""
        now = time.monotonic()
        if now - self._told < _PAUSE:
            return
        self._told = now
        rate = done / (now - self._began)
        self._log.info(f"{done} of {known} known so far fetched, {rate:.0f} a second")

    def said(self, message: str) -> None:
        """Log it."""
        self._log.info(message)
