"""The fault switches, as a caller sees them over real connections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

from pipeline.sandbox import Answer, FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Asked
    from tests.sandbox.conftest import Connect, Serve


def outcome(caller: httpx.Client, path: str = "/activities") -> Any:
    """Return the status, or the kind of error the connection ended in."""
    try:
        return caller.get(path, timeout=0.5).status_code
    except httpx.TransportError as error:
        return type(error)


@pytest.mark.parametrize("operation", ["login", "list", "details", "create"])
def test_a_status_for_one_operation(operation: Any, serve: Serve, client: Connect) -> None:
    running = serve(activities=2)
    caller = client(running)
    wanted = running.credentials
    running.state.set_faults(FaultRule(kind="status", operation=operation, status=503))
    basic = httpx.BasicAuth(wanted.username, wanted.password)
    answers = {
        "login": caller.post("/auth", auth=basic),
        "list": caller.get("/activities"),
        "details": caller.get(f"/activities/{running.state.ids()[0]}"),
        "create": caller.post("/activities/authorizations", json={}),
    }
    healthy = {"login": 201, "list": 200, "details": 200, "create": 400}
    assert {name: answer.status_code for name, answer in answers.items()} == {
        **healthy,
        operation: 503,
    }


def test_the_connection_ends_in_the_body(serve: Serve, client: Connect) -> None:
    running = serve()
    caller = client(running)
    whole = caller.get("/activities").content
    running.state.set_faults(FaultRule(kind="reset_body", operation="list"))
    received: list[bytes] = []
    with caller.stream("GET", "/activities") as answer:
        assert answer.status_code == 200
        assert int(answer.headers["Content-Length"]) == len(whole)
        with pytest.raises(httpx.ReadError):
            received.extend(answer.iter_raw())
    assert b"".join(received) == whole[: len(whole) // 2]
    assert running.state.counters().by_status["list"] == {"200": 1, "reset_body": 1}


def test_answers_changed_by_a_function(serve: Serve, client: Connect) -> None:
    running = serve()
    caller = client(running)
    second = caller.get("/activities?page=2&limit=5").json()

    def change(asked: Asked, answer_of: Callable[[Asked], Answer]) -> Answer:
        """Answer the next page instead, its rows in the other order."""
        other = msgspec.structs.replace(asked, query=asked.query.replace("page=1", "page=2"))
        page = msgspec.json.decode(answer_of(other).body)
        return Answer(200, msgspec.json.encode(page | {"data": page["data"][::-1]}))

    running.state.set_faults(FaultRule(kind="change", operation="list", change=change))
    assert caller.get("/activities?page=1&limit=5").json() == {
        "has_next": True,
        "data": second["data"][::-1],
    }


def test_the_first_attempts_of_each_distinct_request(serve: Serve, client: Connect) -> None:
    running = serve()
    caller = client(running)
    running.state.set_faults(FaultRule(kind="status", operation="any", first_attempts=2))
    paths = ["/activities", "/activities?page=2", f"/activities/{running.state.ids()[0]}"]
    for _ in range(2):
        assert [outcome(caller, path) for path in paths] == [500, 500, 500]
    assert [outcome(caller, path) for path in paths] == [200, 200, 200]
