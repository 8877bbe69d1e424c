"""Reparse: the warehouse comes out of landing as it was, without one request."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import psycopg
import pytest

from pipeline.sync import mapping
from pipeline.sync.fields import digest
from pipeline.sync.reparse import ReparseSummary, reparse
from pipeline.warehouse.answers import landing
from tests.support.comparison import KEYS
from tests.support.mirroring import FIRST, TODAY, Told, Warehouse

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


HOUR_MS = 3_600_000

SPOIL = """
update warehouse.activities set status = 'SPOILED', gone_at = null, description = null
where id in (select id from warehouse.activities order by md5(id::text) limit 20);
delete from warehouse.activities
where id in (select id from warehouse.activities order by md5(id::text || 'a') limit 40);
update warehouse.activities set details_fetched_at = now(), first_seen_at = now(), entity_id = null
where id in (select id from warehouse.activities order by md5(id::text || 'b') limit 20);
delete from warehouse.timeline_events where position = 1;
delete from warehouse.requirements where position = 0 and disposition = 'requested';
update warehouse.requirement_items set code = 'SPOILED' where position = 0;
update warehouse.accepted_items set value = '"spoiled"' where requirement_position = 0;
insert into warehouse.timeline_events (activity_id, position, status)
select id, 77, 'SPOILED' from warehouse.activities where gone_at is null limit 10;
update warehouse.entities set name = 'spoiled', score = null where id::text < '8';
update warehouse.entity_social_media set url = 'spoiled' where entity_id::text > '8';
delete from warehouse.entity_social_media where entity_id::text > 'c';
insert into warehouse.entities (id, name, digest, observed_at)
values ('00000000-0000-0000-0000-000000000000', 'invented', '', now());
update sync.activity_ledger set final = not final, deadline_at = null;
"""


def rebuilt(warehouse: Warehouse, run_id: str = "reparse-1", **options: Any) -> ReparseSummary:
    with warehouse.engine() as engine:
        return reparse(engine, ZoneInfo(warehouse.zone), Told(), run_id, **options)


def contents(warehouse: Warehouse) -> dict[str, list[tuple[Any, ...]]]:
    """Return every column of every row of the contract's tables."""
    return {
        table: warehouse.query(f"select * from warehouse.{table} order by {', '.join(key)}")
        for table, key in KEYS.items()
    }


def ledger(warehouse: Warehouse) -> list[tuple[Any, ...]]:
    return warehouse.query("select * from sync.activity_ledger order by activity_id")


def lived(mirrored: Mirrored) -> Warehouse:
    """Mirror a service through a history: edits, settlements, renames, deletions, refusals."""
    warehouse = mirrored(300, behaviour={"expired_details": "forbidden"})
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    names = state.ids()
    for name in names[::9]:
        state.edit(name, description=f"edited {name}")
    for person in state.people()[:10]:
        state.change_entity(person["id"], name=f"renamed {person['id']}")
    for name in names[4::50]:
        state.delete(name)
    assert state.ids("COMPLETED")
    warehouse.days(FIRST, TODAY, full=True)
    for name in names[4::100]:
        state.restore(name)
    for name in state.ids("SENT", "ACTION_REQUIRED")[:10]:
        state.move(name, "accept")
    for name in names[::18]:
        state.edit(name, description=f"edited again {name}")
    for person in state.people()[5:15]:
        state.change_entity(person["id"], score=301)
    state.set_clock(advance_ms=90 * 24 * HOUR_MS)
    warehouse.days(FIRST, TODAY, full=True)
    return warehouse


def test_the_tables_come_out_of_landing_as_they_were(mirrored: Mirrored) -> None:
    warehouse = lived(mirrored)
    for what in (
        "warehouse.activities where gone_at is not null",
        "warehouse.activities where status = 'EXPIRED' and details_fetched_at is not null",
        "warehouse.activities where details_fetched_at is null",
        "(select from landing.activity_details group by activity_id having count(*) > 2) as versions",
        "(select from landing.activity_list_rows group by activity_id having count(*) > 1) as versions",
        "sync.run_changes where change = 'returned'",
    ):
        assert warehouse.value(f"select count(*) from {what}") > 0, what
    before, known = contents(warehouse), ledger(warehouse)

    assert rebuilt(warehouse).loaded.changed == 0  # a run and a reparse write the same
    versions = warehouse.versions()
    assert contents(warehouse) == before

    with psycopg.connect(warehouse.url) as session:
        session.execute(SPOIL)
    assert contents(warehouse) != before
    warehouse.service.state.reset_counters()
    summary = rebuilt(warehouse, "reparse-2", batch_size=37)
    assert contents(warehouse) == before
    assert ledger(warehouse) == known
    assert warehouse.service.state.counters().requests == 0
    loaded = summary.loaded
    assert (summary.status, summary.quarantined) == ("complete", 0)
    assert loaded.changed + loaded.unchanged == 300
    assert 100 < loaded.changed < 300
    assert versions != (versions := warehouse.versions())

    again = rebuilt(warehouse, "reparse-3")
    assert (again.loaded.changed, again.loaded.unchanged, again.entities) == (0, 300, 0)
    assert warehouse.versions() == versions
    assert warehouse.query(
        "select kind, status, changed, requests from sync.runs where run_id = 'reparse-2'"
    ) == [("reparse", "complete", loaded.changed, 0)]


def test_a_lost_counterpart_comes_back_with_its_latest_form(mirrored: Mirrored) -> None:
    warehouse = lived(mirrored)
    before = contents(warehouse)
    with psycopg.connect(warehouse.url) as session:
        session.execute("delete from warehouse.activities")
        session.execute("delete from warehouse.entities")
    rebuilt(warehouse)
    after = contents(warehouse)
    # When a form that is gone was observed first, landing can't tell; when it was last, it can.
    # The last two columns: when it was observed, and since when it is unregistered.
    observed = [row[-2] for row in before["entities"]], [row[-2] for row in after["entities"]]
    assert all(late >= early for early, late in zip(*observed, strict=True))
    for tables in (before, after):
        tables["entities"] = [row[:-2] for row in tables["entities"]]
    assert after == before


def test_a_new_mapping_is_applied_and_what_no_longer_maps_is_named(
    mirrored: Mirrored, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = mirrored(60)
    warehouse.days(FIRST, TODAY)
    before = contents(warehouse)
    broken = warehouse.service.state.ids()[7]
    with psycopg.connect(warehouse.url) as session:
        body = json.dumps({"id": broken, "created_at": "soon"}).encode()
        session.execute("set sync.loading = 'on'")
        session.execute(
            "update landing.activity_details set body = %s, digest = %s where activity_id = %s",
            (body, digest(body), broken),
        )
    monkeypatch.setattr(mapping, "MAPPING_VERSION", mapping.MAPPING_VERSION + 1)
    summary = rebuilt(warehouse)
    assert (summary.status, summary.quarantined) == ("incomplete", 1)
    assert contents(warehouse) == before
    assert list(warehouse.quarantined()) == [broken]
    assert "no longer maps: created_at" in warehouse.quarantined()[broken]
    versions = dict(
        warehouse.query("select mapping_version, count(*) from sync.activity_ledger group by 1")
    )
    assert versions == {mapping.MAPPING_VERSION: 59, None: 1}
    assert warehouse.value("select sum(quarantined) from sync.coverage") == 1
    assert warehouse.gaps() == []
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert warehouse.quarantined() == {}


def test_a_reparse_that_was_killed_is_finished_by_the_next(mirrored: Mirrored) -> None:
    warehouse = mirrored(120)
    warehouse.days(FIRST, TODAY)
    before = contents(warehouse)
    with psycopg.connect(warehouse.url) as session:
        session.execute(SPOIL)

    class Killed(BaseException):
        pass

    class Killing(Told):
        def log(self, message: str) -> None:
            if "rebuilt" in message:
                raise Killed

    with warehouse.engine() as engine, pytest.raises(Killed):
        reparse(engine, ZoneInfo("UTC"), Killing(), "killed", batch_size=2)
    assert warehouse.value("select status from sync.runs where run_id = 'killed'") == "failed"
    assert contents(warehouse) != before
    assert rebuilt(warehouse, "finished").status == "complete"
    assert contents(warehouse) == before


def test_beside_a_running_sync(mirrored: Mirrored) -> None:
    warehouse = mirrored(200)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    for name in state.ids()[::2]:
        state.edit(name, description="edited meanwhile")
    for person in state.people()[:10]:
        state.change_entity(person["id"], name="renamed meanwhile")

    async def both() -> None:
        sync = asyncio.create_task(warehouse.sync(FIRST, TODAY, full=True, batch_size=10))
        for number in range(3):
            await asyncio.to_thread(rebuilt, warehouse, f"beside-{number}", batch_size=10)
        assert (await sync).status == "complete"

    asyncio.run(both())
    assert warehouse.differences(FIRST, TODAY + timedelta(days=1)) == []
    assert rebuilt(warehouse, "after").loaded.changed == 0


def test_a_batch_has_few_activities_whose_responses_are_large(mirrored: Mirrored) -> None:
    warehouse = mirrored(30)
    warehouse.days(FIRST, TODAY)
    ids = [
        name for (name,) in warehouse.query("select id::text from warehouse.activities order by id")
    ]
    large = set(ids[5:12])
    with warehouse.session() as session:
        session.execute("set local session_replication_role = replica")
        session.execute(
            "update landing.activity_details set body = body || convert_to(repeat(' ', %s), 'UTF8')"
            " where activity_id = any(%s::uuid[])",
            (3 * 2**20, list(large)),
        )
    with warehouse.engine() as engine:
        batches = list(landing.batches(engine, ids))
    assert [name for batch in batches for name in batch] == ids
    assert [len(large.intersection(batch)) for batch in batches] == [3, 3, 1]
