"""How many requests at once, and how fast (docs/design.md "Retries and outages").

The limit starts at the configured concurrency. Failures in a row cut it: one alone may be the fault
of what it asked for, and so may one that others overtook, which were sent later and are answered. A
cut halves the limit, at most once a round trip: only requests that started after the last cut can
cause the next one. A round trip of successes adds one.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from pipeline.service.errors import ServiceError
from pipeline.service.retry import Sleep

#: So many failures in a row cut the limit; fewer where fewer requests are in flight.
_IN_A_ROW = 3


class Pace:
    """Lets requests in. Every `enter` must be followed by exactly one `leave` or `release`.

    ``sent``: how many were let in so far.
    """

    def __init__(
        self,
        max_concurrency: int,
        requests_per_second: float | None,
        sleep: Sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._whole = self._most = max_concurrency
        self._limit = float(max_concurrency)
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.sent = 0
        self._in_a_row = 0
        #: Numbers of requests: the newest that was answered, and the newest before the last cut.
        self._answered = self._cut = 0
        self._whole_interval = 1 / requests_per_second if requests_per_second else 0.0
        self._interval = self._whole_interval
        self._next_start = 0.0
        self._turn = asyncio.Lock()
        self._sleep = sleep
        self._monotonic = monotonic

    @property
    def limit(self) -> int:
        """How many requests may be in flight now."""
        return int(self._limit)

    def share(self, members: int) -> None:
        """Take an equal part of the rate and of the requests in flight: one of ``members`` parts."""
        most = max(1, self._whole // members)
        # A limit that was cut while the service returned errors grows again by itself.
        self._limit = most if self._limit >= self._most else min(self._limit, most)
        self._most = most
        self._interval = self._whole_interval * members
        self._admit()

    async def enter(self) -> int:
        """Wait for a place and for the time to start; return the request's number, from 1."""
        if self._waiting or self._in_flight >= int(self._limit):
            await self._queue()
        else:
            self._in_flight += 1
        if self._interval or self._next_start:
            try:
                await self._hold()
            except BaseException:
                self.release()
                raise
        self.sent += 1
        return self.sent

    def leave(self, number: int, error: ServiceError | None) -> None:
        """Give the place of a request back, with the failure of the attempt or None."""
        if error is None or not error.service_failing:
            self._in_a_row = 0
            self._answered = max(self._answered, number)
            if self._limit < self._most:
                self._limit = min(self._limit + 1 / self._limit, self._most)
        else:
            self._in_a_row += 1
            # A request from before the last cut says nothing about the pace after it.
            if number > max(self._cut, self._answered) and self._in_a_row >= min(
                _IN_A_ROW, self.limit
            ):
                self._cut = self.sent
                self._limit = max(1.0, self._limit / 2)
        self.release()

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
                self.release()  # a release and the cancellation met: the place was already ours
            raise

    def release(self) -> None:
        """Give a place back without judging the attempt."""
        self._in_flight -= 1
        self._admit()

    def _admit(self) -> None:
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
