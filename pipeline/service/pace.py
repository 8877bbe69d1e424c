"""How many requests at once, and how fast (docs/design.md "Retries and outages").

The limit starts at the configured concurrency. A 429, a 503 or a time-out halves it. Any other
failure of the service cuts it by half the share of recent attempts that failed: if everything fails
the limit halves, and a few random errors change little. The limit is cut at most once a round trip:
only requests that started after the last cut can cause the next one. A round trip of successes adds
one.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from pipeline.service.errors import RateLimited, ServerFault, ServiceError, TimedOut
from pipeline.service.retry import Sleep

#: Weight of the newest attempt in the running share of failures.
_GAIN = 1 / 16


class Pace:
    """Lets requests in. Every `enter` must be followed by exactly one `leave`."""

    def __init__(
        self,
        max_concurrency: int,
        requests_per_second: float | None,
        sleep: Sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        if max_concurrency < 1:
            raise ValueError("at least one request must be allowed at a time")
        if requests_per_second is not None and not requests_per_second > 0:
            raise ValueError("requests per second must be above zero")
        self._most = max_concurrency
        self._limit = float(max_concurrency)
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._failing = 0.0
        self._era = 0
        self._interval = 1 / requests_per_second if requests_per_second else 0.0
        self._next_start = 0.0
        self._turn = asyncio.Lock()
        self._sleep = sleep
        self._monotonic = monotonic

    @property
    def limit(self) -> int:
        """How many requests may be in flight now."""
        return int(self._limit)

    async def enter(self) -> int:
        """Wait for a place and for the time to start; return the era, which `leave` takes."""
        if self._waiting or self._in_flight >= int(self._limit):
            await self._queue()
        else:
            self._in_flight += 1
        if self._interval or self._next_start:
            try:
                await self._hold()
            except BaseException:
                self._release()
                raise
        return self._era

    def leave(self, era: int, error: ServiceError | None) -> None:
        """Give the place back, with the failure of the attempt or None."""
        if error is None or not error.service_failing:
            self._failing -= self._failing * _GAIN
            if self._limit < self._most:
                self._limit = min(self._limit + 1 / self._limit, self._most)
        else:
            self._failing += (1 - self._failing) * _GAIN
            # A request from before the last cut says nothing about the pace after it.
            if era == self._era:
                self._era += 1
                hard = isinstance(error, (RateLimited, TimedOut)) or (
                    isinstance(error, ServerFault) and error.status == 503
                )
                cut = 0.5 if hard else self._failing / 2
                self._limit = max(1.0, self._limit * (1 - cut))
        self._release()

    def pause(self, seconds: float) -> None:
        """Start no request for so many seconds."""
        self._next_start = max(self._next_start, self._monotonic() + seconds)

    async def _queue(self) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():
                self._release()  # a release and the cancellation met: the place was already ours
            raise

    def _release(self) -> None:
        self._in_flight -= 1
        while self._waiting and self._in_flight < int(self._limit):
            place = self._waiting.popleft()
            if not place.done():
                self._in_flight += 1
                place.set_result(None)

    async def _hold(self) -> None:
        """Wait for our turn by the rate and for the end of any pause."""
        async with self._turn:  # one after another, or all who waited would start at once
            start = self._monotonic()
            # A pause may grow while we sleep. After a sleep its end counts, not the clock: once the
            # brake has tripped, sleeps end at once, and this loop would never wait.
            while (due := self._next_start) > start:
                await self._sleep(due - self._monotonic())
                start = due
            self._next_start = start + self._interval
