"""Runs that meet an outage, or a list that fails: what was fetched is kept, no activity is blamed.

Clauses 1, 2 and 4 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from pipeline.service.errors import Outage
from pipeline.sync.options import Options
from tests.support.list_changes import list_fails_for

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


_HAD = "select count(*) from warehouse.activities where details_fetched_at is not null"


def test_a_killed_run_loses_at_most_what_was_in_flight(mirrored: Mirrored) -> None:
    number = 60
    warehouse = mirrored(400)
    warehouse.options = Options(batch_size=50, workers=8)
    warehouse.cancel_at(number)
    asked = sum(warehouse.service.state.counters().details.values())
    had = warehouse.value(_HAD)
    assert number - 8 <= asked - 8 <= had < asked
    assert warehouse.query("select status, error from sync.runs") == [("failed", "interrupted")]
    whole = warehouse.value(
        "select count(*) from warehouse.activities as a where details_fetched_at is not null"
        " and exists (select from warehouse.timeline_events as t where t.activity_id = a.id)"
        " and exists (select from sync.activity_ledger as l where l.activity_id = a.id)"
    )
    assert whole == had

    again = warehouse.days()
    assert (again.status, again.details_requests) == ("complete", 400 - had)
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


def test_an_outage_stops_the_run_and_blames_nobody_for_long(mirrored: Mirrored) -> None:
    """Nineteen answers in twenty fail; `test_faults.py` plays outages of all answers.

    Some activities fail while others are answered. They count an attempt, and the next run heals them.
    """
    warehouse = mirrored(600)
    state = warehouse.service.state
    state.set_faults(FaultRule(kind="status", status=503, operation="details", rate=0.95))
    with pytest.raises(Outage):
        warehouse.days()
    assert sum(state.counters().details.values()) < 3 * 600
    blamed = set(warehouse.quarantined())
    assert len(blamed) < 600
    ended = warehouse.query("select status, error from sync.runs")
    assert [status for status, _ in ended] == ["failed"]
    assert "run again once it works" in ended[0][1]
    state.set_faults()
    assert warehouse.days().status == "complete"
    assert (warehouse.quarantined(), warehouse.differences(), warehouse.gaps()) == ({}, [], [])


def test_a_list_that_fails_leaves_its_days_incomplete_and_the_others_in(mirrored: Mirrored) -> None:
    warehouse = mirrored(300)
    state = warehouse.service.state
    warehouse.days()
    # The list of some days can't be had, in whatever way they are asked for.
    state.set_faults(list_fails_for("2026-02-10", "2026-02-12"))
    summary = warehouse.days()
    assert summary.status == "incomplete"
    assert 0 < len(warehouse.gaps()) < 20
    assert warehouse.gone() == set()
    state.set_faults()
    assert warehouse.days().status == "complete"
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


def test_what_is_asked_for_for_two_reasons_is_asked_for_once(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    assert warehouse.days(full=True).details_requests == 100
    assert warehouse.days(full=True).details_requests == 100
