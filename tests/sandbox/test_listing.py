"""The list operation (docs/service.md 4.3) and the switches about it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from pipeline.sandbox import Behaviour

if TYPE_CHECKING:
    from pipeline.sandbox import Running
    from tests.sandbox.conftest import Connect, Pages, Serve


DAY = dt.timedelta(days=1)


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


def flat(walked: list[list[dict[str, Any]]]) -> list[str]:
    return [row["id"] for page in walked for row in page]


def test_defaults_are_35_items_of_page_1(serve: Serve, client: Connect) -> None:
    caller = client(serve())
    answer = caller.get("/activities").json()
    assert answer.keys() == {"has_next", "data"}
    assert answer["has_next"] is True
    assert len(answer["data"]) == 35
    assert answer == caller.get("/activities", params={"limit": 35, "page": 1}).json()


def test_rows_carry_every_field(serve: Serve, client: Connect) -> None:
    row = client(serve()).get("/activities").json()["data"][0]
    assert row.keys() == {
        "id", "type", "in_out_bound", "entity", "status", "time_zone", "created_at",
    }  # fmt: skip
    assert row["entity"].keys() == {
        "id", "name", "cifcode", "type", "avatar", "score", "scoring_level", "social_media",
        "created_at", "unregistered",
    }  # fmt: skip


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_a_walk_gives_everything_once(
    limit: int, serve: Serve, client: Connect, pages: Pages
) -> None:
    running = serve(activities=70)
    walked = pages(client(running), limit=limit)
    assert sorted(flat(walked)) == sorted(running.state.ids())
    assert all(len(page) == limit for page in walked[:-1])
    assert 0 < len(walked[-1]) <= limit


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


def expected_ids(running: Running, start: dt.datetime, end: dt.datetime) -> list[str]:
    rows = (truth.row_fields() for truth in running.state.truth())
    low, high = start.timestamp() * 1000, end.timestamp() * 1000
    return sorted(row["id"] for row in rows if low <= row["created_at"] < high)


@pytest.mark.parametrize("to_day", ["whole", "midnight"])
@pytest.mark.parametrize("day_zone", ["utc", "caller", "Asia/Kolkata"])
def test_days_are_cut_as_the_switches_say(
    to_day: str, day_zone: str, serve: Serve, client: Connect, pages: Pages
) -> None:
    running = serve(activities=900)
    running.state.change_behaviour(to_day=to_day, day_zone=day_zone)
    caller = client(running)
    caller.headers["x-pvt-timezone"] = "America/Lima"
    zone = ZoneInfo({"utc": "UTC", "caller": "America/Lima"}.get(day_zone, day_zone))
    start = dt.datetime(2026, 2, 3, tzinfo=zone)
    end = dt.datetime(2026, 2, 10, tzinfo=zone) + (DAY if to_day == "whole" else 0 * DAY)

    walked = pages(caller, **{"from": "2026-02-03", "to": "2026-02-10"})

    wanted = expected_ids(running, start, end)
    assert len(wanted) > 30
    assert sorted(flat(walked)) == wanted


def test_to_defaults_to_the_current_time(serve: Serve, client: Connect, pages: Pages) -> None:
    running = serve(behaviour=Behaviour(token_seconds=86_400))
    caller = client(running)
    start = dt.datetime(2026, 3, 25, tzinfo=dt.UTC)
    noon = dt.datetime(2026, 3, 31, 12, tzinfo=dt.UTC)
    assert sorted(flat(pages(caller, **{"from": "2026-03-25"}))) == expected_ids(
        running, start, noon
    )
    before = flat(pages(caller, **{"from": "2026-03-31", "to": "2026-12-31"}))
    running.state.set_clock(advance_ms=11 * 3_600_000)
    after = flat(pages(caller, **{"from": "2026-03-31"}))
    assert set(before) < set(after)


def test_orders(serve: Serve, client: Connect, pages: Pages) -> None:
    running = serve()
    caller = client(running)
    rows = {truth.id: truth.row_fields() for truth in running.state.truth()}
    seen = {}
    for order in ("newest", "oldest", "id", "reshuffled"):
        running.state.change_behaviour(order=order)
        seen[order] = flat(pages(caller, limit=100))
        again = flat(pages(caller, limit=100))
        assert (seen[order] == again) == (order != "reshuffled")
    created = [rows[an_id]["created_at"] for an_id in seen["newest"]]
    assert created == sorted(created, reverse=True)
    assert seen["oldest"] == seen["newest"][::-1]
    assert seen["id"] == sorted(rows)


def test_limit_is_clamped_or_refused(serve: Serve, client: Connect) -> None:
    running = serve(behaviour=Behaviour(max_limit=50))
    caller = client(running)
    assert len(caller.get("/activities", params={"limit": 51}).json()["data"]) == 50
    running.state.change_behaviour(over_limit="refuse")
    assert caller.get("/activities", params={"limit": 51}).status_code == 400
    assert len(caller.get("/activities", params={"limit": 50}).json()["data"]) == 50
    running.state.change_behaviour(max_limit=None)
    assert len(caller.get("/activities", params={"limit": 1000}).json()["data"]) > 200
