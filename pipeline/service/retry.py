"""When to try again: so often, full jitter, ``Retry-After`` (docs/design.md "Retries and outages").

Which errors are retried: the tree in `errors` says it. A creation, and details that are asked for ``once``
or are ``sick``, are never retried (see `client`).
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar, cast

import tenacity

from pipeline.service.errors import ServiceError

logger = logging.getLogger(__name__)

#: Statuses that say that too much is asked.
OVERLOADED = (429, 503)

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class RetryPolicy:
    """How a failed request is tried again (all times in seconds).

    ``attempts`` bounds the tries of one request, the first included; answers 429 and 503 are counted apart,
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


async def with_retries(policy: RetryPolicy, attempt: Callable[[], Awaitable[T]], sleep: Sleep) -> T:
    """Make a request until it succeeds or the policy ends it.

    ``attempt()`` makes one try and raises `ServiceError`. Returns the first success; raises the last error
    as it came.
    """
    jitter = tenacity.wait_random_exponential(multiplier=policy.initial_wait, max=policy.max_wait)
    out_of_time = tenacity.stop_before_delay(policy.max_total)
    limited = 0

    def wait(state: tenacity.RetryCallState) -> float:
        asked, spread = _failure(state).retry_after, jitter(state)
        if asked is None:
            return spread
        return min(asked, policy.max_retry_after) + min(spread, policy.initial_wait)

    def stop(state: tenacity.RetryCallState) -> bool:
        nonlocal limited
        limited += _failure(state).status in OVERLOADED
        used_up = limited >= policy.rate_limited_attempts
        return used_up or state.attempt_number - limited >= policy.attempts or out_of_time(state)

    retrying = tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, ServiceError) and error.retryable
        ),
        stop=stop,
        wait=wait,
        sleep=sleep,
        before_sleep=tenacity.before_sleep_log(logger, logging.DEBUG),
        reraise=True,
    )
    return await retrying(attempt)


def _failure(state: tenacity.RetryCallState) -> ServiceError:
    """Return the error of the last try, which has failed."""
    return cast("ServiceError", state.outcome and state.outcome.exception())
