"""The brake: tells an outage from requests that fail (docs/design.md "Retries and outages").

It counts whole requests (after their retries) and single attempts, by a monotonic clock. It suspects
an outage if

* most of at least `_MINIMUM` whole requests for single activities of the last `_WINDOW` failed; or
* attempts fail without one answer in between: `_RUN` of them (at least twice the concurrency) that
  were third or later tries, or any `_SLOW_RUN` over a whole `_WINDOW`.

First and second tries do not count for the second rule. So a service that fails every request twice
is no outage, and neither is one where a third of all answers are errors. An error about one request
(400, 403, 404, a wrong shape) shows that the service works. An answer that asks us to wait (429,
``Retry-After``) counts for nothing. Attempts of
what is known to fail by itself are not reported here; its whole requests are.

Activities that fail for good may stand together. So the client asks for details of others before the
brake trips (`Brake.settle`).
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from pipeline.service.errors import Outage, RateLimited, ServiceError

#: Seconds; and of the whole requests in them, the least number and the share of failures to judge by.
_WINDOW, _MINIMUM, _SHARE = 60.0, 20, 0.6
#: Failed attempts in a row; first and second tries are early.
_RUN, _SLOW_RUN, _EARLY_TRIES = 20, 10, 2


class Brake:
    """Counts outcomes. Once it has ``tripped``, the client refuses every request with that error.

    ``suspected``: the same error, while nobody has asked whether other activities are answered.
    """

    def __init__(self, concurrency: int, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.tripped: Outage | None = None
        self.suspected: Outage | None = None
        self._long_run = max(_RUN, 2 * concurrency)
        self._monotonic = monotonic
        #: When whole requests ended, and when they failed, within the window.
        self._finished: deque[float] = deque()
        self._failed: deque[float] = deque()
        #: Failed attempts since the last answer: all, those that count, and the late ones of these.
        self._unanswered = 0
        self._run = 0
        self._late_run = 0
        self._run_began = 0.0
        self._ended = asyncio.Event()

    @property
    def calm(self) -> bool:
        """Whether requests are being answered: few attempts in a row have failed."""
        return self._unanswered < self._long_run // 2

    async def rest(self, seconds: float) -> None:
        """Sleep so many seconds, or until the brake trips."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)

    def answered(self) -> None:
        """Note an attempt that found the service working."""
        self._unanswered = self._run = self._late_run = 0

    def attempt_failed(self, error: ServiceError, attempt: int) -> None:
        """Note a failed attempt, the ``attempt``-th (from 1) of its request."""
        if not error.service_failing:
            self.answered()
            return
        self._unanswered += 1
        if isinstance(error, RateLimited) or error.retry_after is not None:
            return
        now = self._monotonic()
        if not self._run:
            self._run_began = now
        self._run += 1
        self._late_run += attempt > _EARLY_TRIES
        lasted = now - self._run_began
        if self._late_run >= self._long_run or (self._run >= _SLOW_RUN and lasted >= _WINDOW):
            self._suspect(f"the last {self._run} attempts all failed", error)

    def request_ended(self, error: ServiceError | None = None) -> None:
        """Note a whole request, with the failure that was left after its retries."""
        total = self._note(self._finished)
        if error is None or not error.service_failing:
            return
        failed = self._note(self._failed)
        if total >= _MINIMUM and failed > _SHARE * total:
            self._suspect(f"{failed} of {total} requests of the last {_WINDOW:g} s failed", error)

    def _note(self, times: deque[float]) -> int:
        """Add this moment, drop what is older than the window, and return how many are left."""
        now = self._monotonic()
        times.append(now)
        while times[0] < now - _WINDOW:
            times.popleft()
        return len(times)

    def settle(self, *, answered: bool) -> None:
        """Drop the suspicion if others were answered; trip if not."""
        self.suspected, suspected = None, self.suspected
        if answered:
            self.answered()
            self._failed.clear()
            return
        self.tripped = suspected
        # Requests that wait for their next try must fail now, not after the wait.
        self._ended.set()

    def _suspect(self, finding: str, error: ServiceError) -> None:
        if self.tripped is None and self.suspected is None:
            remedy = f"{error.remedy}; " if error.remedy else ""
            self.suspected = Outage(
                "the service fails",
                f"{finding} (the last one: {error.cause})",
                f"{remedy}this run sends nothing more; run again once it works",
            )
