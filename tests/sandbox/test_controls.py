"""The controls over HTTP, as RemoteControls and bare requests use them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from pipeline.sandbox import Behaviour, FaultRule, RemoteControls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.sandbox import Running

    Serve = Callable[..., Running]
    Connect = Callable[..., httpx.Client]


@pytest.fixture
def running(serve: Serve) -> Running:
    return serve(activities=120)


@pytest.fixture
def controls(running: Running) -> Iterator[RemoteControls]:
    with RemoteControls(running.base_url) as remote:
        yield remote


def test_behaviour(running: Running, controls: RemoteControls) -> None:
    assert controls.behaviour == Behaviour()
    wished = Behaviour(order="id", max_limit=None, hidden_statuses=("EXPIRED",))
    controls.set_behaviour(wished)
    assert running.state.behaviour == wished
    assert controls.change_behaviour(max_limit=7) == wished.changed(max_limit=7)
    for wrong in ({"order": "best"}, {"max_limit": 0}, {"nothing": 1}, {"day_zone": "Mars/X"}):
        with pytest.raises(ValueError, match="400"):
            controls.change_behaviour(**wrong)
    assert running.state.behaviour == wished.changed(max_limit=7)


def test_faults(running: Running, controls: RemoteControls, client: Connect) -> None:
    rules = (FaultRule(kind="status", operation="list", numbers=(1,)), FaultRule(kind="empty"))
    controls.set_faults(rules[0])
    controls.add_fault(rules[1])
    assert [reading.rule for reading in controls.faults()] == list(rules)
    controls.set_faults()
    assert controls.faults() == []
    assert client(running).get("/activities").status_code == 200


def test_the_clock(running: Running, controls: RemoteControls) -> None:
    noon = running.state.clock.now()
    assert controls.clock_reading().now == noon
    assert controls.set_clock(advance_ms=5).now == noon + 5
    assert controls.set_clock(now=77).now == 77
    reading = controls.set_clock(frozen=False)
    assert not reading.frozen
    assert reading.now >= 77
    with pytest.raises(ValueError, match="can't show"):
        controls.set_clock(now=-5)


def test_counters_and_journal(running: Running, controls: RemoteControls, client: Connect) -> None:
    caller = client(running)
    first, second, *_ = running.state.ids()
    for path in (first, second, first, "unknown"):
        caller.get(f"/activities/{path}")
    caller.get("/activities", params={"page": "0"})
    caller.get("/elsewhere")
    counted = controls.counters()
    assert counted == running.counters()
    assert counted.requests == 7
    assert counted.by_operation == {"login": 1, "list": 1, "details": 4, "create": 0, "other": 1}
    assert counted.by_status["details"] == {"200": 3, "404": 1}
    assert counted.by_status["list"] == {"400": 1}
    assert (counted.logins, counted.distinct_details, counted.repeated_details) == (1, 3, 1)
    assert controls.details_asked() == {first: 2, second: 1, "unknown": 1}
    journal = controls.journal()
    assert [entry.number for entry in journal] == [1, 2, 3, 4, 5, 6, 7]
    assert journal[5].target == "/business/v1/activities?page=0"
    assert (journal[5].operation, journal[5].status) == ("list", "400")
    controls.reset_counters()
    assert controls.counters().requests == 0
    assert controls.journal() == []


def test_the_most_requests_at_once(running: Running, client: Connect) -> None:
    callers = [client(running) for _ in range(4)]
    parkings = [running.state.park("list", number) for number in (1, 2, 3, 4)]
    threads = [threading.Thread(target=c.get, args=("/activities",)) for c in callers]
    for thread in threads:
        thread.start()
    for parking in parkings:
        parking.wait()
    assert running.counters().in_flight == 4
    for parking in parkings:
        parking.release()
    for thread in threads:
        thread.join()
    assert (running.counters().in_flight, running.counters().max_concurrent) == (0, 4)


def test_the_truth(running: Running, controls: RemoteControls) -> None:
    assert list(controls.truth()) == list(running.state.truth())
    assert controls.ids("SENT", "DECLINED") == running.state.ids("SENT", "DECLINED")
    assert controls.people() == running.state.people()
    one = running.state.ids()[3]
    assert controls.truth_of(one) == running.state.truth_of(one)
    with pytest.raises(KeyError):
        controls.truth_of("no/such?id")
    controls.delete(one)
    assert one not in [truth.id for truth in controls.truth()]
    assert [t.id for t in controls.truth(include_deleted=True) if t.deleted] == [one]
    assert controls.truth_of(one).deleted


def test_mutations(controls: RemoteControls) -> None:
    new = controls.create(activity_id="ü/1", type="AT_001", in_out_bound="IN", drawn=False)
    assert controls.settle(new, "accept", message="ok") == new
    controls.edit(new, description="edited")
    details = controls.truth_of(new).details_fields() or {}
    assert (details["status"], details["description"]) == ("ACCEPTED", "edited")
    entity_id = controls.change_entity(details["entity"]["id"], name="Renamed")
    assert controls.truth_of(new).row_fields()["entity"]["name"] == "Renamed"
    same = controls.create(entity_id=entity_id)
    assert controls.truth_of(same).row_fields()["entity"]["id"] == entity_id
    controls.enter_status(new, "ODD")
    assert controls.ids("ODD") == [new]
    controls.delete(new)
    controls.restore(new)
    with pytest.raises(ValueError, match="409"):
        controls.restore(new)
    with pytest.raises(ValueError, match="409"):
        controls.settle(new, "accept")
    with pytest.raises(ValueError, match="409"):
        controls.create(activity_id=new)
    with pytest.raises(KeyError):
        controls.delete("nobody")


def test_several_mutations_in_one_request(running: Running) -> None:
    first, second, *_ = running.state.ids()
    deeds = [{"op": "delete", "id": first}, {"op": "edit", "id": second, "changes": {"a": None}}]
    answer = httpx.post(f"{running.base_url}/sandbox/mutate", json=deeds)
    assert answer.json() == {"ids": [first, second]}
    for wrong in ({"op": "explode"}, {"op": "delete"}, [3], "x"):
        assert httpx.post(f"{running.base_url}/sandbox/mutate", json=wrong).status_code == 400


def test_a_raw_payload(running: Running, controls: RemoteControls, client: Connect) -> None:
    (one, *_) = running.state.ids()
    controls.replace_payload(one, details=b"\x00\xff" * 2_000_000)
    assert client(running).get(f"/activities/{one}").content == b"\x00\xff" * 2_000_000


def test_tokens_are_revoked(running: Running, controls: RemoteControls, client: Connect) -> None:
    caller = client(running)
    controls.revoke_tokens()
    assert caller.get("/activities").status_code == 401


def test_parking(running: Running, controls: RemoteControls, client: Connect) -> None:
    caller = client(running)
    parking = controls.park("list")
    with pytest.raises(TimeoutError):
        parking.wait(0.05)
    got: list[Any] = []
    asking = threading.Thread(target=lambda: got.append(caller.get("/activities").status_code))
    asking.start()
    parking.wait(10)
    assert parking.reading().stage == "parked"
    parking.release()
    asking.join()
    assert got == [200]
    assert httpx.get(f"{running.base_url}/sandbox/parking").json()[0]["stage"] == "released"
    with pytest.raises(KeyError):
        controls.parking(99)


def test_the_page_and_health(running: Running, client: Connect) -> None:
    client(running).get("/activities")
    running.state.change_behaviour(instant_key="<script>")
    page = httpx.get(f"{running.base_url}/sandbox/")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "<td>list</td><td>200</td><td>1</td>" in page.text
    assert "<script>" not in page.text
    assert "&lt;script&gt;" in page.text
    assert "://" not in page.text.replace(running.base_url, "")
    health = httpx.get(f"{running.base_url}/sandbox/health").json()
    assert health["ok"] is True
    assert health["activities"] == 120
