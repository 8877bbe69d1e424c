"""A list that is silent, cut short or old for a time; what the days to come find out about it.

Clauses 1, 4, 5 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from pipeline.service.errors import Outage
from tests.support.costs import MOST_LIST_REQUESTS
from tests.support.habits.answers import rule
from tests.support.habits.lists import bare_if, rows, rows_lost
from tests.support.mirroring import FIRST, LAST, TODAY, created_on

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


_GONE = "select count(*) from warehouse.activities where gone_at is not null"


def test_an_empty_list_for_one_night_is_not_believed(mirrored: Mirrored) -> None:
    warehouse = mirrored(400)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    state.set_faults(rule(rows_lost(lambda _: True)))
    recent, older = warehouse.nightly(LAST, start=FIRST)
    assert "incomplete" in {recent.status, older.status}
    # Some are asked for, to find out whether the list is wrong; not all of them.
    assert 0 < recent.details_requests + older.details_requests < 200
    full = warehouse.days(full=True)
    assert full.status == "incomplete"
    assert "although the service does not say" in full.problems[0]
    assert warehouse.value(_GONE) == 0
    state.set_faults()
    for name in state.ids("SENT")[:10]:
        state.enter_status(name, "CANCELED")
    assert [each.status for each in warehouse.nightly(LAST, start=FIRST)] == ["complete"] * 2
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


def test_an_answer_without_a_body_is_an_empty_list_while_others_come(mirrored: Mirrored) -> None:
    warehouse = mirrored(20, from_date=date(2026, 3, 20))
    state = warehouse.service.state
    state.set_faults(rule(bare_if(lambda found: found == [])))
    summary = warehouse.days(FIRST, TODAY)
    assert (summary.status, warehouse.differences()) == ("complete", [])
    assert summary.list_requests <= MOST_LIST_REQUESTS["ninety days, the empty ones without a body"]
    state.set_faults(rule(bare_if(lambda found: found is not None)))
    with pytest.raises(Outage):
        warehouse.days(FIRST, TODAY)
    assert warehouse.gone() == set()


def test_an_empty_list_and_refused_details_are_no_deletion(mirrored: Mirrored) -> None:
    warehouse = mirrored(19)
    state = warehouse.service.state
    warehouse.days()
    refused = FaultRule(kind="status", status=403, operation="details")
    state.set_faults(refused, rule(rows_lost(lambda _: True)))
    assert "none of the others" in "".join(warehouse.days().problems)
    assert warehouse.value(_GONE) == 0
    state.set_faults()
    assert (warehouse.days().status, warehouse.differences()) == ("complete", [])


def test_what_is_asked_for_beside_deletions_is_judged_as_well(mirrored: Mirrored) -> None:
    warehouse = mirrored(19)
    state = warehouse.service.state
    warehouse.days()
    for name in state.ids()[:3]:
        state.delete(name)
    state.set_faults(FaultRule(kind="status", status=403, operation="details"))
    problems = "".join(warehouse.days().problems)
    assert "none of the others" in problems
    assert "wait for their details" not in problems
    assert {*warehouse.quarantined()} & {*state.ids()}
    state.set_faults()
    assert (warehouse.days().status, warehouse.differences()) == ("complete", [])


def test_what_is_refused_for_a_moment_is_no_deletion(mirrored: Mirrored) -> None:
    warehouse = mirrored(200)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    lost = warehouse.offered(FIRST, FIRST)
    assert lost
    refused = FaultRule(kind="status", status=403, operation="details", requests=len(lost))
    state.set_faults(refused, rule(rows_lost(lambda _: True)))
    assert "one of these after all" in warehouse.days(FIRST, FIRST).problems[0]
    assert warehouse.value(_GONE) == 0
    state.set_faults()
    assert (warehouse.days(FIRST, FIRST).status, warehouse.differences()) == ("complete", [])


def test_a_small_account_may_lose_most_of_what_it_has(mirrored: Mirrored) -> None:
    warehouse = mirrored(19)
    state = warehouse.service.state
    warehouse.days()
    days = sorted({created_on(truth) for truth in state.truth()})
    lost = [truth.id for truth in warehouse.offered(days[0], days[0])]
    for name in lost:
        state.delete(name)
    assert warehouse.days(days[0], days[0]).status == "complete"
    assert warehouse.gone() == set(lost)


def test_the_first_night_loads_everything_and_goes_on_where_it_was_cut_short(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(300)
    summaries = warehouse.nightly(TODAY, start=FIRST)
    assert [each.status for each in summaries] == ["complete", "complete"]
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])
    days = (TODAY - FIRST).days + 1
    assert len(warehouse.complete_days()) == days
    # As if the first run had been cut short, and some nights had been missed.
    warehouse.execute("delete from sync.days where day in ('2026-01-07', '2026-02-03')")
    late = warehouse.service.state.create(created_at=_at(FIRST + timedelta(days=6)))
    older = warehouse.nightly(TODAY, start=FIRST)[1]
    assert (older.status, older.loaded.new) == ("complete", 1)
    assert warehouse.differences() == []
    assert late is not None


def test_every_day_comes_round(mirrored: Mirrored) -> None:
    """A new activity, a final one reopened, one gone and one back, on quiet days far apart."""
    warehouse = mirrored(300)
    state = warehouse.service.state
    warehouse.nightly(TODAY, start=FIRST)
    found = warehouse.query(
        "select activity_id::text from sync.activity_ledger"
        " where day not in (select day from sync.activity_ledger where not final) order by day"
    )
    final = [name for (name,) in found if name in set(state.ids("CANCELED"))]
    gone, back, reopened = final[0], final[len(final) // 2], final[-1]
    state.delete(back)
    for _ in range(4):
        warehouse.nightly(TODAY, start=FIRST, audit_days=4)
    assert warehouse.gone() == {back}
    state.restore(back)
    state.delete(gone)
    state.enter_status(reopened, "SENT")
    state.create(created_at=_at(FIRST + timedelta(days=2)))
    requests = [
        sum(each.list_requests for each in warehouse.nightly(TODAY, start=FIRST, audit_days=4))
        for _ in range(4)
    ]
    assert warehouse.gone() == {gone}
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])
    assert max(requests) <= MOST_LIST_REQUESTS["a night that audits a quarter of the days"]


def _at(day: date) -> int:
    return round(datetime.combine(day, time(12), UTC).timestamp() * 1000)


def test_a_list_that_was_silent_for_the_first_load_proves_no_day_to_be_empty(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(150)
    warehouse.service.state.set_faults(rule(rows_lost(lambda _: True)))
    warehouse.days(FIRST, TODAY)
    warehouse.service.state.set_faults()
    warehouse.nightly(TODAY, start=FIRST)
    assert warehouse.differences() == []


def test_rows_left_out_of_pages_make_no_day_incomplete(mirrored: Mirrored) -> None:
    """Those that the caller may not see, after pages were cut: nine of ten, so a page shows ten."""
    warehouse = mirrored(300, behaviour={"order": "id"})
    sparse = rows(lambda found: [each for row in found for each in (*[{}] * 9, row)])
    warehouse.service.state.set_faults(rule(sparse))
    summary = warehouse.days(FIRST, TODAY)
    assert (summary.status, warehouse.differences()) == ("complete", [])
    assert summary.list_requests < 700
