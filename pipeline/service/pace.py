"""How many requests at once, and how fast (docs/design.md "Retries and outages").

The limit starts at the configured concurrency. An answer 429 or 503 halves it, at most once a round trip:
only requests that started after the last cut can cause the next one. A round trip of answers adds one.
"""

import asyncio
import time
from collections.abc import Callable

from pipeline.service.retry import Sleep


class Pace:
    """Lets requests in. Every `enter` must be followed by exactly one `leave`.

    ``sent``: how many were let in so far. ``limit``: how many may be in flight now, rounded down.
    """

    def __init__(
        self,
        max_concurrency: int,
        requests_per_second: float | None,
        sleep: Sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.sent = 0
        self._whole = self._most = max_concurrency
        self.limit = float(max_concurrency)
        self._places = asyncio.Semaphore(max_concurrency)
        #: Places to take away, from requests that end.
        self._surplus = 0
        #: How many had been sent at the last cut.
        self._cut = 0
        #: Seconds between two starts of all members together.
        self._interval = 1 / requests_per_second if requests_per_second else 0.0
        self._members = 1
        self._next_start = 0.0
        self._turn = asyncio.Lock()
        self._sleep = sleep
        self._monotonic = monotonic

    def share(self, members: int) -> None:
        """Take an equal part of the rate and of the requests in flight: one of ``members`` parts."""
        most = max(1, self._whole // members)
        # A limit that was cut while the service returned errors grows again by itself.
        self._set_limit(most if self.limit >= self._most else min(self.limit, most))
        self._most = most
        self._members = members

    async def enter(self) -> int:
        """Wait for a place and for the time to start; return the request's number, from 1."""
        await self._places.acquire()
        if self._interval or self._next_start:
            try:
                await self._wait_for_turn()
            except BaseException:
                self.leave()
                raise
        self.sent += 1
        return self.sent

    def leave(self) -> None:
        """Give a place back."""
        if self._surplus > 0:
            self._surplus -= 1
        else:
            self._places.release()

    def answered(self) -> None:
        """Note an answer: a limit that was cut grows."""
        if self.limit < self._most:
            self._set_limit(min(self.limit + 1 / self.limit, self._most))

    def slow_down(self, number: int) -> None:
        """Halve the limit, because the request of this number was one too many."""
        if number > self._cut:
            self._cut = self.sent
            self._set_limit(max(1.0, self.limit / 2))

    def pause(self, seconds: float) -> None:
        """Start no request for so many seconds."""
        self._next_start = max(self._next_start, self._monotonic() + seconds)

    def _set_limit(self, limit: float) -> None:
        growth = int(limit) - int(self.limit)
        self.limit = limit
        self._surplus += max(0, -growth)
        for _ in range(growth):
            self.leave()

    async def _wait_for_turn(self) -> None:
        """Wait for our turn by the rate and for the end of any pause."""
        async with self._turn:  # one after another, or all who waited would start at once
            start = self._monotonic()
            # A pause may grow while we sleep. After a sleep its end counts, not the clock: once the
            # brake has tripped, sleeps end at once, and this loop would never wait.
            while (due := self._next_start) > start:
                await self._sleep(due - self._monotonic())
                start = due
            self._next_start = start + self._interval * self._members
