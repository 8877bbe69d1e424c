"""Deletions: marked on evidence only, never many at once by surprise, and undone when it comes back.

Clauses 4 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from tests.support.habits.answers import rule
from tests.support.habits.lists import rows_lost
from tests.support.law import FINAL
from tests.support.mirroring import FIRST, LAST, TODAY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.integration.conftest import Mirrored
    from tests.support.mirroring import Warehouse


@pytest.mark.parametrize("status", [403, 404])
def test_deleted_is_marked_and_kept_and_restored_is_unmarked(
    mirrored: Mirrored, status: int
) -> None:
    warehouse = mirrored(120, behaviour={"unknown_id_status": status})
    state = warehouse.service.state
    warehouse.days()
    deleted = set(state.ids()[5:120:15])
    children = warehouse.value("select count(*) from warehouse.timeline_events")
    for name in deleted:
        state.delete(name)
    summary = warehouse.days()
    assert (summary.status, summary.loaded.gone, warehouse.gone()) == ("complete", 8, deleted)
    assert warehouse.value("select count(*) from warehouse.timeline_events") == children
    assert warehouse.differences() == []
    assert warehouse.value("select sum(gone) from sync.coverage") == 8
    before = warehouse.versions()
    again = warehouse.days()
    assert (again.details_requests, warehouse.versions()) == (0, before)

    for name in deleted:
        state.restore(name)
    back = warehouse.days()
    assert (back.status, back.details_requests, warehouse.gone()) == ("complete", 8, set())
    assert warehouse.differences() == []
    assert warehouse.gaps() == []


def test_what_is_over_need_not_be_listed(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    state = warehouse.service.state
    warehouse.days()
    finished = (*FINAL, "COMPLETED")
    over = state.ids(*finished)
    state.set_faults(rule(rows_lost(lambda row: row["status"] in finished)))
    for asked in (len(over), 0):
        summary = warehouse.days()
        assert (summary.status, summary.details_requests) == ("complete", asked)
        assert (warehouse.gone(), warehouse.differences(), warehouse.gaps()) == (set(), [], [])
    # A list that has other finished ones must have these, too, or their details tell why not.
    gone = state.ids("EXPIRED")[0]
    state.set_faults(rule(rows_lost(lambda row: row["status"] == "EXPIRED")))
    state.delete(gone)
    assert warehouse.days().status == "complete"
    assert (warehouse.gone(), warehouse.differences(), warehouse.gaps()) == ({gone}, [], [])


def test_an_ill_answer_is_no_evidence(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    state = warehouse.service.state
    warehouse.days()
    name = state.ids()[50]
    state.delete(name)
    state.set_faults(FaultRule(kind="status", status=500, operation="details", id=name))
    for _ in range(2):
        summary = warehouse.days()
        assert summary.status == "incomplete"
        assert "are not listed, although the service does not say" in summary.problems[0]
        assert warehouse.gone() == set()
    state.set_faults()
    warehouse.nightly(TODAY)
    assert (warehouse.gone(), warehouse.quarantined()) == ({name}, {})


@pytest.mark.parametrize("accepted", [True, False])
def test_the_brake_and_its_release(mirrored: Mirrored, accepted: bool) -> None:
    warehouse = mirrored(300)
    state = warehouse.service.state
    warehouse.days()
    deleted = state.ids()[:25]
    for name in deleted:
        state.delete(name)
    first = warehouse.days()
    assert re.match(r"25 of 300 .* --accept-gone", first.problems[0])
    assert (first.status, warehouse.gone()) == ("incomplete", set())
    ended = warehouse.query("select status, error from sync.runs order by started_at desc limit 1")
    assert ended[0][0] == "incomplete"
    assert "--accept-gone" in ended[0][1]

    # Either somebody says that it is right, or the next night finds the same.
    summary = warehouse.days(accept_gone=accepted)
    assert (summary.status, summary.loaded.gone) == ("complete", 25)
    assert (warehouse.gone(), warehouse.differences()) == (set(deleted), [])
    assert warehouse.gaps() == []


def test_a_share_above_the_least_number_is_let_through(mirrored: Mirrored) -> None:
    warehouse = mirrored(300)
    state = warehouse.service.state
    warehouse.days()
    for name in state.ids()[:25]:
        state.delete(name)
    assert warehouse.days(gone_share=0.1).loaded.gone == 25
    assert warehouse.days(FIRST, LAST).status == "complete"


def test_lost_access_to_a_direction_is_named_and_believed_on_the_third_night(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(120, behaviour={"unknown_id_status": 403})
    warehouse.days(FIRST, TODAY)
    recent = warehouse.offered(TODAY.replace(month=3, day=10))
    received = {each.id for each in recent if each.row_fields()["in_out_bound"] == "IN"}
    assert 5 <= len(received) < 20
    _lose(warehouse, received)
    for _ in range(2):
        _named_and_unmarked(warehouse, lookback=23)
    warehouse.nightly(TODAY, lookback=23)
    assert warehouse.gone() == received
    assert warehouse.differences() == []


def test_lost_access_shows_in_nights_that_read_one_or_two_of_the_direction(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(60, behaviour={"unknown_id_status": 403})
    warehouse.days(FIRST, TODAY)
    offered = warehouse.offered(FIRST)
    received = {each.id for each in offered if each.row_fields()["in_out_bound"] == "IN"}
    _lose(warehouse, received)
    for _ in range(2):
        _named_and_unmarked(warehouse, lookback=2)
    warehouse.nightly(TODAY, lookback=2)
    assert len(warehouse.gone()) > 0
    assert warehouse.gone() <= received


def _lose(warehouse: Warehouse, names: Iterable[str]) -> None:
    for name in names:
        warehouse.service.state.delete(name)


def _named_and_unmarked(warehouse: Warehouse, lookback: int) -> None:
    recent, older = warehouse.nightly(TODAY, lookback=lookback)
    problems = recent.problems + older.problems
    assert any("direction IN" in problem for problem in problems), problems
    assert warehouse.gone() == set()


def test_a_deletion_in_a_day_with_nothing_else_of_its_kind_is_marked_at_once(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(120, behaviour={"unknown_id_status": 403})
    warehouse.days(FIRST, TODAY)
    name = warehouse.offered(TODAY.replace(month=3, day=10))[0].id
    day = warehouse.query("select day from sync.activity_ledger where activity_id = %s", name)[0][0]
    warehouse.service.state.delete(name)
    assert warehouse.days(day, day).loaded.gone == 1
