"""The brake: tells an outage from requests that fail (docs/design.md "Retries and outages").

It counts whole requests (after their retries) and single attempts, by a monotonic clock. It trips if

* most of at least ``minimum`` whole requests of the last ``window`` failed; or
* attempts fail without one answer in between: ``run_of_attempts`` of them (at least twice the
  concurrency) that were third or later tries, or any ten over a whole ``window``.

First and second tries do not count for the second rule. So a service that fails every request twice
is no outage, and neither is one where a third of all answers are errors. An error about one request
(400, 403, 404, a wrong shape) shows that the service works. An answer that asks us to wait (429,
``Retry-After``) counts for nothing.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.service.errors import Outage, RateLimited, ServiceError
from pipeline.service.retry import Sleep

_EARLY_TRIES = 2
_SLOW_RUN = 10


@dataclass(frozen=True)
class OutagePolicy:
    """Thresholds of the brake. ``window`` in seconds, ``share`` of failed requests above which."""

    window: float = 60.0
    minimum: int = 20
    share: float = 0.5
    run_of_attempts: int = 20


class Brake:
    """Counts outcomes. Once it has ``tripped``, the client refuses every request with that error."""

    def __init__(
        self,
        policy: OutagePolicy,
        concurrency: int,
        sleep: Sleep = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tripped: Outage | None = None
        self._policy = policy
        self._long_run = max(policy.run_of_attempts, 2 * concurrency)
        self._sleep = sleep
        self._monotonic = monotonic
        #: When whole requests ended, and when they failed, within the window.
        self._finished: deque[float] = deque()
        self._failed: deque[float] = deque()
        self._run = 0
        self._late_run = 0
        self._run_began = 0.0
        self._resting: set[asyncio.Future[None]] = set()

    async def rest(self, seconds: float) -> None:
        """Sleep so many seconds, or until the brake trips."""
        if self.tripped is not None:
            return
        # A task of its own: the brake can cancel the sleep without cancelling the request.
        sleeper = asyncio.ensure_future(self._sleep(seconds))
        self._resting.add(sleeper)
        try:
            await asyncio.wait([sleeper])
        finally:
            self._resting.discard(sleeper)
            sleeper.cancel()

    def answered(self) -> None:
        """Note an attempt that found the service working."""
        if self._run:
            self._run = self._late_run = 0

    def attempt_failed(self, error: ServiceError, attempt: int) -> None:
        """Note a failed attempt, the ``attempt``-th (from 1) of its request."""
        if not error.service_failing:
            self.answered()
            return
        if isinstance(error, RateLimited) or getattr(error, "retry_after", None) is not None:
            return
        now = self._monotonic()
        if not self._run:
            self._run_began = now
        self._run += 1
        self._late_run += attempt > _EARLY_TRIES
        lasted = now - self._run_began
        if self._late_run >= self._long_run or (
            self._run >= _SLOW_RUN and lasted >= self._policy.window
        ):
            self._trip(f"the last {self._run} attempts all failed", error)

    def request_succeeded(self) -> None:
        """Note a whole request that got its answer."""
        self._note(self._finished)

    def request_failed(self, error: ServiceError) -> None:
        """Note a whole request that failed, after its retries."""
        total = self._note(self._finished)
        if not error.service_failing:
            return
        failed = self._note(self._failed)
        if total >= self._policy.minimum and failed > self._policy.share * total:
            window = self._policy.window
            self._trip(f"{failed} of {total} requests of the last {window:g} s failed", error)

    def _note(self, times: deque[float]) -> int:
        """Add this moment, drop what is older than the window, and return how many are left."""
        now = self._monotonic()
        times.append(now)
        while times[0] < now - self._policy.window:
            times.popleft()
        return len(times)

    def _trip(self, finding: str, error: ServiceError) -> None:
        if self.tripped is None:
            self.tripped = Outage(
                "the service fails",
                f"{finding} (the last one: {error.cause})",
                "this run sends nothing more; run again once it works",
            )
            # Requests that wait for their next try must fail now, not after the wait.
            for sleeper in self._resting:
                sleeper.cancel()
