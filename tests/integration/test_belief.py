"""Details are stored as they come; doubt only asks again, and what stays in doubt is on record.

Clauses 1, 4 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import FaultRule
from tests.support.habits.answers import bodies, details_changed, rule
from tests.support.habits.lists import rows_changed, rows_lost
from tests.support.mirroring import FIRST, TODAY, Warehouse

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.conftest import Mirrored

HOUR_MS = 3_600_000


def doubts(warehouse: Warehouse) -> dict[str, str]:
    """Return what is in doubt, by activity; ``!`` where it is not settled."""
    query = (
        "select activity_id::text, discrepancy"
        " || case when discrepancy_settled_at is null then '!' else '' end"
        " from sync.activity_ledger where discrepancy is not null"
    )
    return dict(warehouse.query(query))


def lost(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a change that takes fields out."""
    return lambda said: {name: value for name, value in said.items() if name not in names}


def masked(said: dict[str, Any]) -> dict[str, Any]:
    """Return details with texts masked, as some services do long after."""
    timeline = [entry | {"message": "***"} for entry in said["timeline"]]
    return said | {"description": "***", "timeline": timeline}


_DISCREPANCIES: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "required, absent": (lost("description", "type_name"), "lost description; lost type_name"),
    "required, null": (lambda said: said | {"time_zone": None}, "lost time_zone"),
    "requirements": (lost("requirements"), "lost requirements"),
    "the counterpart": (lost("entity"), "lost entity"),
    "emptied history": (lambda said: said | {"timeline": []}, "lost timeline"),
    "shorter history": (lambda said: said | {"timeline": said["timeline"][:-1]}, "lost timeline"),
    "a moment": (lambda said: said | {"attended_at": 0}, "lost attended_at"),
    "masked": (masked, "rewrote description; rewrote timeline"),
    "older": (lambda said: said | {"updated_at": said["updated_at"] - 1}, "updated_at went back"),
}


def test_what_is_lost_or_rewritten_is_stored_named_and_asked_for_again(mirrored: Mirrored) -> None:
    warehouse = mirrored(120)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    before = warehouse.query("select to_jsonb(a) from warehouse.activities as a order by id")
    names = dict(zip(state.ids("DECLINED", "COMPLETED"), _DISCREPANCIES, strict=False))
    assert len(names) == len(_DISCREPANCIES)
    state.set_faults(
        *(details_changed(_DISCREPANCIES[kind][0], id=name) for name, kind in names.items())
    )
    summary = warehouse.days(FIRST, TODAY, full=True)
    assert (summary.status, warehouse.quarantined()) == ("complete", {})
    assert summary.details_requests == 120 + len(names)
    said = {name: _DISCREPANCIES[kind][1] for name, kind in names.items()}
    assert doubts(warehouse) == {name: f"{text}!" for name, text in said.items()}
    # Soon after, the same is no news; a later night that gets the same settles it.
    state.set_clock(advance_ms=HOUR_MS)
    warehouse.days(FIRST, TODAY)
    assert doubts(warehouse) == {name: f"{text}!" for name, text in said.items()}
    state.set_clock(advance_ms=6 * HOUR_MS)
    assert warehouse.days(FIRST, TODAY).details_requests == len(names)
    assert doubts(warehouse) == said
    assert warehouse.days(FIRST, TODAY).details_requests == 0
    older = next(name for name in names if names[name] == "older")
    assert (
        warehouse.value(
            "select count(*) from landing.activity_details where activity_id = %s", older
        )
        == 2
    )
    # Another answer takes it back.
    state.set_faults()
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert (doubts(warehouse), warehouse.differences()) == ({}, [])
    after = warehouse.query("select to_jsonb(a) from warehouse.activities as a order by id")
    assert [row | {"details_fetched_at": None} for (row,) in after] == [
        row | {"details_fetched_at": None} for (row,) in before
    ]


def test_details_that_came_while_the_list_lacked_their_row_are_compared_when_it_is_back(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    name = state.ids("ACCEPTED")[0]
    warehouse.days(FIRST, TODAY)
    other = details_changed(lambda said: said | {"status": "SENT"}, id=name)
    state.set_faults(other, rule(rows_lost(lambda row: row["id"] == name)))
    assert "not listed" in warehouse.days(FIRST, TODAY).problems[0]
    assert doubts(warehouse) == {}
    state.set_faults(other)
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert doubts(warehouse) == {name: "disagrees in status; unmoved!"}


def test_a_loss_stays_in_doubt_while_other_answers_do_not_bring_it_back(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    name = state.ids("ACCEPTED")[0]
    warehouse.days(FIRST, TODAY)
    for gone in ({"requirements"}, {"requirements", "description"}):
        state.set_faults(details_changed(lost(*gone), id=name))
        warehouse.days(FIRST, TODAY, full=True)
    assert doubts(warehouse) == {name: "lost description; lost requirements!"}
    state.set_faults(details_changed(lost("description"), id=name))
    warehouse.days(FIRST, TODAY, full=True)
    assert doubts(warehouse) == {name: "lost description!"}


def test_half_an_answer_waits_in_quarantine_until_a_later_night(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    name = state.ids("DECLINED")[0]
    warehouse.days(FIRST, TODAY)
    before = warehouse.versions()
    state.set_faults(
        details_changed(lambda said: {"id": said["id"], "status": said["status"]}, id=name)
    )
    assert warehouse.days(FIRST, TODAY, full=True).status == "incomplete"
    assert "half an answer" in warehouse.quarantined()[name]
    assert warehouse.versions() == before
    state.set_clock(advance_ms=7 * HOUR_MS)
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert warehouse.quarantined() == {}
    assert doubts(warehouse) == {name: "half answer"}
    assert (
        warehouse.value("select description from warehouse.activities where id = %s", name) is None
    )


def test_another_activitys_answer_is_never_stored(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    name, other = state.ids("SENT", "ACTION_REQUIRED")[0], state.ids("DECLINED")[0]
    theirs = state.truth_of(other).details_fields() or {}
    stored = "select a.xmin::text, a.status from warehouse.activities as a where id = %s"
    before = warehouse.query(stored, name)
    state.set_faults(details_changed(lambda _: theirs | {"id": name}, id=name))
    for _ in range(3):
        assert warehouse.days(FIRST, TODAY, full=True).status == "incomplete"
        assert "another activity's answer" in warehouse.quarantined()[name]
        state.set_clock(advance_ms=24 * HOUR_MS)
    assert warehouse.query(stored, name) == before
    state.set_faults()
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert (warehouse.differences(), doubts(warehouse)) == ([], {})


def test_details_behind_the_list_for_good_are_green_and_on_record(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    name = state.ids("SENT", "ACTION_REQUIRED")[0]
    old = state.truth_of(name).details_fields() or {}
    state.move(name, "decline")
    state.set_faults(details_changed(lambda _: old, id=name))
    found = []
    for _ in range(4):
        summary = warehouse.days(FIRST, TODAY)
        found.append((summary.status, summary.details_requests, doubts(warehouse)[name]))
        state.set_clock(advance_ms=7 * HOUR_MS)
    text = "disagrees in status; unmoved"
    assert found[:2] == [("complete", 2, f"{text}!"), ("complete", 1, text)]
    assert found[2:] == [("complete", 0, text)] * 2
    state.set_faults()
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert (warehouse.differences(), doubts(warehouse)) == ([], {})


def test_very_many_losses_at_once_are_an_error_and_then_a_habit(mirrored: Mirrored) -> None:
    warehouse = mirrored(300)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    state.set_faults(details_changed(lost("timeline")))
    first = warehouse.days(FIRST, TODAY, full=True)
    assert "have lost or rewritten something" in "".join(first.problems)
    assert first.details_requests == 320
    state.set_clock(advance_ms=7 * HOUR_MS)
    night = warehouse.days(FIRST, TODAY)
    assert night.status == "complete"
    assert 20 <= night.details_requests <= 30  # some are due by the clock
    assert warehouse.query(
        "select discrepancy from sync.habits where confirmed_at is not null"
    ) == [("lost timeline",)]
    assert warehouse.days(FIRST, TODAY).details_requests == 0


@pytest.mark.parametrize("missed", [False, True])
def test_what_is_found_late_and_at_once_leaves_every_day_complete(
    mirrored: Mirrored, missed: bool
) -> None:
    warehouse = mirrored(120)
    state = warehouse.service.state
    today = TODAY
    for night in range(3):
        if night and missed:
            today += timedelta(days=8)
            state.set_clock(advance_ms=8 * 24 * HOUR_MS)
        for number in range(40):
            # Of any day until now, as an import has them.
            created_at = state.clock.now() - number * 13 * HOUR_MS - HOUR_MS
            state.create(created_at=created_at)
        summaries = warehouse.nightly(today, start=FIRST)
        assert [each.problems for each in summaries] == [[], []]
        assert warehouse.value("select complete_through from analytics.freshness") == today


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


@pytest.mark.parametrize("mask", ["***", "J****", ""])
def test_a_masked_name_hides_none_that_is_known(mirrored: Mirrored, mask: str) -> None:
    warehouse = mirrored(60)
    warehouse.days(FIRST, TODAY)

    def masked(row: dict[str, Any]) -> dict[str, Any]:
        return row | {"entity": row["entity"] | {"name": mask}}

    warehouse.service.state.set_faults(rows_changed(masked), details_changed(masked))
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert warehouse.differences() == []


def test_a_list_that_rounds_and_spells_otherwise_contradicts_nothing(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)

    def spelled(spell: Callable[[str], str]) -> FaultRule:
        return rows_changed(
            lambda row: (
                row
                | {"created_at": row["created_at"] + 1000, "status": spell(row["status"])}
                | {"entity": row["entity"] | {"type": spell(row["entity"]["type"])}}
            )
        )

    warehouse.service.state.set_faults(spelled(str.lower))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert (warehouse.differences(), doubts(warehouse)) == ([], {})
    assert warehouse.value("select count(*) from sync.habits") == 0
    before = warehouse.versions()
    for spell in (str.lower, str.upper):
        warehouse.service.state.set_faults(spelled(spell))
        summary = warehouse.days(FIRST, TODAY)
        assert (summary.status, summary.details_requests) == ("complete", 0)
        assert warehouse.versions() == before


def test_a_list_behind_the_timeline_is_explained_in_any_order(mirrored: Mirrored) -> None:
    """Of the details' timeline: nobody says which status comes first in it."""
    warehouse = mirrored(60)
    state = warehouse.service.state
    name = state.ids("SENT")[0]
    old = state.truth_of(name).row_fields()
    state.enter_status(name, "CANCELED")
    behind = rows_changed(lambda row: old if row["id"] == name else row)
    turned = details_changed(lambda said: said | {"timeline": said["timeline"][::-1]})
    for rules in ([behind], [behind, turned]):
        state.set_faults(*rules)
        assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
        assert doubts(warehouse) == {}


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
    warehouse.service.state.set_faults(rule(bodies("list", lambda _, page: page | {"total": 30})))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    seen = "select kind, value from sync.unknown_values where kind = 'page field'"
    assert warehouse.query(seen) == [("page field", "total")]
    assert warehouse.days(FIRST, TODAY).status == "complete"
