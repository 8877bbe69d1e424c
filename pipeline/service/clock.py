"""The service's time, so that this machine's clock may be wrong (docs/service.md 5)."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\d{1,12}(\.\d{1,9})?", re.A)

#: Offsets below this many seconds count as none: clocks are imprecise, and a `Date` has whole seconds.
NEGLIGIBLE_SKEW = 30.0
#: From so many seconds on this machine's clock is not just imprecise.
_BEHIND = 3600.0


class ServiceClock:
    """Tells the service's time: this machine's, corrected by the service's ``Date`` headers.

    ``local``: epoch seconds of this machine. ``skew``: seconds by which the service is ahead of it; 0.0 if
    they agree, or nothing is known.
    """

    def __init__(self, time_source: Callable[[], float] = time.time) -> None:
        self.local = time_source
        self.skew = 0.0

    def timestamp(self) -> float:
        """Return the service's time in epoch seconds."""
        return self.local() + self.skew

    def now(self) -> datetime:
        """Return the service's time as an aware UTC datetime."""
        return datetime.fromtimestamp(self.timestamp(), UTC)

    @property
    def machine_is_behind(self) -> bool:
        """Whether this machine's clock is behind by an hour or more: its today may be over."""
        return self.skew >= _BEHIND

    @property
    def difference(self) -> str | None:
        """A line for people when this machine and the service disagree; None when they agree."""
        if not self.skew:
            return None
        side = "ahead of" if self.skew > 0 else "behind"
        return f"the service's clock is {abs(self.skew):.0f} s {side} this machine's"

    def learn(self, date_header: str | None, sent: float) -> None:
        """Take in the ``Date`` header of an answer to a request ``sent`` at that local time."""
        instant = parse_http_date(date_header)
        if instant is not None:
            # The header is cut to whole seconds and was written between sending and receiving.
            skew = instant + 0.5 - (sent + self.local()) / 2
            self.skew = skew if abs(skew) >= NEGLIGIBLE_SKEW else 0.0


def parse_retry_after(value: str | None, now: float) -> float | None:
    """Seconds to wait by a ``Retry-After`` header: a number of seconds, or an HTTP-date.

    ``now``: the service's time, epoch seconds, that a date is measured from. None for a missing or
    meaningless header; never negative, never infinite.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    instant = parse_http_date(text)
    return None if instant is None else max(0.0, instant - now)


def parse_http_date(value: str | None) -> float | None:
    """Epoch seconds of an HTTP-date header, or None when it is missing or no date."""
    with suppress(ValueError, TypeError, IndexError, OverflowError, OSError):
        return parsedate_to_datetime(value or "").timestamp()
    return None
