"""The state machine and its clock (docs/service.md 3), read over HTTP."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.sandbox import Behaviour, SandboxSettings, SandboxState
from tests.support.forms import Form

if TYPE_CHECKING:
    import httpx

    from pipeline.sandbox import Running
    from tests.sandbox.conftest import Connect, Serve


HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NOW = dt.datetime.fromtimestamp(1_775_000_000, dt.UTC)
LONG = Behaviour(token_seconds=10.0**9, form=Form(unset="null"))


def read(caller: httpx.Client, activity_id: str) -> dict[str, Any]:
    fields: dict[str, Any] = caller.get(f"/activities/{activity_id}").json()
    return fields


def open_one(running: Running, bound: str = "OUT") -> str:
    return running.state.create(type="AT_004", in_out_bound=bound, drawn=False)


def test_unanswered_is_canceled_at_valid_until(serve: Serve, client: Connect) -> None:
    running = serve(behaviour=LONG)
    caller = client(running)
    activity_id = open_one(running)
    valid_until = read(caller, activity_id)["valid_until"]
    running.state.set_clock(now=valid_until - 1)
    assert read(caller, activity_id)["status"] == "SENT"
    running.state.set_clock(now=valid_until)
    details = read(caller, activity_id)
    assert details["status"] == "CANCELED"
    assert details["updated_at"] == valid_until
    assert details["attended_at"] is None
    assert [entry["status"] for entry in details["timeline"]] == ["SENT", "CANCELED"]


def test_accepted_in_part_completed_expired(serve: Serve, client: Connect) -> None:
    running = serve(activities=2000, behaviour=LONG)
    caller = client(running)
    activity_id = next(
        one for one in running.state.ids("SENT") if len(read(caller, one)["requirements"]) > 1
    )
    requested = read(caller, activity_id)["requirements"]
    accepted_at = running.state.set_clock(advance_ms=1000)
    running.state.move(activity_id, "accept", (requested[0]["code"],), "here you are")

    details = read(caller, activity_id)
    assert details["status"] == "ACCEPTED"
    assert details["attended_at"] == details["updated_at"] == accepted_at
    assert details["notification_message"] == "here you are"
    assert [r["code"] for r in details["accepted_requirements"]] == [requested[0]["code"]]
    assert details["declined_requirements"] == requested[1:]
    unit = {"HOURS": HOUR_MS, "DAYS": DAY_MS}[details["expires_in"]["time_unit"]]
    assert details["expires_at"] == accepted_at + details["expires_in"]["amount"] * unit

    completed_at = running.state.set_clock(advance_ms=1000)
    running.state.move(activity_id, "complete")
    details = read(caller, activity_id)
    assert (details["status"], details["completed_at"]) == ("COMPLETED", completed_at)
    assert details["attended_at"] == accepted_at
    assert "data" in details["accepted_requirements"][0]

    running.state.set_clock(now=details["expires_at"])
    details = read(caller, activity_id)
    assert details["status"] == "EXPIRED"
    assert "data" not in details["accepted_requirements"][0]
    assert [entry["status"] for entry in details["timeline"]] == [
        "SENT", "ACCEPTED", "COMPLETED", "EXPIRED",
    ]  # fmt: skip


def test_moves_the_state_does_not_allow(serve: Serve) -> None:
    state = serve().state
    allowed: dict[str, set[str]] = {
        "SENT": {"accept", "decline", "cancel"},
        "ACTION_REQUIRED": {"accept", "decline", "cancel"},
        "ACCEPTED": {"complete", "expire"},
        "COMPLETED": {"expire"},
        "DECLINED": set(),
        "CANCELED": set(),
        "EXPIRED": set(),
    }
    moves: tuple[Any, ...] = ("accept", "decline", "cancel", "complete", "expire")
    for status, possible in allowed.items():
        (activity_id, *_) = state.ids(status)
        for move in moves:
            if move not in possible:
                with pytest.raises(ValueError, match=f"{status} can't {move}"):
                    state.move(activity_id, move)


def test_deleted_is_gone_and_restored_comes_back(serve: Serve, client: Connect) -> None:
    running = serve()
    caller = client(running)
    activity_id = running.state.ids()[100]
    before = read(caller, activity_id)
    entity = {"entity": before["entity"]["id"], "limit": 100}
    running.state.delete(activity_id)
    assert caller.get(f"/activities/{activity_id}").status_code == 404
    assert caller.get("/activities", params={"id": activity_id}).json()["data"] == []
    theirs = caller.get("/activities", params=entity).json()["data"]
    assert activity_id not in [row["id"] for row in theirs]
    assert activity_id not in running.state.ids()
    with_deleted = {t.id: t.deleted for t in running.state.truth(include_deleted=True)}
    assert with_deleted[activity_id] is True
    running.state.restore(activity_id)
    assert read(caller, activity_id) == before
    assert running.state.ids()[100] == activity_id


def whole(state: SandboxState) -> list[tuple[bytes, bytes]]:
    return [(bytes(t.row), bytes(t.details)) for t in state.truth()]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["accept", "decline", "cancel", "complete", "expire", "edit", "rename"]),
        st.integers(0, 10**6),
        st.integers(0, 3 * DAY_MS),
    ),
    max_size=12,
)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), steps=STEPS, jumps=st.lists(st.integers(0, 400), max_size=4))
def test_any_history_is_lawful_and_replays_exactly(
    seed: int, steps: list[tuple[Any, int, int]], jumps: list[int]
) -> None:
    # In process and unserved: what is served comes from the same bytes, which others show.
    settings_ = SandboxSettings(activities=25, seed=seed, days=60, now=NOW, frozen=True)
    states = [SandboxState(settings_) for _ in range(2)]
    for state in states:
        for deed, pick, pause in steps:
            state.set_clock(advance_ms=pause)
            play(state, deed, pick)
    end = states[0].clock.now()
    assert whole(states[0]) == whole(states[1])
    for days in jumps:
        # Wherever the clock was in between, the same instant shows the same world.
        states[0].set_clock(now=max(0, end + (days - 100) * DAY_MS))
        check_laws(states[0])
    states[0].set_clock(now=end)
    assert whole(states[0]) == whole(states[1])
    check_laws(states[1])


def play(state: SandboxState, deed: Any, pick: int) -> None:
    ids = state.ids()
    if not ids:
        return
    activity_id = ids[pick % len(ids)]
    if deed == "edit":
        state.edit(activity_id, description=f"edit {pick}")
    elif deed == "rename":
        entity = state.truth_of(activity_id).row_fields()["entity"]
        state.change_entity(entity["id"], name=f"name {pick}")
    else:
        wanted = {"complete": ("ACCEPTED",), "expire": ("ACCEPTED", "COMPLETED")}
        possible = state.ids(*wanted.get(deed, ("SENT", "ACTION_REQUIRED")))
        if possible:
            state.move(possible[pick % len(possible)], deed)


def check_laws(state: SandboxState) -> None:
    now = state.clock.now()
    for truth in state.truth():
        details = truth.details_fields()
        assert details is not None
        status = details["status"]
        assert details["created_at"] <= details["updated_at"] <= now
        assert truth.row_fields()["status"] == status == details["timeline"][-1]["status"]
        for name in ("attended_at", "completed_at"):
            assert (details.get(name) or 0) <= now
        if status in ("SENT", "ACTION_REQUIRED"):
            assert now < details["valid_until"]
            assert details.get("attended_at") is None
        if status == "EXPIRED":
            assert details["expires_at"] <= now
        if status in ("ACCEPTED", "COMPLETED"):
            assert now < details["expires_at"]
            assert all("data" in r for r in details["accepted_requirements"])
        else:
            assert not any("data" in r for r in details["accepted_requirements"])
        if status == "COMPLETED":
            assert details["completed_at"] >= (details.get("attended_at") or details["created_at"])


def test_the_clock_runs_or_stands(serve: Serve) -> None:
    state = serve(frozen=False).state
    assert state.clock.now() - 1_774_958_400_000 < 60_000
    frozen = state.set_clock(frozen=True)
    assert state.clock.now() == frozen
    assert state.set_clock(now=5_000, advance_ms=-1_000) == 4_000
    state.set_clock(now=frozen, frozen=False)
    assert frozen <= state.clock.now() < frozen + 60_000
    assert not state.clock.frozen
    with pytest.raises(ValueError, match="can't show"):
        state.set_clock(now=-1)
