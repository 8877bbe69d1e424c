"""The operations over HTTP (docs/service.md 4): one truth, each activity once, and what is refused."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from pipeline.sandbox import Behaviour

if TYPE_CHECKING:
    from tests.sandbox.conftest import Connect, Serve


CREATE = "/activities/authorizations"
OPERATIONS = [("POST", "/auth"), ("GET", "/activities"), ("GET", "/activities/x"), ("POST", CREATE)]
WANTED: dict[str, Any] = {
    "description": "Please share this",
    "phone": {"phone_country_code": "pe", "phone_number": "987654321"},
    "validity_threshold": {"time_unit": "HOURS", "amount": 1.5},
    "requirements": [{"code": "RQ_002", "items": [{"code": "IDT_001"}]}, {"code": "RQ_099"}],
}


@pytest.mark.parametrize("key", [None, "wrong", "schlüssel"])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_invalid_key_is_403_everywhere(
    key: str | None, method: str, path: str, serve: Serve, client: Connect
) -> None:
    caller = client(serve(activities=1))
    del caller.headers["x-api-key"]
    headers = [] if key is None else [(b"x-api-key", key.encode())]
    assert caller.request(method, path, headers=headers).status_code == 403


@pytest.mark.parametrize("token", ["", "Bearer x", "Bearer a.b.c", "Bearer Zm9v.Zm9v.Zm9v"])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_invalid_token_is_401_everywhere(
    token: str, method: str, path: str, serve: Serve, client: Connect
) -> None:
    caller = client(serve(activities=1), login=False)
    headers = {"Authorization": token} if token else {}
    assert caller.request(method, path, headers=headers).status_code == 401


def test_tokens_expire_by_the_clock_and_several_live_at_once(serve: Serve, client: Connect) -> None:
    running = serve(behaviour=Behaviour(token_seconds=60))
    first, second = client(running), client(running)
    running.state.set_clock(advance_ms=59_999)
    assert {each.get("/activities").status_code for each in (first, second)} == {200}
    running.state.set_clock(advance_ms=1)
    assert first.get("/activities").status_code == 401


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=-1", "limit=x", "limit=1.5", "limit=", "limit=9999999999",
     "limit=5&limit=6", "page=0", "page=x", "page=", "page=%D9%A3", "from=2026-1-1",
     "from=2026-02-30", "from=20260101", "from=", "to=yesterday", "to=2026-01-01T00:00:00Z",
     "from=2026-02-02&to=2026-02-01", "from=2026-04-02", "from=2026-01-01&from=2026-01-02"],
)  # fmt: skip
def test_wrong_queries_are_400(query: str, serve: Serve, client: Connect) -> None:
    answer = client(serve(activities=1)).get(f"/activities?{query}")
    assert answer.status_code == 400
    assert answer.json()["status"] == 400


@pytest.mark.parametrize(
    "changes",
    [
        {"description": None},
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
    answer = client(running).post(CREATE, json=WANTED | changes)
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert running.state.ids() == before


def test_a_creation_makes_an_activity_that_only_the_list_tells(
    serve: Serve, client: Connect
) -> None:
    running = serve()
    caller = client(running)
    before = set(running.state.ids())
    answer = caller.post(CREATE, json=WANTED)
    assert (answer.status_code, answer.content) == (201, b"")
    (row,) = caller.get("/activities", params={"limit": 1}).json()["data"]
    assert set(running.state.ids()) - before == {row["id"]}
    now = running.state.clock.now()
    details = caller.get(f"/activities/{row['id']}").json()
    assert (
        details.items()
        >= {
            "type": "AT_004",
            "in_out_bound": "OUT",
            "status": "SENT",
            "description": WANTED["description"],
            "created_at": now,
            "valid_until": now + 5_400_000,
            "requirements": [WANTED["requirements"][0], {"code": "RQ_099", "items": []}],
        }.items()
    )


@pytest.mark.parametrize("to_day", ["whole", "midnight"])
@pytest.mark.parametrize("day_zone", ["utc", "caller", "Asia/Kolkata"])
def test_days_are_cut_as_the_switches_say(
    to_day: str, day_zone: str, serve: Serve, client: Connect
) -> None:
    running = serve(activities=900, behaviour=Behaviour(max_limit=None))
    running.state.change_behaviour(to_day=to_day, day_zone=day_zone)
    caller = client(running)
    caller.headers["x-pvt-timezone"] = "America/Lima"
    zone = ZoneInfo({"utc": "UTC", "caller": "America/Lima"}.get(day_zone, day_zone))
    start = dt.datetime(2026, 2, 3, tzinfo=zone).timestamp() * 1000
    end = dt.datetime(2026, 2, 11 if to_day == "whole" else 10, tzinfo=zone).timestamp() * 1000
    rows = [truth.row_fields() for truth in running.state.truth()]
    wanted = {row["id"] for row in rows if start <= row["created_at"] < end}

    dates = {"from": "2026-02-03", "to": "2026-02-10", "limit": "900"}
    found = caller.get("/activities", params=dates).json()["data"]

    assert len(wanted) > 30
    assert sorted(row["id"] for row in found) == sorted(wanted)
