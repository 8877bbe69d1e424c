"""Verify: a random sample finds exactly what is stale, repairs it, and reports the interval."""

from __future__ import annotations

import asyncio
import json
import math
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from pipeline.sandbox import FaultRule
from pipeline.service.errors import LoginRefused
from pipeline.sync.intervals import clopper_pearson
from pipeline.sync.verify import VerifyReport, verify_sample
from tests.support.mirroring import FIRST, TODAY, Told, Warehouse

if TYPE_CHECKING:
    from collections.abc import Callable

    Mirrored = Callable[..., Warehouse]


def verified(
    warehouse: Warehouse, sample: int, run_id: str, told: Told | None = None
) -> VerifyReport:
    async def run() -> VerifyReport:
        async with warehouse.mirror() as mirror:
            return await verify_sample(
                mirror.client,
                mirror.engine,
                ZoneInfo(warehouse.zone),
                run_id,
                sample,
                mirror.options,
                told or Told(),
            )

    return asyncio.run(run())


def stored_result(warehouse: Warehouse, run_id: str) -> tuple[Any, ...]:
    (row,) = warehouse.query(
        "select sampled, compared, stale, refused, failed, share_low, share_high"
        " from sync.verifications where run_id = %s",
        run_id,
    )
    return row


def test_finds_exactly_the_stale_ones_and_repairs_them(mirrored: Mirrored) -> None:
    warehouse = mirrored(120)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    stale = set(state.ids()[3::17])
    for name in stale:
        state.edit(name, description="edited behind the list's back")
    assert warehouse.days(FIRST, TODAY).details_requests == 0
    told = Told()
    state.reset_counters()
    report = verified(warehouse, 1000, "verify-1", told)
    assert (report.sampled, report.compared, report.status) == (120, 120, "incomplete")
    assert set(report.stale_ids) == stale
    assert len(report.stale_ids) == report.stale == len(stale)
    assert state.counters().by_operation["details"] == 120
    assert (report.share_low, report.share_high) == clopper_pearson(len(stale), 120)
    assert stored_result(warehouse, "verify-1") == (
        120,
        120,
        len(stale),
        0,
        0,
        report.share_low,
        report.share_high,
    )
    assert warehouse.query(
        "select kind, status, changed, unchanged, requests, finished_at is not null from sync.runs"
        " where run_id = 'verify-1'"
    ) == [("verify", "incomplete", len(stale), 120 - len(stale), 120, True)]
    assert told.done == 120
    assert warehouse.differences() == []

    versions = warehouse.versions()
    again = verified(warehouse, 1000, "verify-2")
    assert (again.compared, again.stale, again.status) == (120, 0, "complete")
    assert warehouse.versions() == versions


def test_the_sample_is_random_and_as_large_as_asked_for(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    asked = []
    for number in range(2):
        state.reset_counters()
        assert verified(warehouse, 30, f"verify-{number}").sampled == 30
        asked.append(set(state.details_asked()))
    assert [len(names) for names in asked] == [30, 30]
    assert asked[0] != asked[1]


def test_other_bytes_of_the_same_meaning_are_not_stale(mirrored: Mirrored) -> None:
    warehouse = mirrored(40)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    for name in state.ids():
        details = state.truth_of(name).details_fields()
        assert details is not None
        shuffled = dict(reversed(details.items())) | {"a_new_field": 1}
        state.replace_payload(name, details=json.dumps(shuffled, indent=2).encode())
    report = verified(warehouse, 40, "verify-1")
    assert (report.compared, report.stale, report.status) == (40, 0, "complete")
    assert warehouse.value("select count(*) from landing.activity_details") == 80


def test_refusals_count_apart_and_unreadable_answers_are_quarantined(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    names = state.ids()
    state.delete(names[1])
    state.set_faults(
        FaultRule(kind="status", status=403, operation="details", id=names[2]),
        FaultRule(kind="status", status=500, operation="details", id=names[3]),
    )
    state.replace_payload(names[4], details=b'{"id": 7}')
    report = verified(warehouse, 60, "verify-1")
    assert (report.sampled, report.compared) == (60, 56)
    assert (report.stale, report.refused, report.failed) == (0, 2, 2)
    assert list(warehouse.quarantined()) == [names[4]]
    assert warehouse.gone() == set()
    assert stored_result(warehouse, "verify-1")[:5] == (60, 56, 0, 2, 2)

    state.set_faults()
    state.replace_payload(names[4])
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert warehouse.gone() == {names[1]}
    assert verified(warehouse, 60, "verify-2").sampled == 59


def test_a_refused_login_ends_it_and_stores_no_share(mirrored: Mirrored) -> None:
    warehouse = mirrored(20)
    warehouse.days(FIRST, TODAY)
    warehouse.service.state.set_faults(FaultRule(kind="status", status=401, operation="login"))
    with pytest.raises(LoginRefused):
        verified(warehouse, 20, "verify-1")
    assert warehouse.query("select status from sync.runs where run_id = 'verify-1'") == [
        ("failed",)
    ]
    assert warehouse.value("select count(*) from sync.verifications") == 0


def test_an_empty_warehouse_has_no_share(mirrored: Mirrored) -> None:
    report = verified(mirrored(0), 10, "verify-1")
    assert (report.sampled, report.share_low, report.share_high) == (0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("found", "of", "low", "high"),
    [
        (0, 10, 0.0, 1 - 0.025 ** (1 / 10)),
        (10, 10, 0.025 ** (1 / 10), 1.0),
        (1, 10, 1 - 0.975 ** (1 / 10), 0.44501611702754),
        (5, 10, 0.18708602844739852, 0.8129139715526015),
        (9, 10, 1 - 0.44501611702754, 0.975 ** (1 / 10)),
        (0, 100_000, 0.0, 1 - 0.025 ** (1 / 100_000)),
    ],
)
def test_the_interval_is_the_one_of_the_tables(
    found: int, of: int, low: float, high: float
) -> None:
    assert clopper_pearson(found, of) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("of", [1, 7, 60, 400])
def test_the_interval_leaves_half_of_the_rest_on_each_side(of: int) -> None:
    for found in range(0, of + 1, max(1, of // 7)):
        low, high = clopper_pearson(found, of)
        assert 0 <= low <= found / of <= high <= 1
        if found > 0:
            assert at_least(found, of, low) == pytest.approx(0.025, abs=1e-9)
        if found < of:
            assert 1 - at_least(found + 1, of, high) == pytest.approx(0.025, abs=1e-9)


def test_no_share() -> None:
    with pytest.raises(ValueError):
        clopper_pearson(3, 2)


def at_least(found: int, of: int, share: float) -> float:
    terms = (
        math.comb(of, seen) * share**seen * (1 - share) ** (of - seen)
        for seen in range(found, of + 1)
    )
    return math.fsum(terms)
