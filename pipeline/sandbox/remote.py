"""The controls of a sandbox in another process: the state's methods, spoken over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

import httpx
import msgspec

from .behaviour import Behaviour
from .clock import ClockReading
from .counters import CountersReading, JournalEntry
from .deeds import Deeds
from .faults import FaultReading, FaultRule, Operation
from .parking import Outcome, ParkingReading, Phase
from .state import Truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .mutations import Mutation

T = TypeVar("T")
_TIMEOUT_SECONDS = 60.0


class RemoteControls(Deeds):
    """Controls of the sandbox at a base URL, with the names SandboxState gives them.

    What a sandbox refuses comes as KeyError (unknown) or ValueError, as it does in process.
    """

    def __init__(self, base_url: str) -> None:
        # The controls are of this machine, whatever proxies are set.
        self._http = httpx.Client(
            base_url=f"{base_url}/sandbox", timeout=_TIMEOUT_SECONDS, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    @property
    def behaviour(self) -> Behaviour:
        """All switches as they are now."""
        return self._call(Behaviour, "GET", "/behaviour")

    def set_behaviour(self, behaviour: Behaviour) -> None:
        """Put all switches as in `behaviour`."""
        self._call(Behaviour, "PUT", "/behaviour", behaviour)

    def change_behaviour(self, **changes: object) -> Behaviour:
        """Put some switches otherwise; returns them all as they are now."""
        return self._call(Behaviour, "PATCH", "/behaviour", changes)

    def faults(self) -> list[FaultReading]:
        """Return the fault rules in force with their counts."""
        return self._call(list[FaultReading], "GET", "/faults")

    def set_faults(self, *rules: FaultRule) -> None:
        """Put these fault rules in force instead of the former (none: all is well again)."""
        self._call(list[FaultReading], "PUT", "/faults", rules)

    def add_fault(self, rule: FaultRule) -> None:
        """Put one more fault rule in force."""
        self._call(list[FaultReading], "POST", "/faults", rule)

    def clock_reading(self) -> ClockReading:
        """Return what the clock shows."""
        return self._call(ClockReading, "GET", "/clock")

    def set_clock(
        self, *, now: int | None = None, advance_ms: int | None = None, frozen: bool | None = None
    ) -> ClockReading:
        """Move the clock to `now` (epoch ms), then by `advance_ms`, then freeze it or let it run."""
        wish = {"now": now, "advance_ms": advance_ms, "frozen": frozen}
        return self._call(ClockReading, "PUT", "/clock", wish)

    def counters(self) -> CountersReading:
        """Return what was counted since the start or the last reset."""
        return self._call(CountersReading, "GET", "/counters")

    def reset_counters(self) -> None:
        """Start counting anew."""
        self._call(CountersReading, "DELETE", "/counters")

    def journal(self) -> list[JournalEntry]:
        """Return the last requests, in the order they ended."""
        return self._call(list[JournalEntry], "GET", "/journal")

    def details_asked(self) -> dict[str, int]:
        """Return how often each activity's details were asked for."""
        return self._call(dict[str, int], "GET", "/counters/details")

    def revoke_tokens(self) -> None:
        """End every token given until now."""
        self._call(dict[str, Any], "DELETE", "/tokens")

    def truth(self, *, include_deleted: bool = False) -> Iterator[Truth]:
        """State every activity that is there now, in order of creation."""
        query = {"include_deleted": "1"} if include_deleted else {}
        with self._http.stream("GET", "/truth", params=query) as response:
            response.raise_for_status()
            # Not by iter_lines, which would split at the line separators Unicode has in texts.
            rest = b""
            for piece in response.iter_bytes():
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    yield msgspec.json.decode(line, type=Truth)

    def truth_of(self, activity_id: str) -> Truth:
        """State one activity, deleted or not; KeyError when there never was one of that id."""
        return self._call(Truth, "GET", f"/truth/{_quoted(activity_id)}")

    def ids(self, *statuses: str) -> list[str]:
        """Return the ids of all activities there are now, oldest first, or those in `statuses`."""
        return self._call(list[str], "GET", "/ids", query={"status": list(statuses)})

    def people(self) -> list[dict[str, Any]]:
        """Return every entity as stated now, each with `phone_country_code` and `phone_number`."""
        return self._call(list[dict[str, Any]], "GET", "/people")

    def mutate(self, mutation: Mutation) -> str:
        """Do a deed now; returns the id it was done to."""
        (done,) = self._call(dict[str, list[str]], "POST", "/mutate", mutation)["ids"]
        return done

    def park(
        self,
        operation: Operation,
        number: int = 1,
        *,
        activity_id: str | None = None,
        phase: Phase = "before",
    ) -> RemoteParking:
        """Set up the parking of the `number`-th such request from now on."""
        wish = {"operation": operation, "number": number, "id": activity_id, "phase": phase}
        reading = self._call(ParkingReading, "POST", "/parking", wish)
        return RemoteParking(self, reading.parking)

    def parking(self, parking: int, wait_seconds: float = 0.0) -> ParkingReading:
        """Return how far a parking is, at once or when its request is parked."""
        query = {"wait": str(wait_seconds)}
        return self._call(ParkingReading, "GET", f"/parking/{parking}", query=query)

    def release(self, parking: int, outcome: Outcome = "answer") -> None:
        """Let a parked request go on to its answer, or have its connection reset."""
        self._call(ParkingReading, "POST", f"/parking/{parking}/release", {"outcome": outcome})

    def _call(
        self,
        kind: type[T],
        method: str,
        path: str,
        body: object = None,
        query: dict[str, Any] | None = None,
    ) -> T:
        content = None if body is None else msgspec.json.encode(body)
        response = self._http.request(method, path, content=content, params=query)
        if response.is_success:
            return msgspec.json.decode(response.content, type=kind)
        problem = f"{response.status_code}: {response.text}"
        raise KeyError(problem) if response.status_code == 404 else ValueError(problem)


class RemoteParking:
    """A parking in another process."""

    def __init__(self, controls: RemoteControls, parking: int) -> None:
        self._controls = controls
        self._parking = parking

    def reading(self) -> ParkingReading:
        """Return how far it is."""
        return self._controls.parking(self._parking)

    def wait(self, timeout_seconds: float = 10.0) -> None:
        """Block until the request is parked; TimeoutError if it doesn't come."""
        reading = self._controls.parking(self._parking, timeout_seconds)
        if reading.stage == "waiting":
            raise TimeoutError(f"no {reading.operation} request number {reading.number} came")

    def release(self, outcome: Outcome = "answer") -> None:
        """Let the request go on to its answer, or have its connection reset."""
        self._controls.release(self._parking, outcome)


def _quoted(activity_id: str) -> str:
    return "".join(f"%{byte:02X}" for byte in activity_id.encode())
