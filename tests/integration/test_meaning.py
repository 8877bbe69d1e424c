"""A service that says the same in other bytes each time: nothing is written, and real news is.

Clause 2 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse
from tests.support.misbehaviour import restless, rule
from tests.support.other_answers import details_changed, rows_changed

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


def test_real_news_in_the_noise_arrives(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    state = warehouse.service.state
    state.set_faults(rule(restless(2)))
    warehouse.days(FIRST, TODAY)
    warehouse.days(FIRST, TODAY, full=True)
    edited, entity = state.ids()[7], state.people()[0]["id"]
    state.edit(edited, description="edited")
    state.change_entity(entity, name="Another Name", avatar="https://new.example.test/a.png")
    warehouse.days(FIRST, TODAY, full=True)
    named = "select name, split_part(avatar, '?', 1) from warehouse.entities where id = %s"
    assert warehouse.query(named, entity) == [("Another Name", "https://new.example.test/a.png")]
    described = "select description from warehouse.activities where id = %s"
    assert warehouse.value(described, edited) == "edited"


def versions(number: int) -> tuple[FaultRule, ...]:
    """Return rules that give all activities a revision, and their avatars a version."""

    def change(document: dict[str, Any]) -> dict[str, Any]:
        if document["entity"] and document["entity"]["avatar"]:
            document["entity"]["avatar"] += f"?v={number}"
        return document | {"revision": number}

    return details_changed(change), rows_changed(change)
