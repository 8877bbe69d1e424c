"""The brake: tells an outage from requests that fail (docs/design.md "Retries and outages").

It counts failures in a row of one kind of operation, with no answer between. An answer to a list request
says nothing of details, so it ends only a row of list requests; any other answer ends every row. When more
have failed than two tries of all requests in flight, and at least `_LEAST`, the client asks for one other
activity. If that fails, too, the brake trips.

An error about one request (400, 403, 404, a wrong shape) is an answer: the service works. The client does
not report failures of activities that failed in an earlier run.
"""

import asyncio
from collections import Counter
from contextlib import suppress

from pipeline.service.errors import ServiceError

_LEAST = 10


class Brake:
    """Once it has ``tripped``, the client refuses every request with that error."""

    def __init__(self, concurrency: int) -> None:
        self.tripped: ServiceError | None = None
        self._most = max(_LEAST, 2 * concurrency + 1)
        self._failures: Counter[str] = Counter()
        self._ended = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Sleep so many seconds, or until the brake trips."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)

    def answered(self, kind: str) -> None:
        """Note an answer to an operation of this kind."""
        if not self._failures:  # nearly always
            return
        if kind == "list":
            del self._failures[kind]
        else:
            self._failures.clear()

    def failed(self, kind: str) -> None:
        """Note a failed attempt."""
        self._failures[kind] += 1

    def suspects(self, kind: str) -> int:
        """Return the number of failures in a row if an outage must be suspected, else 0."""
        return self._failures[kind] if self._failures[kind] >= self._most else 0

    def trip(self, error: ServiceError) -> None:
        """Refuse every further request with ``error``."""
        self.tripped = error
        self._ended.set()  # requests that wait for their next try must fail now, not after the wait
