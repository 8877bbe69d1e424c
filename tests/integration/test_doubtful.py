"""Answers that contradict each other, or lost what was known: held in quarantine, never stored.

Clauses 1, 4 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pipeline.sandbox import FaultRule
from pipeline.sync.days import DayRange
from tests.support.mirroring import FIRST, TODAY, Warehouse, run_id
from tests.support.other_answers import details_changed, pages_changed, rows_changed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.sync.options import Summary
    from tests.integration.conftest import Mirrored


def row_of(warehouse: Warehouse, name: str) -> list[tuple[Any, ...]]:
    return warehouse.query("select * from warehouse.activities where id = %s", name)


def ledger_of(warehouse: Warehouse, name: str) -> tuple[Any, ...]:
    (found,) = warehouse.query(
        "select final, details is not null from sync.activity_ledger where activity_id = %s",
        name,
    )
    return found


def test_a_replica_that_lags_for_good_is_doubtful_for_a_run(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    name = state.ids("SENT", "ACTION_REQUIRED")[0]
    old, before = state.truth_of(name).details_fields(), row_of(warehouse, name)
    assert old is not None
    state.move(name, "decline")
    state.set_faults(details_changed(lambda _: old, id=name))
    summary = warehouse.days(FIRST, TODAY)
    assert summary.status == "incomplete"
    assert warehouse.quarantined() == {
        name: f"doubtful: the list says status DECLINED, the details say {old['status']}"
    }
    assert row_of(warehouse, name) == before
    assert ledger_of(warehouse, name) == (False, True)
    # Whoever says the same again in a later run is believed: so nothing is held for ever.
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert (warehouse.quarantined(), row_of(warehouse, name)) == ({}, before)
    # What is open is read again every night.
    state.set_faults()
    state.set_clock(advance_ms=3_600_000)
    assert warehouse.open_work(TODAY + timedelta(days=1), recheck=timedelta(0)).status == "complete"
    assert (warehouse.quarantined(), warehouse.differences()) == ({}, [])


def test_a_replica_that_lags_for_a_moment_is_asked_again(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    name = state.ids("SENT", "ACTION_REQUIRED")[0]
    old = state.truth_of(name).details_fields()
    state.move(name, "decline")
    state.set_faults(details_changed(lambda _: old or {}, id=name, requests=1))
    summary = warehouse.days(FIRST, TODAY)
    assert (summary.status, warehouse.differences()) == ("complete", [])
    assert summary.details_requests == 61


def test_a_new_activity_in_doubt_has_its_list_row(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    name = state.ids("COMPLETED")[0]
    state.set_faults(details_changed(lambda said: said | {"in_out_bound": "ASIDE"}, id=name))
    assert warehouse.days(FIRST, TODAY).status == "incomplete"
    (reason,) = warehouse.quarantined().values()
    assert "the details say ASIDE" in reason
    assert ledger_of(warehouse, name) == (False, False)
    shown = warehouse.query(
        "select status, description, details_fetched_at from warehouse.activities where id = %s",
        name,
    )
    assert shown == [("COMPLETED", None, None)]


def lost(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a change that takes fields out."""
    return lambda said: {name: value for name, value in said.items() if name not in names}


_LOSSES: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "an error with 200": (lambda said: {"id": said["id"], "error": "x"}, "most of the required"),
    "required, absent": (lost("description", "type_name"), "lost description, type_name"),
    "required, null": (lambda said: said | {"time_zone": None}, "lost time_zone"),
    "requirements": (lost("requirements"), "lost requirements"),
    "the counterpart": (lost("entity"), "lost entity"),
    "emptied history": (lambda said: said | {"timeline": []}, "lost timeline"),
    "shorter history": (lambda said: said | {"timeline": said["timeline"][:-1]}, "lost timeline"),
    "a moment": (lambda said: said | {"attended_at": 0}, "lost attended_at"),
    "older": (lambda said: said | {"updated_at": said["updated_at"] - 1}, "updated_at went back"),
}


def test_an_answer_that_lost_something_is_not_stored(mirrored: Mirrored) -> None:
    warehouse = mirrored(120)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    before = warehouse.versions()
    names = dict(zip(state.ids("DECLINED", "COMPLETED"), _LOSSES, strict=False))
    assert len(names) == len(_LOSSES)
    state.set_faults(*(details_changed(_LOSSES[kind][0], id=name) for name, kind in names.items()))
    assert warehouse.days(FIRST, TODAY, full=True).status == "incomplete"
    held = warehouse.quarantined()
    assert held.keys() == names.keys()
    assert [names[name] for name in held if _LOSSES[names[name]][1] not in held[name]] == []
    assert warehouse.versions() == before
    state.set_faults()
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert (warehouse.versions(), warehouse.quarantined()) == (before, {})


def test_shared_values_may_go_when_the_sharing_is_over(mirrored: Mirrored) -> None:
    warehouse = mirrored(120)
    state = warehouse.service.state
    shared = "select distinct activity_id::text from warehouse.requirements where value is not null"
    warehouse.days(FIRST, TODAY)
    over = {name for (name,) in warehouse.query(shared)} & set(state.ids("ACCEPTED"))
    name = min(over)
    state.set_faults(details_changed(lost("accepted_requirements"), id=name))
    assert warehouse.days(FIRST, TODAY, full=True).status == "incomplete"
    assert "lost accepted_requirements" in warehouse.quarantined()[name]
    state.set_faults(
        details_changed(
            lambda said: lost("accepted_requirements")(said) | {"expires_at": 1}, id=name
        )
    )
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert name not in {found for (found,) in warehouse.query(shared)}


def test_a_poorer_counterpart_blanks_nothing(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state

    def poorer(row: dict[str, Any]) -> dict[str, Any]:
        kept = {"id", "name"}
        entity = {name: value for name, value in row["entity"].items() if name in kept}
        return row | {"entity": entity}

    state.set_faults(rows_changed(poorer))
    warehouse.days(FIRST, TODAY)
    assert warehouse.differences() == []
    before = warehouse.versions()
    warehouse.nightly(TODAY)
    state.set_faults(details_changed(poorer))
    warehouse.days(FIRST, TODAY, full=True)
    entities = {"entities", "entity_social_media"}
    after = warehouse.versions()
    assert {table: after[table] for table in entities} == {
        table: before[table] for table in entities
    }
    assert warehouse.differences() == []


def test_a_list_that_rounds_and_spells_otherwise_contradicts_nothing(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    said = rows_changed(
        lambda row: (
            row
            | {"created_at": row["created_at"] + 1000, "status": row["status"].lower()}
            | {"entity": row["entity"] | {"type": row["entity"]["type"].lower()}}
        )
    )
    warehouse.service.state.set_faults(said)
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert warehouse.differences() == []
    before = warehouse.versions()
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert warehouse.versions() == before


def without_entity(name: str) -> list[FaultRule]:
    """Have an activity's counterpart delete its profile; nothing else says that something happened."""
    return [
        make(lambda said: said | {"entity": None} if said["id"] == name else said)
        for make in (details_changed, rows_changed)
    ]


def test_a_list_that_lacks_what_the_details_lost_confirms_them(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    warehouse.days(FIRST, TODAY)
    name = warehouse.service.state.ids("ACCEPTED")[0]
    warehouse.service.state.set_faults(*without_entity(name))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert warehouse.value("select entity_id from warehouse.activities where id = %s", name) is None


def test_the_list_is_read_for_details_that_lost_something_alone(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    name = state.ids("SENT", "ACTION_REQUIRED")[0]
    state.set_faults(*without_entity(name))
    options = {"audit_days": 3660, "night_sample": 0, "recheck": timedelta(0)}
    tomorrow = TODAY + timedelta(days=1)
    assert warehouse.open_work(tomorrow, **options).status == "complete"
    assert warehouse.value("select entity_id from warehouse.activities where id = %s", name) is None


def test_a_cache_of_seconds_is_no_doubt(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    name = state.ids("SENT", "ACTION_REQUIRED")[0]

    async def run_twice() -> Sequence[Summary]:
        async with warehouse.mirror() as mirror:
            days, stored = DayRange(FIRST, TODAY), state.truth_of(name).details_fields() or {}
            first = await mirror.sync_days(run_id(), days)
            state.move(name, "decline")
            state.set_faults(details_changed(lambda _: stored, id=name))
            return first, await mirror.sync_days(run_id(), days)

    assert [each.status for each in asyncio.run(run_twice())] == ["complete", "complete"]
    assert warehouse.quarantined() == {}
    # A cache of days is news.
    assert warehouse.days(FIRST, TODAY).status == "incomplete"
    state.set_faults()
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert warehouse.differences() == []


def test_a_list_row_that_lost_fields_blanks_nothing(mirrored: Mirrored) -> None:
    warehouse = mirrored(30)
    state = warehouse.service.state
    refused = FaultRule(kind="status", status=200, operation="details", body='{"id": 7}')
    state.set_faults(refused)
    warehouse.days(FIRST, TODAY)
    shown = "select id, status, entity_id, type, time_zone from warehouse.activities order by id"
    before = warehouse.query(shown)
    state.set_faults(refused, rows_changed(lost("status", "entity", "type", "time_zone")))
    warehouse.days(FIRST, TODAY)
    assert warehouse.query(shown) == before


def test_members_of_a_page_that_nobody_names_are_recorded(mirrored: Mirrored) -> None:
    warehouse = mirrored(30)
    warehouse.service.state.set_faults(pages_changed(lambda page: page | {"total": 30}))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    seen = "select kind, value from sync.unknown_values where kind = 'page field'"
    assert warehouse.query(seen) == [("page field", "total")]
    assert warehouse.days(FIRST, TODAY).status == "complete"
