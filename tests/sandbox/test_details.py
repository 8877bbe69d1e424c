"""The details operation (docs/service.md 4.4) and the switches about it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import Behaviour
from tests.support.forms import Form

if TYPE_CHECKING:
    import httpx

    from tests.sandbox.conftest import Connect, Serve


REQUIRED = {
    "id", "type", "type_name", "in_out_bound", "description", "status", "notification_message",
    "time_zone", "valid_until", "attended_at", "completed_at", "expires_at", "created_at",
    "updated_at",
}  # fmt: skip
ALSO = {
    "entity", "requirements", "accepted_requirements", "declined_requirements", "timeline",
    "expires_in",
}  # fmt: skip


def read(caller: httpx.Client, activity_id: str) -> dict[str, Any]:
    answer = caller.get(f"/activities/{activity_id}")
    assert answer.status_code == 200, answer.text
    fields: dict[str, Any] = answer.json()
    return fields


def test_details_carry_every_field(serve: Serve, client: Connect) -> None:
    running = serve(behaviour=Behaviour(form=Form(unset="null")))
    caller = client(running)
    for activity_id in running.state.ids():
        assert read(caller, activity_id).keys() == REQUIRED | ALSO


def test_list_and_details_agree_with_each_other_and_the_truth(
    serve: Serve, client: Connect
) -> None:
    running = serve(activities=80)
    caller = client(running)
    rows = {row["id"]: row for row in caller.get("/activities?limit=100").json()["data"]}
    assert rows.keys() == set(running.state.ids())
    for truth in running.state.truth():
        details = read(caller, truth.id)
        assert truth.row_fields() == rows[truth.id]
        assert truth.details_fields() == details
        assert rows[truth.id].items() <= details.items()


@pytest.mark.parametrize("status", [404, 403])
def test_an_unknown_id_is_refused(status: int, serve: Serve, client: Connect) -> None:
    running = serve(activities=1)
    running.state.change_behaviour(unknown_id_status=status)
    assert client(running).get("/activities/no-such-id").status_code == status


def test_what_is_not_created_yet_is_unknown(serve: Serve, client: Connect) -> None:
    running = serve(activities=0, people=1)
    caller = client(running)
    later = running.state.clock.now() + 1000
    activity_id = running.state.create(created_at=later)
    assert caller.get(f"/activities/{activity_id}").status_code == 404
    assert caller.get("/activities").json()["data"] == []
    running.state.set_clock(now=later)
    assert read(caller, activity_id)["created_at"] == later
    assert len(caller.get("/activities").json()["data"]) == 1


def test_accepted_and_declined_make_up_what_was_requested(serve: Serve, client: Connect) -> None:
    running = serve()
    caller = client(running)

    def codes(requirements: list[dict[str, Any]]) -> set[tuple[str, str | None]]:
        return {
            (requirement["code"], item)
            for requirement in requirements
            for item in [i["code"] for i in requirement["items"]] or [None]
        }

    in_part = 0
    for activity_id in running.state.ids("ACCEPTED", "COMPLETED", "EXPIRED"):
        details = read(caller, activity_id)
        accepted = codes(details["accepted_requirements"])
        declined = codes(details["declined_requirements"])
        assert accepted
        assert accepted | declined == codes(details["requirements"])
        assert not accepted & declined
        in_part += bool(declined)
    assert in_part > 5
    for activity_id in running.state.ids("DECLINED"):
        details = read(caller, activity_id)
        assert details["declined_requirements"] == details["requirements"]
        assert details["accepted_requirements"] == []


def test_the_timeline_tells_the_instants(serve: Serve, client: Connect) -> None:
    running = serve()
    caller = client(running)
    for activity_id in running.state.ids():
        details = read(caller, activity_id)
        last = details["timeline"][-1]
        assert last["status"] == details["status"]
        told = [dt.datetime.fromisoformat(e["date_time"]).timestamp() for e in details["timeline"]]
        assert told == sorted(told)
        assert round(told[0] * 1000) == details["created_at"]
        assert round(told[-1] * 1000) == details["updated_at"]
        assert details["timeline"][0].keys() == {
            "status", "date_time", "message", "http_request_id",
        }  # fmt: skip


@pytest.mark.parametrize("how", ["without_data", "forbidden"])
def test_what_is_left_after_the_expiry(how: str, serve: Serve, client: Connect) -> None:
    running = serve()
    running.state.change_behaviour(expired_details=how)
    caller = client(running)
    (activity_id, *_) = running.state.ids("EXPIRED")
    answer = caller.get(f"/activities/{activity_id}")
    truth = running.state.truth_of(activity_id)
    assert truth.row_fields()["status"] == "EXPIRED"
    if how == "forbidden":
        assert answer.status_code == 403
        assert truth.details_fields() is None
    else:
        (accepted, *_) = answer.json()["accepted_requirements"]
        assert accepted.keys() == {"code", "type", "category", "items"}
        assert all(item.keys() == {"code", "type"} for item in accepted["items"])
