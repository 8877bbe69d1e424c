"""When to try again: so often, full jitter, ``Retry-After`` (docs/design.md "Retries and outages")."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from pipeline.service.errors import RateLimited, ServiceError

logger = logging.getLogger(__name__)

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class RetryPolicy:
    """How a failed request is tried again (all times in seconds).

    ``attempts`` bounds the tries of one request, the first included; answers 429 are counted apart,
    by ``rate_limited_attempts``, since they say nothing about the request. ``initial_wait``
    doubles per attempt up to ``max_wait``; the wait is drawn evenly from zero to that (full jitter).
    ``max_total`` bounds one request from its first try to the start of its last. A ``Retry-After``
    is honoured up to ``max_retry_after``.
    """

    attempts: int = 5
    rate_limited_attempts: int = 12
    initial_wait: float = 0.5
    max_wait: float = 30.0
    max_total: float = 300.0
    max_retry_after: float = 120.0

    def asked_wait(self, error: ServiceError) -> float | None:
        """Seconds of the error's ``Retry-After`` within our cap, or None when it has none."""
        asked = error.retry_after
        return None if asked is None else min(asked, self.max_retry_after)


async def with_retries(
    policy: RetryPolicy, attempt: Callable[[int], Awaitable[T]], sleep: Sleep
) -> T:
    """Make a request until it succeeds or the policy ends it.

    ``attempt(n)`` makes the n-th try (from 1) and raises `ServiceError`. Returns the first success; raises
    the last error as it came.
    """
    failures: list[ServiceError] = []

    async def next_try() -> T:
        try:
            return await attempt(len(failures) + 1)
        except ServiceError as error:
            failures.append(error)
            raise

    jitter = tenacity.wait_random_exponential(multiplier=policy.initial_wait, max=policy.max_wait)

    def wait(state: tenacity.RetryCallState) -> float:
        asked, spread = policy.asked_wait(failures[-1]), jitter(state)
        return spread if asked is None else asked + min(spread, policy.initial_wait)

    def used_up(_: tenacity.RetryCallState) -> bool:
        limited = sum(isinstance(error, RateLimited) for error in failures)
        faults = len(failures) - limited
        return limited >= policy.rate_limited_attempts or faults >= policy.attempts

    out_of_time = tenacity.stop_before_delay(policy.max_total)
    retrying = tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, ServiceError) and error.retryable
        ),
        stop=lambda state: used_up(state) or out_of_time(state),
        wait=wait,
        sleep=sleep,
        before_sleep=tenacity.before_sleep_log(logger, logging.DEBUG),
        reraise=True,
    )
    return await retrying(next_try)
