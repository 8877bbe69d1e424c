"""Counts the requests that the service got, for tests."""

from __future__ import annotations

from collections import Counter

import msgspec

OPERATIONS = ("login", "list", "details", "create", "other")


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Counts since the start or the last reset.

    `by_status` counts answers by operation and status code, or by what happened to the connection
    instead (`reset`, `reset_body`, `hang`; `gone`: the caller left first). `logins` are those that
    gave a token. `distinct_details` counts the ids asked for, `repeated_details` the requests
    beyond the first for an id. `max_concurrent` counts requests that the service works on at once.
    """

    requests: int
    by_operation: dict[str, int]
    by_status: dict[str, dict[str, int]]
    logins: int
    distinct_details: int
    repeated_details: int
    max_concurrent: int
    in_flight: int


class Counters:
    """Running counts; `details` counts the requests by activity id."""

    def __init__(self) -> None:
        self._in_flight = 0
        self.reset()

    def reset(self) -> None:
        """Set all counts to zero, except that of the requests in flight."""
        self._operations: Counter[str] = Counter()
        self._statuses: Counter[tuple[str, str]] = Counter()
        self.details: Counter[str] = Counter()
        self._most = self._in_flight

    def begin(self, operation: str, activity_id: str | None) -> None:
        """Count a request in."""
        self._operations[operation] += 1
        if activity_id is not None:
            self.details[activity_id] += 1
        self._in_flight += 1
        self._most = max(self._most, self._in_flight)

    def end(self, operation: str, status: str) -> None:
        """Count a request out."""
        self._in_flight -= 1
        self._statuses[operation, status] += 1

    def read(self) -> Counts:
        """Return the counts as they are now."""
        by_status: dict[str, dict[str, int]] = {}
        for (operation, status), count in sorted(self._statuses.items()):
            by_status.setdefault(operation, {})[status] = count
        return Counts(
            requests=self._operations.total(),
            by_operation={name: self._operations[name] for name in OPERATIONS},
            by_status=by_status,
            logins=self._statuses["login", "201"],
            distinct_details=len(self.details),
            repeated_details=self.details.total() - len(self.details),
            max_concurrent=self._most,
            in_flight=self._in_flight,
        )
