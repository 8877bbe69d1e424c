"""Parks a chosen request until it is released, so that a test can act in that very moment.

stage      event                        next stage
waiting    the request comes            parked
waiting    release                      released   (the request is not held)
parked     release                      released
parked     the caller leaves            gone
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .faults import Operation

Phase = Literal["before", "after", "body", "late"]
Outcome = Literal["answer", "reset"]
Stage = Literal["waiting", "parked", "released", "gone"]


class Parking:
    """Parks the `number`-th request of `operation` (and activity `id`) from now on, counted from 1.

    `phase`: `before` the service looks at it, `after` it took effect but before the answer, or in
    the middle of the answer's `body`. `late` is as `before`, but what was asked takes effect on
    release even if the caller has left. All methods but `hold` may be called from any thread.
    """

    def __init__(
        self, operation: Operation, number: int, activity_id: str | None, phase: Phase
    ) -> None:
        self.phase: Phase = phase
        self.stage: Stage = "waiting"
        self._operation, self._number, self._activity_id = operation, number, activity_id
        self._seen = 0
        self._lock = threading.Lock()
        self._arrived = threading.Event()
        self._outcome: Future[Outcome] = Future()

    def wait(self, timeout_seconds: float = 10.0) -> None:
        """Block until the request is parked; TimeoutError if it doesn't come."""
        if not self._arrived.wait(timeout_seconds):
            raise TimeoutError(f"no {self._operation} request number {self._number} came")

    def release(self, outcome: Outcome = "answer") -> None:
        """Let the request go on to its answer, or have its connection reset."""
        with self._lock:
            if self.stage in ("waiting", "parked"):
                self.stage = "released"
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
        with self._lock:
            if self.stage == "waiting":
                self.stage = "parked"
        self._arrived.set()
        try:
            # Shielded, so that a caller who leaves cancels the wait but not the outcome, which
            # another thread may be setting at this moment.
            return await asyncio.shield(asyncio.wrap_future(self._outcome))
        except asyncio.CancelledError:
            with self._lock:
                if self.stage == "parked":
                    self.stage = "gone"
            raise
