"""What is newer is decided by an order that no wrong clock disturbs.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.sandbox import FaultRule
from pipeline.sync.stamps import stamps
from tests.support.mirroring import FIRST, TODAY, Warehouse
from tests.support.tampering import STAMPS

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


def _move(warehouse: Warehouse, by: timedelta, tables: tuple[str, ...] = tuple(STAMPS)) -> None:
    """Do as if a clock had been ahead by so much when the tables were written."""
    for table in tables:
        moved = ", ".join(f"{x} = {x} + interval '{by}'" for x in STAMPS[table])
        warehouse.execute(f"update {table} set {moved}")


@pytest.mark.parametrize("days", [2, 730])
def test_times_stored_ahead_lose_no_later_change(mirrored: Mirrored, days: int) -> None:
    warehouse = mirrored(80)
    state = warehouse.service.state
    sick, vanishing = state.ids("CANCELED", "DECLINED")[:2]
    state.set_faults(FaultRule(kind="status", status=500, operation="details", id=sick))
    for _ in range(3):
        assert warehouse.days().status == "incomplete"
    state.set_faults()
    _move(warehouse, timedelta(days=days))
    names = [name for name in state.ids("SENT") if name not in (sick, vanishing)]
    for name in names:
        state.enter_status(name, "CANCELED")
    state.delete(vanishing)
    state.change_entity(state.truth_of(vanishing).row_fields()["entity"]["id"], name="Another name")
    # The pause of the quarantine is a day; two years can't be one.
    warehouse.days()
    if days == 2:
        warehouse.execute("update sync.quarantine set next_attempt_at = now()")
    assert warehouse.days().status == "complete"
    assert (warehouse.quarantined(), warehouse.gone()) == ({}, {vanishing})
    assert warehouse.differences() == []
    assert warehouse.verify(200).sample.stale == 0


@pytest.fixture
def loaded(mirrored: Mirrored) -> Warehouse:
    """Mirror a few activities."""
    warehouse = mirrored(12)
    warehouse.days()
    return warehouse


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tables=st.sets(st.sampled_from(list(STAMPS)), min_size=1).map(sorted).map(tuple),
    by=st.timedeltas(timedelta(seconds=1), timedelta(days=5000)),
)
def test_stamps_begin_after_all_that_is_stored(
    loaded: Warehouse, tables: tuple[str, ...], by: timedelta
) -> None:
    _move(loaded, by, tables)
    with loaded.engine() as engine:
        stamp = stamps(engine)
        first, second = stamp(), stamp()
    latest = loaded.value(
        "select greatest(clock_timestamp() - interval '1 minute',"
        " (select max(greatest(listed_at, checked_at)) from sync.activity_ledger),"
        " (select max(observed_at) from warehouse.entities),"
        " (select max(first_seen_at) from landing.activity_details),"
        " (select max(first_seen_at) from landing.activity_list_rows))"
    )
    assert latest < first <= second


def test_a_service_that_stated_a_time_far_ahead_is_asked_again(mirrored: Mirrored) -> None:
    """The deadlines in between were taken for past ones, and the re-check for one just made."""
    warehouse = mirrored(60)
    state = warehouse.service.state
    state.change_behaviour(date_skew_ms=40 * 86_400_000)
    warehouse.days(FIRST, TODAY)
    state.change_behaviour(date_skew_ms=0)
    state.reset_counters()
    _, older = warehouse.nightly(TODAY)
    assert older.status == "complete"
    assert state.counters().details.keys() == set(state.ids())
    state.reset_counters()
    warehouse.nightly(TODAY)
    assert len(state.counters().details) < 6
    assert warehouse.differences() == []


def test_a_run_says_when_the_clocks_disagree(mirrored: Mirrored) -> None:
    warehouse = mirrored(5)
    warehouse.days()
    (line,) = [line for line in warehouse.told.lines if "clock" in line]
    assert "s behind this machine's" in line
