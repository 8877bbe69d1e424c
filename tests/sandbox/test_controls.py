"""The controls of a sandbox, all in process."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import Behaviour

if TYPE_CHECKING:
    from pipeline.sandbox import Running
    from tests.sandbox.conftest import Connect, Serve


@pytest.fixture
def running(serve: Serve) -> Running:
    return serve(activities=120)


def test_a_switch_that_does_not_exist_changes_nothing(running: Running) -> None:
    wished = running.state.change_behaviour(order="id", max_limit=None)
    wrongs: list[dict[str, object]] = [
        {"order": "best"}, {"max_limit": 0}, {"nothing": 1}, {"day_zone": "Mars/X"},
    ]  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(ValueError):
            running.state.change_behaviour(**wrong)
    assert running.state.behaviour == wished == Behaviour(order="id", max_limit=None)


def test_counters(running: Running, client: Connect) -> None:
    state, caller = running.state, client(running)
    first, second, *_ = state.ids()
    for path in (first, second, first, "unknown"):
        caller.get(f"/activities/{path}")
    caller.get("/activities", params={"page": "0"})
    caller.get("/elsewhere")
    counted = state.counters()
    assert counted.requests == 7
    assert counted.by_operation == {"login": 1, "list": 1, "details": 4, "other": 1}
    assert counted.by_status["details"] == {"200": 3, "404": 1}
    assert counted.by_status["list"] == {"400": 1}
    assert counted.logins == 1
    assert counted.details == {first: 2, second: 1, "unknown": 1}
    state.reset_counters()
    assert state.counters().requests == 0


def test_the_most_requests_at_once(running: Running, client: Connect) -> None:
    callers = [client(running) for _ in range(4)]
    parkings = [running.state.park("list", number) for number in (1, 2, 3, 4)]
    threads = [threading.Thread(target=c.get, args=("/activities",)) for c in callers]
    for thread in threads:
        thread.start()
    for parking in parkings:
        parking.wait()
    assert running.state.counters().in_flight == 4
    for parking in parkings:
        parking.release()
    for thread in threads:
        thread.join()
    assert (running.state.counters().in_flight, running.state.counters().max_concurrent) == (0, 4)


def test_what_happens_to_activities(running: Running) -> None:
    state = running.state
    new = state.create(activity_id="ü/1", type="AT_001", in_out_bound="IN", drawn=False)
    assert state.move(new, "accept", message="ok") == new
    state.edit(new, description="edited")
    details = state.truth_of(new).details_fields() or {}
    assert (details["status"], details["description"]) == ("ACCEPTED", "edited")
    entity_id = state.change_entity(details["entity"]["id"], name="Renamed")
    assert state.truth_of(new).row_fields()["entity"]["name"] == "Renamed"
    same = state.create(entity_id=entity_id)
    assert state.truth_of(same).row_fields()["entity"]["id"] == entity_id
    state.enter_status(new, "ODD")
    assert state.ids("ODD") == [new]
    state.delete(new)
    state.restore(new)
    with pytest.raises(ValueError, match="ODD can't accept"):
        state.move(new, "accept")
    with pytest.raises(ValueError, match="already"):
        state.create(activity_id=new)
    with pytest.raises(KeyError):
        state.delete("nobody")
