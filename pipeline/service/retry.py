"""When to try again: bounded attempts, full jitter, ``Retry-After``.

Implements docs/design.md "Retries and outages".
"""

import asyncio
import logging
import math
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Self, TypeVar

from pipeline.service.errors import RateLimited, ServiceError, TimedOut

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
    is honoured up to ``max_retry_after``. Every wait of the client goes through ``sleep``.
    """

    attempts: int = 5
    rate_limited_attempts: int = 12
    initial_wait: float = 0.5
    max_wait: float = 30.0
    max_total: float = 300.0
    max_retry_after: float = 120.0
    sleep: Sleep = field(default=asyncio.sleep, repr=False, compare=False)

    @classmethod
    def immediate(cls, attempts: int = 3) -> Self:
        """Test mode: as many attempts, no waiting at all, whatever the service asks for."""
        return cls(
            attempts=attempts,
            rate_limited_attempts=attempts,
            initial_wait=0.0,
            max_wait=0.0,
            max_retry_after=0.0,
        )

    def asked_wait(self, error: ServiceError) -> float | None:
        """Seconds of the error's ``Retry-After`` within our cap, or None when it has none."""
        asked = error.retry_after
        return None if asked is None else min(asked, self.max_retry_after)

    def draw_wait(self, error: ServiceError, attempt: int) -> float:
        """Draw the seconds to wait after the ``attempt``-th try (from 1) ended with ``error``."""
        longest = min(self.max_wait, self.initial_wait * 2 ** (attempt - 1))
        jitter = random.uniform(0, longest)  # noqa: S311
        asked = self.asked_wait(error)
        return jitter if asked is None else asked + min(jitter, self.initial_wait)


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


async def persist(
    policy: RetryPolicy,
    attempt: Callable[[int], Awaitable[T]],
    rest: Sleep,
    *,
    failed: int = 0,
    once: Callable[[], bool] = lambda: False,
) -> T:
    """Make a request until it succeeds or the policy ends it.

    ``attempt(n)`` makes the n-th try (from 1) and raises `ServiceError`; ``rest(seconds)`` waits.
    ``failed``: tries made before. ``once()``, asked after the first try: whether it is the only one.
    Returns the first success; raises the last error as it came.
    """
    started = time.monotonic()
    limited, faults = 0, failed
    while True:
        number = limited + faults + 1
        try:
            return await attempt(number)
        except ServiceError as error:
            failure = error
        if not failure.retryable or (number == failed + 1 and once()):
            raise failure
        # Others are answered meanwhile, so what takes long is given up at half the number.
        weight = 2 if failure.alone and isinstance(failure, TimedOut | RateLimited) else 1
        if isinstance(failure, RateLimited):
            limited += weight
        else:
            faults += weight
        wait = policy.draw_wait(failure, number - failed)
        too_late = time.monotonic() - started + wait > policy.max_total
        if limited >= policy.rate_limited_attempts or faults >= policy.attempts or too_late:
            raise failure
        number = limited + faults + 1
        logger.debug("%s; trying again in %.1f s (attempt %d)", failure, wait, number)
        await rest(wait)
