"""Counts the requests that the service got, for tests."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass(kw_only=True)
class Counts:
    """Counts since the start or the last reset.

    `by_status` counts answers by operation and status code, or by what was done to the connection
    instead (`reset`, `reset_body`, `hang`). `details` counts the requests for each activity's details.
    `max_concurrent` and `in_flight` count requests that the service works on at once.
    """

    by_operation: Counter[str] = field(default_factory=Counter)
    by_status: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    details: Counter[str] = field(default_factory=Counter)
    max_concurrent: int = 0
    in_flight: int = 0

    @property
    def requests(self) -> int:
        """How many requests came."""
        return self.by_operation.total()

    @property
    def logins(self) -> int:
        """How many logins gave a token."""
        return self.by_status["login"]["201"]

    def begin(self, operation: str, activity_id: str | None) -> None:
        """Count a request in."""
        self.by_operation[operation] += 1
        if activity_id is not None:
            self.details[activity_id] += 1
        self.in_flight += 1
        self.max_concurrent = max(self.max_concurrent, self.in_flight)

    def end(self, operation: str, status: str) -> None:
        """Count a request out."""
        self.in_flight -= 1
        self.by_status[operation][status] += 1
