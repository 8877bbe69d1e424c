"""When to try again: bounded attempts, full jitter, ``Retry-After`` (docs/design.md "Retries and outages").

Only a first failure enters tenacity: the many requests that succeed do not pay for it.
"""

import logging
import math
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    before_sleep_log,
    retry_if_exception,
    stop_before_delay,
    wait_random_exponential,
)

from pipeline.service.errors import RateLimited, ServiceError

logger = logging.getLogger(__name__)

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]

_SECONDS = re.compile(r"\d{1,12}(\.\d{1,9})?")


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


def parse_retry_after(value: str | None, now: float) -> float | None:
    """Seconds to wait by a ``Retry-After`` header: a number of seconds, or an HTTP-date.

    ``now``: the service's time, epoch seconds, that a date is measured from. None for a missing or
    meaningless header; never negative, never infinite.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text) and text.isascii():
        return float(text)
    instant = parse_http_date(text)
    return None if instant is None else max(0.0, instant - now)


def parse_http_date(value: str | None) -> float | None:
    """Epoch seconds of an HTTP-date header, or None when it is missing or no date."""
    if not value:
        return None
    try:
        seconds = parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return None
    return seconds if math.isfinite(seconds) else None


async def with_retries(
    policy: RetryPolicy, attempt: Callable[[int], Awaitable[T]], sleep: Sleep
) -> T:
    """Make a request until it succeeds or the policy ends it.

    ``attempt(n)`` makes the n-th try (from 1) and raises `ServiceError`. Returns the first success; raises
    the last error as it came.
    """
    try:
        return await attempt(1)
    except ServiceError as error:
        first = error
    limited = 0

    async def next_try() -> T:
        number = retrying.statistics["attempt_number"]
        if number == 1:  # made outside tenacity: hand its error over
            raise first
        return await attempt(number)

    jitter = wait_random_exponential(multiplier=policy.initial_wait, max=policy.max_wait)

    def wait(state: RetryCallState) -> float:
        asked, spread = policy.asked_wait(_error_of(state)), jitter(state)
        return spread if asked is None else asked + min(spread, policy.initial_wait)

    def used_up(state: RetryCallState) -> bool:
        nonlocal limited
        limited += isinstance(_error_of(state), RateLimited)
        faults = state.attempt_number - limited
        return limited >= policy.rate_limited_attempts or faults >= policy.attempts

    out_of_time = stop_before_delay(policy.max_total)
    retrying = AsyncRetrying(
        retry=retry_if_exception(lambda error: isinstance(error, ServiceError) and error.retryable),
        stop=lambda state: used_up(state) or out_of_time(state),
        wait=wait,
        sleep=sleep,
        before_sleep=before_sleep_log(logger, logging.DEBUG),
        reraise=True,
    )
    return await retrying(next_try)


def _error_of(state: RetryCallState) -> ServiceError:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, ServiceError):  # nothing else is retried
        raise TypeError("only errors of the service are retried")
    return error
