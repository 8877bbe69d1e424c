"""Creating an Authorization (docs/service.md 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest

from pipeline.sandbox import Behaviour, FaultRule
from tests.support.forms import Form

if TYPE_CHECKING:
    from tests.sandbox.conftest import Connect, Serve


PATH = "/activities/authorizations"
HOUR_MS = 3_600_000


def body(**changes: Any) -> dict[str, Any]:
    whole = {
        "description": "Please share this",
        "phone": {"phone_country_code": "pe", "phone_number": "987654321"},
        "validity_threshold": {"time_unit": "HOURS", "amount": 1.5},
        "requirements": [
            {"code": "RQ_002", "items": [{"code": "IDT_001"}]},
            {"code": "RQ_003"},
            {"code": "RQ_099", "items": []},
        ],
    }
    return {name: value for name, value in (whole | changes).items() if value is not ...}


def test_it_makes_an_activity_that_only_the_list_tells(serve: Serve, client: Connect) -> None:
    running = serve(behaviour=Behaviour(form=Form(unset="null")))
    caller = client(running)
    before = set(running.state.ids())

    answer = caller.post(PATH, json=body())

    assert answer.status_code == 201
    assert answer.content == b""
    (row,) = caller.get("/activities", params={"limit": 1}).json()["data"]
    assert set(running.state.ids()) - before == {row["id"]}
    now = running.state.clock.now()
    details = caller.get(f"/activities/{row['id']}").json()
    assert details["type"] == "AT_004"
    assert details["type_name"] == "Authorization request"
    assert (details["in_out_bound"], details["status"]) == ("OUT", "SENT")
    assert details["description"] == "Please share this"
    assert (details["created_at"], details["updated_at"]) == (now, now)
    assert details["valid_until"] == now + 1.5 * HOUR_MS
    assert details["attended_at"] is None
    assert [entry["status"] for entry in details["timeline"]] == ["SENT"]
    assert details["requirements"] == [
        {"code": "RQ_002", "items": [{"code": "IDT_001"}]},
        {"code": "RQ_003", "items": []},
        {"code": "RQ_099", "items": []},
    ]
    assert details["entity"]["type"] == "INDIVIDUAL"


def test_the_receiver_is_found_by_phone(serve: Serve, client: Connect) -> None:
    running = serve()
    caller = client(running)
    known = next(p for p in running.state.people() if p["type"] == "INDIVIDUAL")
    phone = {name: known[name] for name in ("phone_country_code", "phone_number")}
    count = len(running.state.people())
    assert caller.post(PATH, json=body(phone=phone)).status_code == 201
    (row,) = caller.get("/activities", params={"limit": 1}).json()["data"]
    assert row["entity"]["id"] == known["id"]
    assert len(running.state.people()) == count

    for _ in range(2):
        assert caller.post(PATH, json=body()).status_code == 201
    rows = caller.get("/activities", params={"limit": 2}).json()["data"]
    assert rows[0]["entity"] == rows[1]["entity"]
    assert rows[0]["id"] != rows[1]["id"]
    assert len(running.state.people()) == count + 1


def test_it_stays_valid_for_a_default_time_and_then_is_canceled_or_answered(
    serve: Serve, client: Connect
) -> None:
    running = serve(activities=0, behaviour=Behaviour(token_seconds=10**9))
    caller = client(running)
    for number in range(40):
        asked = body(validity_threshold=..., description=f"number {number}")
        assert caller.post(PATH, json=asked).status_code == 201
    truths = [truth.details_fields() or {} for truth in running.state.truth()]
    now = running.state.clock.now()
    assert {details["valid_until"] for details in truths} == {now + 72 * HOUR_MS}
    running.state.set_clock(advance_ms=72 * HOUR_MS)
    statuses = {truth.row_fields()["status"] for truth in running.state.truth()}
    assert "CANCELED" in statuses
    assert statuses & {"ACCEPTED", "COMPLETED", "EXPIRED"}
    assert "SENT" not in statuses


@pytest.mark.parametrize(
    "changes",
    [
        {"description": ...},
        {"description": "x" * 4001},
        {"phone": {"phone_country_code": "PER", "phone_number": "987654321"}},
        {"phone": {"phone_country_code": "PE", "phone_number": 987654321}},
        {"validity_threshold": {"time_unit": "EONS", "amount": 1}},
        {"validity_threshold": {"time_unit": "HOURS", "amount": 0}},
        {"requirements": [{"code": "IDT_001"}]},
    ],
)
def test_wrong_bodies_are_400_and_make_nothing(
    changes: dict[str, Any], serve: Serve, client: Connect
) -> None:
    running = serve(activities=3)
    before = running.state.ids()
    answer = client(running).post(PATH, json=body(**changes))
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert running.state.ids() == before


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (FaultRule(kind="status", operation="create", after_effect=True), 500),
        (FaultRule(kind="reset", operation="create", after_effect=True), None),
        (FaultRule(kind="hang", operation="create", after_effect=True), None),
        (FaultRule(kind="reset_body", operation="create"), None),
    ],
)
def test_it_takes_effect_and_then_fails(
    fault: FaultRule, status: int | None, serve: Serve, client: Connect
) -> None:
    running = serve(activities=0, people=1, faults=(fault,))
    caller = client(running)
    if status is None:
        with pytest.raises(httpx.TransportError):
            caller.post(PATH, json=body(), timeout=0.3)
    else:
        assert caller.post(PATH, json=body()).status_code == status
    assert len(running.state.ids("SENT")) == 1
