"""The made-up data: reproducible, of any size and range, and like the real ones."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.sandbox import SandboxSettings, SandboxState


def instant(seconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, dt.UTC)


def made(**chosen: object) -> SandboxState:
    plain = {"now": instant(1_775_000_000), "frozen": True}
    return SandboxState(SandboxSettings(**(plain | chosen)))  # type: ignore[arg-type]


def test_the_same_settings_make_the_same_world() -> None:
    first, again, other = (list(made(activities=200, seed=seed).truth()) for seed in (5, 5, 6))
    assert first == again
    assert not {truth.id for truth in first} & {truth.id for truth in other}


@settings(max_examples=40)
@given(
    count=st.integers(0, 60),
    first=st.dates(dt.date(2000, 1, 1), dt.date(2040, 1, 1)),
    length=st.integers(0, 400),
    zone=st.sampled_from(["UTC", "America/Lima", "Pacific/Apia", "Europe/Madrid"]),
)
def test_any_range_and_size(count: int, first: dt.date, length: int, zone: str) -> None:
    last = first + dt.timedelta(days=length)
    state = made(
        activities=count, from_date=first, to_date=last, timezone=zone, now=instant(4_000_000_000)
    )
    start, end = state.settings.range_ms(0)
    created = [truth.row_fields()["created_at"] for truth in state.truth()]
    assert len(created) == count
    assert created == sorted(created)
    assert all(start <= at < end for at in created)


def test_it_has_everything_the_code_tables_name() -> None:
    state = made(activities=4000, days=60)
    seen = defaultdict[str, set[object]](set)
    for truth in state.truth():
        details = truth.details_fields() or {}
        for name in ("type", "in_out_bound", "status"):
            seen[name].add(details[name])
        for name in ("type", "scoring_level", "unregistered"):
            seen[f"entity.{name}"].add(details["entity"][name])
        for requirement in details["requirements"]:
            seen["requirement"].add(requirement["code"])
            seen["item"] |= {item["code"] for item in requirement["items"]}
    assert seen["type"] == {"AT_001", "AT_002", "AT_003", "AT_004"}
    assert seen["in_out_bound"] == {"IN", "OUT"}
    assert seen["status"] == {
        "SENT", "ACTION_REQUIRED", "ACCEPTED", "COMPLETED", "DECLINED", "CANCELED", "EXPIRED",
    }  # fmt: skip
    assert seen["entity.type"] == {"INDIVIDUAL", "BUSINESS"}
    assert seen["entity.scoring_level"] == {"POOR", "FAIR", "GOOD", "EXCELLENT", "EXCELENT"}
    assert seen["entity.unregistered"] == {True, False}
    assert seen["requirement"] == {f"RQ_00{n}" for n in range(1, 9)}
    assert len(seen["item"]) == 14
