"""A service that says the same in other bytes each time: nothing is written, and real news is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse
from tests.support.other_answers import details_changed, noisy, rows_changed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pipeline.sandbox import FaultRule

    Mirrored = Callable[..., Warehouse]

_LANDED = (
    "select (select count(*) from landing.activity_details),"
    " (select count(*) from landing.activity_list_rows)"
)
_FIELDS = "select path from sync.volatile_fields"


def everything(warehouse: Warehouse) -> tuple[Any, ...]:
    """Return place and transaction of all rows of ``warehouse``, and how many rows landed."""
    return warehouse.versions(), warehouse.query(_LANDED)


def test_a_noisy_service_writes_nothing_twice(mirrored: Mirrored) -> None:
    warehouse = mirrored(300)
    warehouse.service.state.set_faults(details_changed(noisy), rows_changed(noisy))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    before = everything(warehouse)
    recent, older = warehouse.nightly(TODAY)
    assert (recent.status, older.status) == ("complete", "complete")
    assert everything(warehouse) == before
    # Every row listed again: no field that means nothing makes one of them be fetched.
    listed = warehouse.days(FIRST, LAST)
    assert (listed.status, listed.loaded.changed) == ("complete", 0)
    assert listed.details_requests < 30
    assert everything(warehouse) == before
    full = warehouse.days(FIRST, TODAY, full=True)
    assert (full.loaded.changed, full.loaded.unchanged) == (0, 300)
    assert everything(warehouse) == before
    assert {path for (path,) in warehouse.query(_FIELDS)} == {
        "entity.avatar",
        "entity.served_at",
        "request_id",
    }


def test_a_small_world_learns_it_from_its_first_load(mirrored: Mirrored) -> None:
    warehouse = mirrored(5)
    warehouse.service.state.set_faults(details_changed(noisy), rows_changed(noisy))
    warehouse.days(FIRST, TODAY)
    before = everything(warehouse)
    warehouse.days(FIRST, TODAY, full=True)
    assert everything(warehouse) == before


@pytest.mark.parametrize("believed", range(3))
def test_it_learns_from_the_details_that_it_believes(mirrored: Mirrored, believed: int) -> None:
    warehouse = mirrored(3)
    state = warehouse.service.state
    contradicted = [name for number, name in enumerate(state.ids()) if number != believed]

    def contradicting(row: dict[str, Any]) -> dict[str, Any]:
        return noisy(row) | ({"status": "ODD"} if row["id"] in contradicted else {})

    # One activity a batch: only details that are asked for twice show what means nothing.
    alone = {"workers": 1, "batch_size": 2}
    state.set_faults(details_changed(noisy), rows_changed(contradicting))
    assert warehouse.days(FIRST, TODAY, **alone).status == "incomplete"
    state.set_faults(details_changed(noisy), rows_changed(noisy))
    assert warehouse.days(FIRST, TODAY, full=True, **alone).status == "complete"
    before = everything(warehouse)
    warehouse.days(FIRST, TODAY, full=True, **alone)
    assert everything(warehouse) == before


@pytest.mark.parametrize("window_days", [8, 20, 91])
@pytest.mark.parametrize("full", [True, False])
def test_what_changes_only_for_some_is_news(
    mirrored: Mirrored, window_days: int, full: bool
) -> None:
    """However few of the answers that are not news come into the same batch."""
    warehouse = mirrored(100)
    warehouse.options = replace(warehouse.options, window_days=window_days)
    state = warehouse.service.state
    state.set_faults(*versions(1, 1))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    changed = state.ids()[::17]
    state.set_faults(*versions(2, 1, changed))
    assert warehouse.days(FIRST, TODAY, full=full).loaded.changed == 6
    newest = (
        "select count(*) from landing.activity_details where convert_from(body, 'utf8') like %s"
    )
    assert warehouse.value(newest, '%"revision":2%') == 6
    state.set_faults(*versions(2, 2, changed))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert warehouse.value("select count(*) from sync.volatile_fields") == 0
    # Other rows carry the same counterparts with the first version, so landing tells.
    newest = (
        "select count(*) from landing.activity_list_rows where convert_from(body, 'utf8') like %s"
    )
    assert warehouse.value(newest, "%?v=2%") > 0


def test_another_picture_of_the_only_counterpart_is_news(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    counterpart = state.people()[0]
    for picture in (1, 2):
        avatar = f"https://a.example.test/a.png?v={picture}"
        entity = {"entity": counterpart | {"avatar": avatar}}
        state.set_faults(details_changed(entity.__ror__), rows_changed(entity.__ror__))
        assert warehouse.days(FIRST, TODAY).status == "complete"
    avatars = "select distinct avatar from warehouse.entities"
    assert warehouse.query(avatars) == [("https://a.example.test/a.png?v=2",)]


def test_real_news_in_the_noise_arrives(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    state = warehouse.service.state
    state.set_faults(details_changed(noisy), rows_changed(noisy))
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


def versions(revision: int, picture: int, names: Collection[str] = ()) -> tuple[FaultRule, ...]:
    """Return rules that give those activities another revision and their avatars another version."""

    def change(document: dict[str, Any]) -> dict[str, Any]:
        chosen = document["id"] in names
        if document["entity"] and document["entity"]["avatar"]:
            document["entity"]["avatar"] += f"?v={picture if chosen else 1}"
        return document | {"revision": revision if chosen else 1}

    return details_changed(change), rows_changed(change)
