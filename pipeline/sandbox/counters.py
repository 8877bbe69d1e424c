"""Counts what the service was asked, for tests and the overview page."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any

import msgspec

OPERATIONS = ("login", "list", "details", "create", "other")


class JournalEntry(msgspec.Struct, frozen=True):
    """One request: its number, operation, path with query, status and instant (epoch ms).

    `status` is text: the status code, or what was done to the connection instead.
    """

    number: int
    operation: str
    target: str
    status: str
    at: int


class CountersReading(msgspec.Struct, frozen=True, kw_only=True):
    """Counts since the start or the last reset.

    `by_status` counts answers by operation and status code, or by what was done to the
    connection (`reset`, `cut`, `gone`: the caller left first). `logins` are those that gave a
    token. `distinct_details` counts the ids asked for, `repeated_details` requests beyond the
    first for an id. `max_concurrent` is of requests in the service's hands at once: without
    latency or parking each is answered before the next is looked at.
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
    """Running counts, with a journal of the last requests."""

    def __init__(self) -> None:
        self._flying = 0
        self.reset()

    def reset(self) -> None:
        """Start counting anew."""
        self._operations: Counter[str] = Counter()
        self._statuses: Counter[tuple[str, str]] = Counter()
        self._details: Counter[str] = Counter()
        self._most = self._flying
        self._number = 0
        self._journal: deque[JournalEntry] = deque(maxlen=20_000)

    def begin(self, operation: str, activity_id: str | None) -> int:
        """Count a request in; returns its number, from 1."""
        self._number += 1
        self._operations[operation] += 1
        if activity_id is not None:
            self._details[activity_id] += 1
        self._flying += 1
        self._most = max(self._most, self._flying)
        return self._number

    def end(self, number: int, operation: str, target: str, status: str, at: int) -> None:
        """Count a request out, as answered with `status`."""
        self._flying -= 1
        self._statuses[operation, status] += 1
        self._journal.append(JournalEntry(number, operation, target, status, at))

    def reading(self) -> CountersReading:
        """Return the counts as they are now."""
        by_status: dict[str, dict[str, int]] = {}
        for (operation, status), count in sorted(self._statuses.items()):
            by_status.setdefault(operation, {})[status] = count
        asked = self._details.total()
        return CountersReading(
            requests=self._number,
            by_operation={name: self._operations[name] for name in OPERATIONS},
            by_status=by_status,
            logins=self._statuses["login", "201"],
            distinct_details=len(self._details),
            repeated_details=asked - len(self._details),
            max_concurrent=self._most,
            in_flight=self._flying,
        )

    def journal(self) -> list[JournalEntry]:
        """Return the last requests (20,000 at most), in the order they ended."""
        return list(self._journal)

    def asked(self) -> dict[str, Any]:
        """Return how often each activity's details were asked for."""
        return dict(self._details)
