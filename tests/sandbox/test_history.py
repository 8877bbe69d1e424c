"""The state machine and its clock (docs/service.md 3), read over HTTP."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.sandbox import SandboxSettings, SandboxState

if TYPE_CHECKING:
    from tests.sandbox.conftest import Serve


HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NOW = dt.datetime.fromtimestamp(1_775_000_000, dt.UTC)


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


def codes(requirements: list[dict[str, Any]]) -> set[tuple[str, str | None]]:
    return {
        (requirement["code"], item)
        for requirement in requirements
        for item in [each["code"] for each in requirement["items"]] or [None]
    }


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
        told = [dt.datetime.fromisoformat(each["date_time"]) for each in details["timeline"]]
        assert told == sorted(told)
        assert round(told[0].timestamp() * 1000) == details["created_at"]
        assert round(told[-1].timestamp() * 1000) <= details["updated_at"]
        if status in ("ACCEPTED", "COMPLETED", "EXPIRED"):
            accepted, declined = (
                codes(details[f"{how}_requirements"]) for how in ("accepted", "declined")
            )
            assert accepted
            assert accepted | declined == codes(details["requirements"])
            assert not accepted & declined
        if status == "COMPLETED":
            assert details["completed_at"] >= (details.get("attended_at") or details["created_at"])
