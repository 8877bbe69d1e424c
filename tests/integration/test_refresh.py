"""A refresh counts what changed again, and only that, after every writer and every interruption."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import psycopg
import pytest

from pipeline.sync.reparse import reparse
from pipeline.warehouse.schema.refresh import refresh
from pipeline.warehouse.schema.views import stored_views
from tests.support.commands import eventually
from tests.support.made_up import Activity, add, add_entity, at
from tests.support.mirroring import Told
from tests.support.obstacles import parked
from tests.support.refreshing import differences, everything_is_stale, refresh_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.conftest import Mirrored

#: The change of a decision that is kept.
_KEPT = (
    "insert into warehouse.kept_decisions (activity_id, position, requirement_code, requirement_occurrence,"
    " decision, asked, shown_from, shown_until)"
    " values ({{id}}, {position}, 'RQ_00{position}', 0, 'accepted', true, '2026-01-09', '2026-01-10')"
)

#: For each trigger that queues, a change that no other trigger queues completely. ``{id}``: an activity;
#: ``{listed}``: one that is only listed as yet; ``{lonely}``: a counterpart without activities.
CHANGES = {
    "warehouse.activities queue_new": "insert into warehouse.activities (id, status, first_seen_at)"
    " values ({listed}, 'SENT', '2026-01-05')",
    "warehouse.activities queue_changed": "update warehouse.activities set status = 'DECLINED',"
    " entity_id = {lonely} where id = {id}",
    "warehouse.activities queue_removed": "delete from warehouse.activities where id = {id};"
    "delete from sync.activity_ledger where activity_id = {id}",
    "warehouse.activities queue_emptied": "truncate warehouse.activities cascade",
    "warehouse.kept_decisions queue_new": _KEPT.format(position=7),
    "warehouse.kept_decisions queue_changed": "update warehouse.kept_decisions set decision = 'declined'",
    "warehouse.kept_decisions queue_removed": "delete from warehouse.kept_decisions",
    "warehouse.entities queue_registration": "update warehouse.entities set unregistered = true",
    "analytics.codes queue_everything": "update analytics.codes set label = 'other', stage = 'declined'"
    " where code = 'ACCEPTED'",
    "sync.service_facts queue_new_zone": "insert into sync.service_facts (fact, value, learned_at)"
    " values ('configured_zone', 'Asia/Tokyo', now())",
    "sync.service_facts queue_changed_zone": "update sync.service_facts set value = 'UTC'",
    "sync.service_facts queue_removed_zone": "delete from sync.service_facts",
    "sync.service_facts queue_emptied": "truncate sync.service_facts",
}

_QUEUING = """
select tgrelid::regclass || ' ' || tgname from pg_trigger where tgname like 'queue%'
"""

#: Somebody waits until a refresh is done.
_QUEUED_UP = """
select true from pg_locks
where relation = 'sync.refresh_queue'::regclass
    and mode = 'ShareUpdateExclusiveLock'
    and not granted
"""

_VERSIONS = " union all ".join(
    f"select '{view.name}', ctid::text, xmin::text from analytics.{view.name}"
    for view in stored_views()
)


@pytest.fixture
def session(migrated_url: str) -> Iterator[psycopg.Connection]:
    """Connect to a migrated database of the test's own."""
    with psycopg.connect(migrated_url, autocommit=True) as session:
        yield session


def made_up(session: psycopg.Connection) -> dict[str, str]:
    """Store activities of eight days; return what `CHANGES` names."""
    names = {"entity": add_entity(session), "lonely": add_entity(session)}
    activities = [
        Activity(
            "ACCEPTED", at(day, 22), entity_id=names["entity"], attended_at=at(day, 23),
            updated_at=at(day, 23),
            requested=[("RQ_002", ("IDT_001",))], accepted=[("RQ_002", ("IDT_001",))],
            timeline=[("SENT", at(day, 22)), ("ACCEPTED", at(day, 23))],
        )
        for day in range(1, 9)
    ]  # fmt: skip
    add(session, *activities, Activity("SENT", at(3)))
    session.execute(_KEPT.format(position=8).format(id=f"'{activities[3].id}'").encode())
    names |= {"id": activities[4].id, "listed": uuid4()}
    session.execute(
        "insert into sync.activity_ledger (activity_id) values (%s)", (names["listed"],)
    )
    return {name: f"'{value}'" for name, value in names.items()}


def set_zone(session: psycopg.Connection, zone: str) -> None:
    """Store in which zone days are cut."""
    session.execute(
        "insert into sync.service_facts (fact, value, learned_at)"
        " values ('configured_zone', %s, now())",
        (zone,),
    )


def versions(session: psycopg.Connection) -> set[tuple[str, ...]]:
    """Return each stored row's view, place and writer."""
    return set(session.execute(_VERSIONS.encode()))


def refreshed_at(session: psycopg.Connection) -> Any:
    """Return as of when the stored views are."""
    ((when,),) = session.execute("select refreshed_at from analytics.freshness").fetchall()
    return when


def test_each_trigger_that_queues_is_tried(session: psycopg.Connection) -> None:
    assert {name for (name,) in session.execute(_QUEUING)} == CHANGES.keys()


@pytest.mark.parametrize("armed", [True, False], ids=["with", "without"])
@pytest.mark.parametrize("trigger", CHANGES)
def test_what_a_trigger_queues_is_missed_without_it(
    migrated_url: str, session: psycopg.Connection, trigger: str, armed: bool
) -> None:
    names = made_up(session)
    if trigger != "sync.service_facts queue_new_zone":
        set_zone(session, "Asia/Tokyo")
    refresh_all(migrated_url)
    assert differences(session) == []
    if not armed:
        table, name = trigger.split()
        session.execute(f"alter table {table} disable trigger {name}".encode())
    session.execute(CHANGES[trigger].format(**names).encode())
    assert differences(session)
    refresh_all(migrated_url)
    assert (differences(session) == []) == armed


def test_children_rewritten_alone_are_counted_again(mirrored: Mirrored) -> None:
    warehouse = mirrored(40)
    warehouse.days()
    with warehouse.engine() as engine, psycopg.connect(warehouse.url, autocommit=True) as session:
        refresh(engine)
        assert differences(session) == []
        session.execute("delete from warehouse.requirements where position = 0")
        session.execute("delete from warehouse.timeline_events where position = 1")
        everything_is_stale(session)
        refresh(engine)
        assert differences(session) == []
        assert reparse(engine, ZoneInfo("UTC"), Told(), "reparse-1").loaded.changed > 0
        assert differences(session)
        refresh(engine)
        assert differences(session) == []


def test_very_many_activities_are_counted_all(
    migrated_url: str, session: psycopg.Connection
) -> None:
    made_up(session)
    session.execute(
        "insert into sync.refresh_queue (activity_id)"
        " select gen_random_uuid() from generate_series(1, 20000)"
    )
    refresh_all(migrated_url)
    assert differences(session) == []


def test_where_nothing_changed_no_row_is_written(
    migrated_url: str, session: psycopg.Connection
) -> None:
    names = made_up(session)
    refresh_all(migrated_url)
    before, as_of = versions(session), refreshed_at(session)
    assert {view for view, _, _ in before} == {view.name for view in stored_views()}
    refresh_all(migrated_url)
    assert versions(session) == before
    assert refreshed_at(session) > as_of
    # A row is not written either when the new count equals the old one.
    session.execute(
        f"update warehouse.activities set description = '' where id = {names['id']}".encode()
    )
    refresh_all(migrated_url)
    assert versions(session) == before
    everything_is_stale(session)
    refresh_all(migrated_url)
    assert versions(session) == before


def test_rows_of_other_activities_are_left_alone(
    migrated_url: str, session: psycopg.Connection
) -> None:
    made_up(session)
    refresh_all(migrated_url)
    before = versions(session)
    add(session, Activity("CANCELED", at(4)))
    refresh_all(migrated_url)
    assert before < versions(session)
    assert {view for view, _, _ in versions(session) - before} == {"activities", "status_changes"}
    assert differences(session) == []


def test_what_commits_during_a_refresh_is_left_to_the_next(
    migrated_url: str, session: psycopg.Connection
) -> None:
    made_up(session)
    refresh_all(migrated_url)
    shown = "select count(*) from analytics.activities"
    add(session, Activity("DECLINED", at(4)))
    with ThreadPoolExecutor() as pool, parked(migrated_url, "analytics.status_changes") as first:
        one = pool.submit(refresh_all, migrated_url)
        first.wait()
        # Readers neither wait nor see what is done so far; writers don't wait either.
        session.execute("set statement_timeout = '20s'")
        assert session.execute(shown).fetchone() == (9,)
        add(session, Activity("DECLINED", at(4)), Activity("SENT", at(7)))
        other = pool.submit(refresh_all, migrated_url)
        eventually(lambda: session.execute(_QUEUED_UP).fetchone(), "the second refresh waits")
        first.release()
        one.result()
        other.result()
    assert session.execute(shown).fetchone() == (12,)
    assert differences(session) == []


def test_the_first_refresh_takes_all_whatever_commits_meanwhile(
    migrated_url: str, session: psycopg.Connection
) -> None:
    made_up(session)
    queued = session.execute("select count(activity_id) from sync.refresh_queue")
    assert queued.fetchone() == (1,)  # that of the kept decision
    with (
        psycopg.connect(migrated_url) as reader,
        ThreadPoolExecutor() as pool,
        parked(migrated_url, "analytics.status_changes") as first,
    ):
        assert reader.execute("select * from analytics.items").fetchall() == []  # and stays open
        one = pool.submit(refresh_all, migrated_url)
        first.wait()
        session.execute("set statement_timeout = '20s'")
        add(session, Activity("DECLINED", at(4)))
        first.release()
        one.result()
    assert len(differences(session)) == 2
    refresh_all(migrated_url)
    assert differences(session) == []
    indexes = session.execute(
        "select tablename, count(*) from pg_indexes where schemaname = 'analytics' group by 1 order by 1"
    )
    assert indexes.fetchall() == [
        ("activities", 5), ("codes", 1), ("items", 3), ("requirements", 4), ("status_changes", 3),
    ]  # fmt: skip
