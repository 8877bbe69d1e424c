"""The files of sql/views: created in order, and again when they change."""

from __future__ import annotations

import re

import psycopg

from pipeline.warehouse import views
from pipeline.warehouse.migrate import migrate
from tests.support.made_up import Activity, add, at

_READ_BY = """
select distinct reader.relname, read.relname
from pg_depend as dependency
inner join pg_rewrite as rule on rule.oid = dependency.objid
inner join pg_class as reader on reader.oid = rule.ev_class
inner join pg_class as read on read.oid = dependency.refobjid
where reader.relnamespace = 'analytics'::regnamespace
    and read.relnamespace = 'analytics'::regnamespace
    and read.relname <> 'codes'
    and read.oid <> reader.oid
"""

_FUNCTION_READS = "select prosrc from pg_proc where oid = %s::regproc"

_MADE = """
select relname, oid from pg_class
where relnamespace = 'analytics'::regnamespace and relkind in ('r', 'v', 'm') and relname <> 'codes'
"""


def made(url: str) -> dict[str, int]:
    """Return the existing views, each with a number that changes when it is created again."""
    with psycopg.connect(url) as session:
        return dict(session.execute(_MADE).fetchall())


def execute(url: str, statement: str) -> None:
    """Execute a statement and commit."""
    with psycopg.connect(url) as session:
        session.execute(statement.encode())


def test_each_file_names_the_views_it_reads(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        actual = set(session.execute(_READ_BY).fetchall())
        for view in views.stored_views():
            ((body,),) = session.execute(_FUNCTION_READS, (f"sync.fresh_{view.name}",)).fetchall()
            read = set(re.findall(r"analytics\.(\w+)", body)) - {"codes"}
            actual |= {(view.name, other) for other in read}
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
        "drop table analytics.daily_status, analytics.activity_funnel cascade;"
        "create view analytics.daily_status as select 1 as one;"
        "create materialized view analytics.activity_funnel as select 1 as one;"
        "delete from sync.view_versions",
    )
    migrate(migrated_url)
    assert made(migrated_url).keys() == before.keys()
    assert not set(made(migrated_url).values()) & set(before.values())


def test_what_is_made_anew_is_filled(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        add(
            session,
            Activity(
                "COMPLETED", attended_at=at(5), completed_at=at(6), requested=[("RQ_001", ())]
            ),
        )
        session.execute(
            "update warehouse.activities set updated_at = now(), details_fetched_at = now()"
        )
        session.execute("update sync.view_versions set digest = 'older'")
    migrate(migrated_url)
    with psycopg.connect(migrated_url) as session:
        for view in views.stored_views():
            if view.name != "counterpart_activity":  # the activity has no counterpart
                query = f"select count(*) from analytics.{view.name}"
                assert session.execute(query.encode()).fetchone() != (0,), view.name
