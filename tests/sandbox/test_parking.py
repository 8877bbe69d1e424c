"""Parking a chosen request until it is released."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.support.commands import eventually

if TYPE_CHECKING:
    from tests.sandbox.conftest import Connect, Serve


class Asking(threading.Thread):
    """Sends one request from a thread and keeps what came of it."""

    def __init__(self, caller: httpx.Client, path: str) -> None:
        super().__init__(daemon=True)
        self._caller, self._path = caller, path
        self.got: Any = None
        self.start()

    def run(self) -> None:
        """Send the request."""
        try:
            self.got = self._caller.get(self._path).status_code
        except httpx.TransportError as error:
            self.got = type(error)

    def result(self) -> Any:
        """Return the status, or the kind of error, once it is there."""
        self.join(10)
        assert not self.is_alive()
        return self.got


@pytest.mark.parametrize("phase", ["before", "after"])
@pytest.mark.parametrize(("release", "result"), [("answer", 200), ("reset", httpx.ReadError)])
def test_a_request_is_parked_and_released(
    phase: Any, release: Any, result: Any, serve: Serve, client: Connect
) -> None:
    running = serve()
    caller = client(running)
    parking = running.state.park("list", 2, phase=phase)
    assert caller.get("/activities").status_code == 200
    asking = Asking(caller, "/activities?page=2")
    parking.wait()
    assert parking.stage == "parked"
    assert asking.is_alive()
    # All others go on meanwhile, also the same request.
    assert client(running).get("/activities?page=2").status_code == 200
    parking.release(release)
    assert asking.result() == result


def test_an_id_is_parked(serve: Serve, client: Connect) -> None:
    running = serve()
    first, second, *_ = running.state.ids()
    parking = running.state.park("details", activity_id=second)
    caller = client(running)
    assert caller.get(f"/activities/{first}").status_code == 200
    asking = Asking(caller, f"/activities/{second}")
    parking.wait()
    parking.release()
    assert asking.result() == 200


def test_a_parked_request_takes_effect_without_its_caller(serve: Serve, client: Connect) -> None:
    running = serve()
    before = set(running.state.ids())
    parking = running.state.park("create")
    phone = {"phone_country_code": "PE", "phone_number": "999888777"}
    body = {"description": "late", "phone": phone}
    with pytest.raises(httpx.ReadTimeout):
        client(running).post("/activities/authorizations", json=body, timeout=0.1)
    assert set(running.state.ids()) == before
    parking.release()
    (created,) = eventually(lambda: set(running.state.ids()) - before or None, "it takes effect")
    details = running.state.truth_of(created).details_fields()
    assert details is not None
    assert details["description"] == "late"
