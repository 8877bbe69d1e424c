"""Parks a chosen request until it is released, so that a test can act in that very moment."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .faults import Operation

Phase = Literal["before", "after"]
Outcome = Literal["answer", "reset"]
Stage = Literal["waiting", "parked", "released"]


class Parking:
    """Parks the `number`-th request of `operation` (and activity `id`) from now on, counted from 1.

    `phase`: `before` the service looks at it, or `after` it took effect but before the answer. It goes
    on as it is released, whether its caller still waits or not. All methods but `hold` may be called
    from any thread.
    """

    def __init__(
        self, operation: Operation, number: int, activity_id: str | None, phase: Phase
    ) -> None:
        self.phase: Phase = phase
        self._operation, self._number, self._activity_id = operation, number, activity_id
        self._seen = 0
        self._arrived = threading.Event()
        self._outcome: Future[Outcome] = Future()

    @property
    def stage(self) -> Stage:
        """Whether the request is waited for, parked, or released."""
        if self._outcome.done():
            return "released"
        return "parked" if self._arrived.is_set() else "waiting"

    def wait(self, timeout_seconds: float = 10.0) -> None:
        """Block until the request is parked; TimeoutError if it doesn't come."""
        if not self._arrived.wait(timeout_seconds):
            raise TimeoutError(f"no {self._operation} request number {self._number} came")

    def release(self, outcome: Outcome = "answer") -> None:
        """Let the request go on to its answer, or have its connection reset. The first call counts."""
        with suppress(InvalidStateError):
            self._outcome.set_result(outcome)

    def meets(self, operation: str, activity_id: str | None) -> bool:
        """Count a request; True when it is the one to park."""
        same_activity = self._activity_id in (None, activity_id)
        if self._operation not in ("any", operation) or not same_activity:
            return False
        self._seen += 1
        return self._seen == self._number and self.stage == "waiting"

    async def hold(self) -> Outcome:
        """Park the current request until it is released; returns what to do with it."""
        self._arrived.set()
        return await asyncio.wrap_future(self._outcome)
