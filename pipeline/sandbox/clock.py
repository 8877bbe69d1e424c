"""The sandbox's time: its clock, and where days begin in a time zone."""

from __future__ import annotations

import datetime as dt
import time
from typing import Final
from zoneinfo import ZoneInfo

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
# A later instant has no four-digit year, and a timeline could not state it.
_LATEST_MS: Final = 253_370_764_800_000
_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class Clock:
    """The one time of a sandbox, in epoch ms: it runs with the real time, or is frozen.

    `start` is where it starts; None is the real time. ValueError for an impossible instant.
    """

    def __init__(self, start: dt.datetime | None = None, *, frozen: bool = False) -> None:
        start_ms = _real_ms() if start is None else round(start.timestamp() * 1000)
        self.set(start_ms, frozen=frozen)

    def now(self) -> int:
        """Return the current instant (epoch ms)."""
        return self._instant if self.frozen else self._instant + _real_ms() - self._since

    def set(self, instant_ms: int, *, frozen: bool) -> None:
        """Move the clock to an instant (epoch ms), where it stands still or runs on."""
        if not 0 <= instant_ms <= _LATEST_MS:
            raise ValueError(f"the clock can't show {instant_ms}")
        self._instant, self._since, self.frozen = instant_ms, _real_ms(), frozen


def _real_ms() -> int:
    return time.time_ns() // 1_000_000


def zone_named(name: str) -> ZoneInfo:
    """Return the zone of an IANA name; ValueError when there is none of that name."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown; no name at all; a folder of names
        raise ValueError(f"unknown time zone {name!r}") from None


def day_start_ms(day: dt.date, zone: dt.tzinfo) -> int:
    """Return the first instant (epoch ms) of `day` in `zone`."""
    start = dt.datetime(day.year, day.month, day.day, tzinfo=zone)
    return (start - _EPOCH) // dt.timedelta(milliseconds=1)
