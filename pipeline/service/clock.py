"""The service's time, so that this machine's clock may be wrong (docs/service.md 5)."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from pipeline.service.retry import parse_http_date

#: Offsets below this many seconds count as none.
NEGLIGIBLE_SKEW = 30.0
#: From so many seconds on this machine's clock is not just imprecise.
_BEHIND = 3600.0
#: A `Date` header has whole seconds: a new reading this close to the last changes nothing.
_RESOLUTION = 2.0


class ServiceClock:
    """Tells the service's time: this machine's, corrected by the service's ``Date`` headers.

    ``time_source``: epoch seconds of this machine.
    """

    def __init__(self, time_source: Callable[[], float] = time.time) -> None:
        self._time = time_source
        self._measured: float | None = None

    def timestamp(self) -> float:
        """Return the service's time in epoch seconds."""
        return self._time() + (self.skew if abs(self.skew) >= NEGLIGIBLE_SKEW else 0.0)

    def now(self) -> datetime:
        """Return the service's time as an aware UTC datetime."""
        return datetime.fromtimestamp(self.timestamp(), UTC)

    @property
    def skew(self) -> float:
        """Seconds by which the service is ahead of this machine, as measured; 0.0 if unknown."""
        return self._measured or 0.0

    @property
    def machine_is_behind(self) -> bool:
        """Whether this machine's clock is behind by an hour or more: its today may be over."""
        return self.skew >= _BEHIND

    @property
    def difference(self) -> str | None:
        """A line for people when this machine and the service disagree; None when they agree."""
        if abs(self.skew) < NEGLIGIBLE_SKEW:
            return None
        side = "ahead of" if self.skew > 0 else "behind"
        return f"the service's clock is {abs(self.skew):.0f} s {side} this machine's"

    def local(self) -> float:
        """Return this machine's own time in epoch seconds."""
        return self._time()

    def learn(self, date_header: str | None, sent: float) -> None:
        """Take in the ``Date`` header of an answer to a request ``sent`` at that local time."""
        instant = parse_http_date(date_header)
        if instant is None:
            return
        # The header is cut to whole seconds and was written between sending and receiving.
        measured = instant + 0.5 - (sent + self._time()) / 2
        if self._measured is not None and abs(measured - self._measured) < _RESOLUTION:
            return  # noise; the clock must not jump back and forth
        self._measured = measured
