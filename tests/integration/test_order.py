"""What is newer is decided by an order that no wrong clock disturbs.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from tests.support.mirroring import FIRST, TODAY, Warehouse
from tests.support.tampering import STAMPS

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


def _move(warehouse: Warehouse, by: timedelta) -> None:
    """Do as if a clock had been ahead by so much when the tables were written."""
    for table, stamps in STAMPS.items():
        moved = ", ".join(f"{x} = {x} + interval '{by}'" for x in stamps)
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
    _, sample = warehouse.verify(200)
    assert sample.stale == 0


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
