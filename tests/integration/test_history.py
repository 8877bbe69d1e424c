"""What changes at the service after it was loaded: found, however late, and within stated bounds.

Clauses 1, 5 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

import pytest

from tests.support.habits.answers import refused_by, rule
from tests.support.mirroring import FIRST, LAST, NOON, TODAY, Warehouse

if TYPE_CHECKING:
    from datetime import date

    from pipeline.sandbox.history import Move
    from tests.integration.conftest import Mirrored


_OPEN = "select activity_id::text from sync.activity_ledger where not final and day < %s order by 1"
DAY_MS = 86_400_000


def _ids_of_days(warehouse: Warehouse, first: date, last: date, count: int) -> list[str]:
    found = [truth.id for truth in warehouse.offered(first, last)][:count]
    assert len(found) == count
    return found


def test_fifty_late_settlings_cost_little_and_leave_no_difference(mirrored: Mirrored) -> None:
    warehouse = mirrored(1000)
    state = warehouse.service.state
    sixty_days_ago = TODAY - timedelta(days=60)
    late = _ids_of_days(warehouse, sixty_days_ago, sixty_days_ago + timedelta(days=5), 50)
    for name in late:
        state.enter_status(name, "SENT")
    warehouse.days(FIRST, TODAY)
    assert warehouse.differences() == []

    state.set_clock(advance_ms=1000)
    moves: tuple[Move, ...] = ("accept", "decline", "cancel")
    for number, name in enumerate(late):
        state.move(name, moves[number % 3], message="at last")
    open_days = warehouse.query(
        "select ledger.day, coverage.listed from sync.activity_ledger as ledger"
        " join sync.coverage using (day) where not final and day < %s group by 1, 2",
        TODAY - timedelta(days=2),
    )
    pages = sum(ceil(listed / 100) for _, listed in open_days)
    # With so many days no window is read twice only to see an old copy of the list.
    recent, older = warehouse.nightly(TODAY, audit_days=3660)
    assert (recent.status, older.status) == ("complete", "complete")
    assert (recent.details_requests, older.loaded.changed) == (0, 50)
    assert older.list_requests + older.details_requests <= 50 + pages
    assert warehouse.differences() == []
    assert warehouse.gaps() == []
    changed = dict(
        warehouse.query(
            "select activity_id, fields from sync.run_changes where run_id = %s", older.run_id
        )
    )
    assert changed.keys() == set(late)
    assert all("status" in fields and "timeline" in fields for fields in changed.values())


def test_an_edit_of_open_details_alone_is_found_within_the_interval(mirrored: Mirrored) -> None:
    warehouse = mirrored(200)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    open_ones = [name for (name,) in warehouse.query(_OPEN, TODAY)]
    for name in open_ones:
        state.enter_status(name, "ON_HOLD")  # no deadline that could call for the details
    warehouse.days(FIRST, TODAY)
    state.set_clock(advance_ms=DAY_MS)
    for name in open_ones:
        state.edit(name, description=f"edited {name}", notification_message="")

    nights = [TODAY + timedelta(days=night) for night in (1, 3, 5, 6)]
    for today in nights:
        state.set_clock(now=round((NOON + (today - TODAY)).timestamp() * 1000))
        warehouse.nightly(today)
    state.set_clock(now=round((NOON + timedelta(days=7, hours=1)).timestamp() * 1000))
    summaries = warehouse.nightly(TODAY + timedelta(days=7))
    assert [summary.status for summary in summaries] == ["complete", "complete"]
    assert warehouse.differences() == []
    edited = warehouse.value(
        "select count(*) from warehouse.activities where description like 'edited%%'"
    )
    assert edited == len(open_ones) > 10


def test_an_edit_of_final_details_is_found_by_a_full_run(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days()
    (final,) = _ids_of_days(warehouse, FIRST, LAST, 1)
    state.enter_status(final, "DECLINED")
    warehouse.days()
    assert warehouse.differences() == []
    state.edit(final, description="edited after the end")

    seen = warehouse.days()
    assert (seen.details_requests, seen.status) == (0, "complete")
    assert [line for line in warehouse.differences() if ".description: " in line] != []
    before = warehouse.versions()
    full = warehouse.days(full=True)
    # Rewritten without a newer `updated_at`: asked for again.
    assert (full.details_requests, full.loaded.changed) == (61, 1)
    assert warehouse.differences() == []
    kept = {table: len(rows & before[table]) for table, rows in warehouse.versions().items()}
    rewritten = {table: len(rows) - kept[table] for table, rows in before.items()}
    # Its requirements, items and events say what they said.
    assert rewritten == dict.fromkeys(before, 0) | {"activities": 1}


@pytest.mark.parametrize(("completed_expires", "status"), [(False, 403), (True, 404), (True, 410)])
def test_an_expiry_whose_details_are_refused_is_not_a_fault(
    mirrored: Mirrored, completed_expires: bool, status: int
) -> None:
    switches = {"expired_details": "forbidden", "completed_expires": completed_expires}
    warehouse = mirrored(300, behaviour=switches)
    state = warehouse.service.state
    state.set_faults(rule(refused_by(status)))
    loaded = warehouse.days(FIRST, TODAY)
    # Only one that is COMPLETED, and refused before it was ever had, can't be explained.
    unexplained = warehouse.quarantined()
    assert bool(unexplained) is not completed_expires
    assert loaded.quarantined == len(unexplained)
    offered = {truth.id for truth in state.truth() if truth.details_fields() is not None}
    final = offered & set(state.ids("COMPLETED"))
    later = TODAY + timedelta(days=40)
    state.set_clock(advance_ms=40 * DAY_MS)
    warehouse.nightly(later)
    refused = {truth.id for truth in state.truth() if truth.details_fields() is None}
    held = warehouse.quarantined().keys()
    if completed_expires:
        assert len(refused & offered) > 20
        assert not held
    assert len(refused & final) > 5
    assert not held & final
    stale = [line for line in warehouse.differences() if not any(name in line for name in held)]
    assert (stale, warehouse.gaps()) == ([], [])
    state.reset_counters()
    warehouse.nightly(later)
    assert not state.counters().details.keys() & (refused - held)
