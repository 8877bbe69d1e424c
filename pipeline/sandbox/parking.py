"""Parks a chosen request until it is released, so that a test can act in that very moment."""

from __future__ import annotations

import asyncio
import itertools
import threading
from typing import Literal

import msgspec

from .faults import Operation  # noqa: TC001  # read by msgspec at run time

Phase = Literal["before", "after", "body", "late"]
Outcome = Literal["answer", "reset"]
Stage = Literal["waiting", "parked", "released", "gone"]


class ParkingReading(msgspec.Struct, frozen=True, kw_only=True):
    """A parking and how far it is.

    `waiting` for its request, `parked`, `released`, or `gone` (the caller left while parked).
    """

    parking: int
    operation: Operation
    number: int
    id: str | None
    phase: Phase
    stage: Stage


class Parking:
    """Parks the `number`-th request of `operation` (and activity `id`) from now on, counted from 1.

    `phase`: `before` the service looks at it, `after` it took effect but before the answer, or
    in the middle of the answer's `body`. `late` is as `before`, but what was asked takes effect on
    release even though the caller has left. All methods may be called from any thread.
    """

    def __init__(
        self, parking: int, operation: Operation, number: int, activity_id: str | None, phase: Phase
    ) -> None:
        self.parking = parking
        self.operation = operation
        self.number = number
        self.activity_id = activity_id
        self.phase: Phase = phase
        self._seen = 0
        self._stage: Stage = "waiting"
        self._outcome: Outcome = "answer"
        self._arrived = threading.Event()
        self._arrived_in_loop = asyncio.Event()
        self._released = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def wait(self, timeout_seconds: float = 10.0) -> None:
        """Block until the request is parked; TimeoutError if it doesn't come."""
        if not self._arrived.wait(timeout_seconds):
            raise TimeoutError(f"no {self.operation} request number {self.number} came")

    def release(self, outcome: Outcome = "answer") -> None:
        """Let the request go on to its answer, or have its connection reset."""
        with self._lock:
            self._outcome = outcome
            if self._stage in ("waiting", "parked"):
                self._stage = "released"
            loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._released.set)

    def reading(self) -> ParkingReading:
        """Return how far it is."""
        return ParkingReading(
            parking=self.parking,
            operation=self.operation,
            number=self.number,
            id=self.activity_id,
            phase=self.phase,
            stage=self._stage,
        )

    def meets(self, operation: str, activity_id: str | None) -> bool:
        """Count a request; True when it is the one to park."""
        if self.operation not in ("any", operation) or self.activity_id not in (None, activity_id):
            return False
        self._seen += 1
        return self._seen == self.number and self._stage == "waiting"

    async def hold(self) -> Outcome:
        """Park the current request until it is released; returns what shall become of it."""
        with self._lock:
            if self._stage == "released":
                return self._outcome
            self._stage = "parked"
            self._loop = asyncio.get_running_loop()
        self._arrived.set()
        self._arrived_in_loop.set()
        try:
            await self._released.wait()
        except asyncio.CancelledError:
            self._stage = "gone"
            raise
        return self._outcome

    async def arrived(self, timeout_seconds: float) -> None:
        """Wait in the server's loop until the request is parked, or the time is over."""
        try:
            async with asyncio.timeout(timeout_seconds):
                await self._arrived_in_loop.wait()
        except TimeoutError:
            return


class Parkings:
    """All parkings of a sandbox, by number."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._all: dict[int, Parking] = {}

    def add(
        self, operation: Operation, number: int, activity_id: str | None, phase: Phase
    ) -> Parking:
        """Set up a parking; ValueError when it can never be met."""
        if number < 1:
            raise ValueError("requests are counted from 1")
        if activity_id is not None and operation != "details":
            raise ValueError("an id needs operation `details`")
        parking = Parking(next(self._numbers), operation, number, activity_id, phase)
        self._all[parking.parking] = parking
        return parking

    def get(self, parking: int) -> Parking:
        """Return a parking; KeyError when there is none of that number."""
        return self._all[parking]

    def all(self) -> list[Parking]:
        """Return every parking, in the order they were set up."""
        return list(self._all.values())

    def met(self, operation: str, activity_id: str | None) -> Parking | None:
        """Count a request in every parking; returns the one that parks it."""
        if not self._all:
            return None
        met = [parking for parking in self.all() if parking.meets(operation, activity_id)]
        return met[0] if met else None

    def release_all(self) -> None:
        """Release whatever is parked or waited for."""
        for parking in self.all():
            parking.release()
