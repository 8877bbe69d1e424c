"""What a run has not judged, or nobody has compared with the list, is not called complete."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from pipeline.sync.options import Options
from tests.support import list_misbehaviour as listed
from tests.support import misbehaviour as made
from tests.support.mirroring import FIRST, LAST, TODAY, created_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.mirroring import Warehouse

    Mirrored = Callable[..., Warehouse]


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


def test_details_that_the_list_could_not_confirm_are_compared_by_the_next_walk(
    mirrored: Mirrored,
) -> None:
    """Of details that come alone, and of the same ones a second time."""
    warehouse = mirrored(20)
    state = warehouse.service.state
    warehouse.days()
    lie = made.details(lambda _: True, lambda body: body | {"status": "ODD"})
    state.set_faults(made.rule(lie, listed.rows_lost(lambda _: True)))

    for _ in range(2):
        warehouse.verify(50)
    assert len(warehouse.quarantined()) == 20
    assert warehouse.differences() == []
    state.set_faults()
    assert warehouse.days().status == "complete"
    assert warehouse.differences() == []


def test_details_of_single_activities_are_compared_with_the_list(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days()
    state.set_clock(advance_ms=24 * 3600 * 1000)
    liar = state.ids("SENT")[0]
    lie = made.details(lambda name: name == liar, lambda body: body | {"status": "ODD"})
    state.set_faults(made.rule(lie))
    summary = warehouse.open_work(TODAY, recheck=timedelta(hours=1))
    assert "the list says status SENT, the details say ODD" in warehouse.quarantined()[liar]
    assert summary.status == "incomplete"
    assert warehouse.query("select status from warehouse.activities where id::text = %s", liar) == [
        ("SENT",)
    ]


@pytest.mark.parametrize("audit_days", [1, 1000])
def test_what_is_gone_leaves_the_quarantine_when_it_is_refused_again(
    mirrored: Mirrored, audit_days: int
) -> None:
    """Also when its day comes round, and not only because the quarantine is due."""
    warehouse = mirrored(40)
    warehouse.options = Options(start=FIRST, night_sample=0)
    state = warehouse.service.state
    warehouse.days()
    deleted = state.delete(state.ids()[5])
    warehouse.days()
    assert warehouse.gone() == {deleted}
    other = state.ids()[0]
    state.set_faults(made.rule(made.mixed_up(lambda name: name == deleted, other)))
    warehouse.open_work(TODAY, audit_days=1)
    assert set(warehouse.quarantined()) == {deleted}
    state.set_faults()
    warehouse.days()
    warehouse.execute("update sync.quarantine set next_attempt_at = now()")
    assert warehouse.open_work(TODAY, audit_days=audit_days).status == "complete"
    assert (warehouse.quarantined(), warehouse.gone()) == ({}, {deleted})


def test_the_list_fills_what_details_lacked_that_are_now_refused(mirrored: Mirrored) -> None:
    warehouse = mirrored(40, behaviour={"expired_details": "forbidden"})
    state = warehouse.service.state
    name = state.ids("ACCEPTED")[0]
    lost = made.fields_lost(lambda each: each == name, "created_at", "time_zone")
    state.set_faults(made.rule(lost))
    warehouse.days()
    state.set_faults()
    state.move(name, "expire")
    assert warehouse.days().status == "complete"
    row = state.truth_of(name).row_fields()
    stored = "select status, time_zone, extract(epoch from created_at) * 1000, gone_at"
    assert warehouse.query(f"{stored} from warehouse.activities where id::text = %s", name) == [
        ("EXPIRED", row["time_zone"], row["created_at"], None)
    ]


@pytest.mark.parametrize("number", range(1, 6))
def test_a_row_that_is_lost_once_looks_like_no_cap(mirrored: Mirrored, number: int) -> None:
    """The day has as many rows as the days before it, of which a query lacked one."""
    warehouse = mirrored(0, behaviour={"to_day": "midnight"})
    state = warehouse.service.state
    for before, rows in enumerate((7, 4, 3)):
        noon = datetime.combine(LAST - timedelta(days=before), time(12), UTC)
        for each in range(rows):
            state.create(created_at=int(noon.timestamp() * 1000) + each)
    state.set_faults(made.rule(listed.one_short_page(number)))
    days = LAST, TODAY
    assert warehouse.days(*days).status == "complete"
    assert warehouse.differences(*days) == []


def test_a_cap_shows_where_the_rows_lie_close_together(mirrored: Mirrored) -> None:
    warehouse = mirrored(0)
    state = warehouse.service.state
    for each in range(80):
        at = datetime(2026, 3, 10 + each // 40, 12, each % 40, tzinfo=UTC)
        state.create(created_at=int(at.timestamp() * 1000))
    warehouse.options = Options(window_days=31)
    state.set_faults(made.rule(listed.rows_capped(48)))
    warehouse.days()
    assert warehouse.value("select count(*) from warehouse.activities") == 80
