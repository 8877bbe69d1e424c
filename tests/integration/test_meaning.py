"""A service that says the same in other bytes each time: nothing is written, and real news is.

Clauses 2 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.habits.answers import details_changed, restless, rule
from tests.support.habits.lists import rows_changed
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse

if TYPE_CHECKING:
    from pipeline.sandbox import FaultRule
    from tests.integration.conftest import Mirrored


_LANDED = (
    "select (select count(*) from landing.activity_details),"
    " (select count(*) from landing.activity_list_rows)"
)


def everything(warehouse: Warehouse) -> tuple[Any, ...]:
    """Return place and transaction of all rows of ``warehouse``, and how many rows landed."""
    return warehouse.versions(), warehouse.query(_LANDED)


def test_a_noisy_service_writes_nothing_twice(mirrored: Mirrored) -> None:
    warehouse = mirrored(120)
    warehouse.service.state.set_faults(rule(restless(1)))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    before = everything(warehouse)
    recent, older = warehouse.nightly(TODAY)
    assert (recent.status, older.status) == ("complete", "complete")
    assert everything(warehouse) == before
    # Every row listed again: no field that means nothing makes one of them be fetched.
    listed = warehouse.days(FIRST, LAST)
    assert (listed.status, listed.loaded.changed) == ("complete", 0)
    assert listed.details_requests < 15
    assert everything(warehouse) == before
    full = warehouse.days(FIRST, TODAY, full=True)
    assert (full.loaded.changed, full.loaded.unchanged) == (0, 120)
    assert everything(warehouse) == before


@pytest.mark.parametrize("full", [True, False])
def test_what_nobody_names_is_no_news_by_itself(mirrored: Mirrored, full: bool) -> None:
    """Another revision, or another end of an address; a named field brings both along."""
    warehouse = mirrored(100)
    state = warehouse.service.state
    state.set_faults(*versions(1))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    before = everything(warehouse)
    state.set_faults(*versions(2))
    assert warehouse.days(FIRST, TODAY, full=full).status == "complete"
    assert everything(warehouse) == before
    edited = state.ids()[7]
    state.edit(edited, description="edited")
    warehouse.days(FIRST, TODAY, full=True)
    newest = (
        "select convert_from(body, 'utf8') like %s from landing.activity_details"
        " where activity_id = %s order by first_seen_at desc limit 1"
    )
    assert warehouse.value(newest, '%"revision":2%', edited)


def versions(number: int) -> tuple[FaultRule, ...]:
    """Return rules that give all activities a revision, and their avatars a version."""

    def change(document: dict[str, Any]) -> dict[str, Any]:
        if document["entity"] and document["entity"]["avatar"]:
            document["entity"]["avatar"] += f"?v={number}"
        return document | {"revision": number}

    return details_changed(change), rows_changed(change)


_SIZE = "select pg_database_size(current_database())"


@pytest.mark.slow
def test_ten_thousand_unchanged(mirrored: Mirrored) -> None:
    warehouse = mirrored(10_000)
    loaded = warehouse.days(FIRST, TODAY)
    assert (loaded.status, loaded.loaded.new) == ("complete", 10_000)
    open_days = warehouse.value(
        "select count(*) from (select day from sync.activity_ledger where not final group by day"
        " having count(*) > 8) as days"
    )
    assert open_days > 30
    warehouse.nightly(TODAY)
    before, size = warehouse.versions(), warehouse.value(_SIZE)
    landed = warehouse.value("select count(*) from landing.activity_details")
    recent, older = warehouse.nightly(TODAY)
    assert (recent.status, older.status) == ("complete", "complete")
    assert (recent.details_requests, older.details_requests) == (0, 0)
    assert warehouse.versions() == before
    assert warehouse.value("select count(*) from landing.activity_details") == landed
    assert warehouse.value(_SIZE) - size < 100_000
