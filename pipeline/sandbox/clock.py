"""The sandbox's clock: the real time plus an offset, or frozen at an instant."""

from __future__ import annotations

import time

import msgspec

# Later instants have no four-digit year, so no timeline could state them.
LATEST_MS = 253_370_764_800_000


class ClockReading(msgspec.Struct, frozen=True, kw_only=True):
    """What the clock shows: `now` in epoch ms, and its offset from the real time in ms."""

    now: int
    frozen: bool
    offset_ms: int


class Clock:
    """The one time of the whole sandbox, in epoch milliseconds."""

    def __init__(self, start_ms: int | None = None, *, frozen: bool = False) -> None:
        self._offset_ms = 0
        self._frozen_ms: int | None = None
        if frozen:
            self.freeze(start_ms)
        elif start_ms is not None:
            self.set(start_ms)

    def now(self) -> int:
        """Return the current instant (epoch ms)."""
        if self._frozen_ms is not None:
            return self._frozen_ms
        return time.time_ns() // 1_000_000 + self._offset_ms

    def set(self, instant_ms: int) -> None:
        """Move the clock to an instant (epoch ms); frozen stays frozen, running runs on."""
        if not 0 <= instant_ms <= LATEST_MS:
            raise ValueError(f"the clock can't show {instant_ms}")
        if self._frozen_ms is not None:
            self._frozen_ms = instant_ms
        else:
            self._offset_ms = instant_ms - time.time_ns() // 1_000_000

    def advance(self, by_ms: int) -> None:
        """Move the clock by so many milliseconds (negative: back)."""
        self.set(self.now() + by_ms)

    def freeze(self, instant_ms: int | None = None) -> None:
        """Stop the clock, at `instant_ms` or where it is."""
        self._frozen_ms = self.now()
        if instant_ms is not None:
            self.set(instant_ms)

    def run(self) -> None:
        """Let a frozen clock run on from where it stands."""
        if self._frozen_ms is not None:
            instant, self._frozen_ms = self._frozen_ms, None
            self.set(instant)

    def reading(self) -> ClockReading:
        """Return what the clock shows, for the controls."""
        now = self.now()
        offset = now - time.time_ns() // 1_000_000
        return ClockReading(now=now, frozen=self._frozen_ms is not None, offset_ms=offset)
