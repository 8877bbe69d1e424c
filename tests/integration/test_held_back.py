"""What a run has not judged, or nobody has compared with the list, is not called complete.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

from pipeline.sandbox import FaultRule
from tests.support.habits import answers as made
from tests.support.mirroring import TODAY, created_on

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


def test_a_killed_run_calls_no_day_complete_that_it_has_not_judged(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days()
    refused, deleted = (Random(3).choice(state.ids(each)) for each in ("SENT", "ACCEPTED"))
    days = {name: created_on(state.truth_of(name)) for name in (refused, deleted)}
    state.move(refused, "cancel")
    state.delete(deleted)
    state.set_faults(FaultRule(kind="status", status=403, operation="details", id=refused))
    warehouse.cancel_at(2)
    # It has walked all days. It held back one answer, and had not asked whether the other is gone.
    assert len(set(days.values())) == 2
    assert warehouse.complete_days().isdisjoint(days.values())

    state.set_faults()
    assert warehouse.days().status == "complete"
    assert (warehouse.gone(), warehouse.differences()) == ({deleted}, [])


def test_details_of_single_activities_are_compared_with_the_list(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days()
    state.set_clock(advance_ms=24 * 3600 * 1000)
    liar = state.ids("SENT")[0]
    lie = made.details(lambda name: name == liar, lambda body: body | {"status": "ODD"})
    state.set_faults(made.rule(lie))
    summary = warehouse.open_work(TODAY, recheck=timedelta(hours=1))
    assert summary.status == "complete"
    found = "select discrepancy from sync.activity_ledger where activity_id::text = %s"
    assert warehouse.value(found, liar) == "disagrees in status"
