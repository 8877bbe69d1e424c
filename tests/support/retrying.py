"""A retry policy for tests: as many attempts, no waiting at all, whatever the service asks for."""

from __future__ import annotations

from pipeline.service.retry import RetryPolicy


def immediate(attempts: int = 3) -> RetryPolicy:
    """Return a policy of so many attempts, answers 429 included."""
    return RetryPolicy(
        attempts=attempts,
        rate_limited_attempts=attempts,
        initial_wait=0.0,
        max_wait=0.0,
        max_retry_after=0.0,
    )
