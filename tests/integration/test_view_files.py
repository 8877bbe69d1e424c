"""The files of sql/views: made in order, anew when they change, refreshed under readers' eyes."""

from __future__ import annotations

import psycopg
import pytest

from pipeline.warehouse import views
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.migrate import migrate
from tests.support.made_up import Activity, add, add_entity, at

_READ_BY = """
select distinct reader.relname, read.relname
from pg_depend as dependency
inner join pg_rewrite as rule on rule.oid = dependency.objid
inner join pg_class as reader on reader.oid = rule.ev_class
inner join pg_class as read on read.oid = dependency.refobjid
where reader.relnamespace = 'analytics'::regnamespace
    and read.relnamespace = 'analytics'::regnamespace
    and read.relkind in ('v', 'm')
    and read.oid <> reader.oid
"""

_MADE = """
select relname, oid from pg_class
where relnamespace = 'analytics'::regnamespace and relkind in ('v', 'm')
"""


def made(url: str) -> dict[str, int]:
    """Return the views that there are, each with a number that changes when it is made anew."""
    with psycopg.connect(url) as session:
        return dict(session.execute(_MADE).fetchall())


def execute(url: str, statement: str) -> None:
    """Execute a statement and commit."""
    with psycopg.connect(url) as session:
        session.execute(statement.encode())


def test_each_file_names_the_views_it_reads(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        actual = set(session.execute(_READ_BY).fetchall())
    declared = {(view.name, other) for view in views.read_views() for other in view.depends}
    assert declared == actual
    assert declared


def test_a_changed_view_is_made_anew_with_what_reads_it_and_nothing_else(migrated_url: str) -> None:
    before = made(migrated_url)
    migrate(migrated_url)
    assert made(migrated_url) == before
    execute(
        migrated_url,
        "update sync.view_versions set digest = 'older' where name = 'counterpart_activity'",
    )
    migrate(migrated_url)
    after = made(migrated_url)
    assert after.keys() == before.keys()
    anew = {name for name in after if after[name] != before[name]}
    assert anew == {"counterpart_activity", "counterparts"}


def test_a_view_without_file_goes_and_a_missing_one_comes_back(migrated_url: str) -> None:
    before = made(migrated_url)
    execute(
        migrated_url,
        "drop view analytics.freshness; create view analytics.left_over as select 1 as one;"
        "insert into sync.view_versions (name, digest) values ('left_over', 'x')",
    )
    migrate(migrated_url)
    assert made(migrated_url).keys() == before.keys()


def test_views_of_the_version_before_are_replaced(migrated_url: str) -> None:
    before = made(migrated_url)
    execute(
        migrated_url,
        "drop materialized view analytics.daily_status;"
        "create view analytics.daily_status as select 1 as one;"
        "delete from sync.view_versions",
    )
    migrate(migrated_url)
    assert made(migrated_url).keys() == before.keys()
    assert not set(made(migrated_url).values()) & set(before.values())


@pytest.mark.timeout(60)  # one that waits for the reader would wait for ever
@pytest.mark.parametrize("view", views.materialised_views(), ids=lambda view: view.name)
def test_a_refresh_waits_for_no_reader(migrated_url: str, view: views.View) -> None:
    read = f"select count(*) from analytics.{view.name}".encode()
    with psycopg.connect(migrated_url) as reader:
        assert reader.execute(read).fetchone() == (0,)
        with psycopg.connect(migrated_url) as writer:
            entity = add_entity(writer)
            made_up = Activity("COMPLETED", completed_at=at(6), requested=[("RQ_001", ())])
            made_up.entity_id = entity
            add(writer, made_up)
        engine = open_engine(migrated_url)
        done = views.refresh(engine, view)
        engine.dispose()
        assert done.rows > 0
        assert reader.execute(read).fetchone() == (done.rows,)
