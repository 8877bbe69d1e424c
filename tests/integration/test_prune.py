"""Nights remove what was kept long enough, say so and count it; what is needed stays."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from pipeline.sandbox import FaultRule
from pipeline.sync.options import Options
from pipeline.sync.reparse import reparse
from tests.support.mirroring import FIRST, TODAY, Told, Warehouse

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


AGED = """
update sync.runs set started_at = started_at - interval '91 days';
update sync.quarantine set resolved_at = resolved_at - interval '91 days';
"""
BODIES = """
select count(*) filter (where body <> '{}'), count(*)
from landing.activity_details where activity_id = %s
"""


def pruned(warehouse: Warehouse) -> tuple[int, str]:
    """Make a night; return how many things its run removed, and the line that says what."""
    warehouse.told.lines.clear()
    _, older = warehouse.nightly(TODAY + timedelta(days=1), start=FIRST)
    told = [line for line in warehouse.told.lines if line.startswith("removed")]
    stored = warehouse.value("select pruned from sync.runs where run_id = %s", older.run_id)
    assert stored == older.pruned
    return older.pruned, (told or [""])[0]


def test_changes_of_old_runs_and_resolved_entries_go(mirrored: Mirrored) -> None:
    warehouse = mirrored(30)
    service = warehouse.service
    sick, gone = service.state.ids()[:2]
    service.state.set_faults(FaultRule(kind="status", operation="details", id=sick))
    warehouse.days()
    service.state.set_faults()
    service.state.delete(gone)
    warehouse.days(full=True)
    assert pruned(warehouse) == (0, "")
    warehouse.execute(AGED)
    number, told = pruned(warehouse)
    assert told.startswith("removed what was kept long enough: ")
    assert "1 resolved quarantine entries" in told
    assert number >= 30
    changes = "select change, activity_id from sync.run_changes where run_id not in (select run_id"
    changes += " from sync.runs where started_at > now() - interval '1 day')"
    assert warehouse.query(changes) == [("gone", gone)]
    assert warehouse.query("select * from sync.quarantine") == []
    assert pruned(warehouse)[0] == 0


@pytest.mark.parametrize("keep", [1, 2, None])
def test_bodies_behind_the_newest_are_emptied(mirrored: Mirrored, keep: int | None) -> None:
    warehouse = mirrored(30)
    warehouse.options = Options(night_sample=0, keep_versions=keep)
    name = warehouse.service.state.ids()[0]
    for status in ("ACCEPTED", "COMPLETED", "EXPIRED"):
        warehouse.service.state.enter_status(name, status)
        warehouse.days()
    pruned(warehouse)
    assert warehouse.query(BODIES, name) == [(keep or 3, 3)]
    known = "select status from analytics.activity_as_of(%s, %s) "
    times = "select first_seen_at from landing.activity_details where activity_id = %s order by 1"
    seen = [at for (at,) in warehouse.query(times, name)]
    shown = [warehouse.query(known, at, name)[0][0] for at in seen]
    emptied = 3 - (keep or 3)
    assert shown == [None] * emptied + ["ACCEPTED", "COMPLETED", "EXPIRED"][emptied:]
    # What is kept is enough to write the tables again.
    before = warehouse.query("select * from warehouse.activities order by id")
    warehouse.execute("update warehouse.activities set status = 'SENT'")
    warehouse.days()
    assert warehouse.query("select * from warehouse.activities order by id") == before
    assert warehouse.differences() == []


def test_what_only_emptied_bodies_told_outlives_healing_and_reparse(mirrored: Mirrored) -> None:
    warehouse = mirrored(30)
    state = warehouse.service.state
    warehouse.options = Options(night_sample=0, keep_versions=1)
    warehouse.days()
    name = "select entity_id::text from warehouse.activities where id = %s"
    left, person = (warehouse.value(name, each) for each in state.ids()[:2])
    for (each,) in warehouse.query(
        "select id::text from warehouse.activities where entity_id = %s", left
    ):
        state.change_counterpart(each, person)
    warehouse.days(full=True)
    for score in (111, 222, 333):
        state.change_entity(str(person), score=score)
        state.set_clock(advance_ms=60_000)
        warehouse.days(full=True)
    pruned(warehouse)
    assert warehouse.value("select count(*) from landing.activity_list_rows where body = '{}'") > 0
    told = "select entity_id, score, scoring_level from warehouse.entity_scores order by 1, observed_at"
    scores, people = warehouse.query(told), "select id from warehouse.entities order by 1"
    known = warehouse.query(people)
    assert {111, 222, 333} <= {score for entity, score, _ in scores if str(entity) == person}
    assert left in {str(entity) for (entity,) in known}
    with warehouse.engine() as engine:
        reparse(engine, ZoneInfo(warehouse.zone), Told(), "reparse-1")
    assert (warehouse.query(told), warehouse.query(people)) == (scores, known)
    warehouse.execute(f"update warehouse.entities set name = 'somebody' where id = '{person}'")
    warehouse.days()
    assert (warehouse.query(told), warehouse.query(people)) == (scores, known)
