"""The files of sql/views: replaced in place when they change, so that nothing of others breaks."""

from __future__ import annotations

import re

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.automap import automap_base

from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.database.errors import OthersInTheWay
from pipeline.warehouse.schema import views
from pipeline.warehouse.schema.migrate import migrate
from tests.support.company import company_on
from tests.support.made_up import Activity, add, at
from tests.support.reading import rows

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
    return dict(rows(url, _MADE))


def execute(url: str, statement: str) -> None:
    """Execute a statement and commit."""
    with psycopg.connect(url) as session:
        session.execute(statement.encode())


def test_each_file_names_the_views_it_reads(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        actual = set(session.execute(_READ_BY).fetchall())
        for view in views.stored_views():
            ((body,),) = session.execute(_FUNCTION_READS, (f"sync.fresh_{view.name}",)).fetchall()
            read = set(re.findall(r"analytics\.(\w+)", body)) - {"codes", view.name}
            actual |= {(view.name, other) for other in read}
    declared = {(view.name, other) for view in views.read_views() for other in view.depends}
    assert declared == actual
    assert declared


#: Makes each view older than its file: by a comment, by a column in a stored view that it lacks.
_OLDER = """
comment on column analytics.activities.activity_id is 'older';
alter table analytics.status_changes drop column changed_day;
update sync.view_versions set digest = 'older';
"""

#: Makes one older: it lacks columns, and has the others in another order.
_FEWER = """
drop view analytics.daily_status;
create view analytics.daily_status as
select 7::bigint as activities, null::date as day, {more} null::text as status;
update sync.view_versions set digest = 'older' where name in ('daily_status', 'activities');
"""


def test_what_a_company_built_survives_changed_views_and_new_columns_come_last(
    migrated_url: str,
) -> None:
    execute(migrated_url, _OLDER + _FEWER.format(more=""))
    with company_on(migrated_url) as company:
        before, seen = made(migrated_url), company.sees()
        migrate(migrated_url)
        assert made(migrated_url) == before
        assert company.sees() == seen
        assert {company.role} < company.readers("activities")
    with psycopg.connect(migrated_url) as session:
        session.execute("select changed_day from analytics.status_changes")
        comment = "select col_description('analytics.activities'::regclass, 1)"
        ((meaning,),) = session.execute(comment).fetchall()
        assert meaning.startswith("The activity (analytics.activities)")
        columns = session.execute("select * from analytics.daily_status").description or ()
        assert session.execute("table company.daily_status").fetchall() == []
    names = [column.name for column in columns]
    assert names == ["activities", "day", "status", "status_label"]


def test_where_a_column_goes_its_readers_are_named_and_nothing_changes(migrated_url: str) -> None:
    execute(migrated_url, _FEWER.format(more="2 as dropped,"))
    with company_on(migrated_url) as company:
        before, seen = made(migrated_url), company.sees()
        named = r"view company\.daily_status depends on view analytics\.daily_status"
        with pytest.raises(OthersInTheWay, match=named):
            migrate(migrated_url)
        assert (made(migrated_url), company.sees()) == (before, seen)
        older = "select name from sync.view_versions where digest = 'older' order by 1"
        with psycopg.connect(migrated_url) as session:
            assert session.execute(older).fetchall() == [("activities",), ("daily_status",)]
            session.execute("drop view company.daily_status")
        # Nobody is in the way now: the view is created again, and keeps its readers.
        migrate(migrated_url)
        assert made(migrated_url)["daily_status"] != before["daily_status"]
        assert company.role in company.readers("daily_status")


def test_a_view_that_is_created_again_takes_its_readers_along(migrated_url: str) -> None:
    execute(
        migrated_url,
        "alter table analytics.status_changes add column dropped int;"
        "update sync.view_versions set digest = 'older' where name = 'status_changes'",
    )
    with company_on(migrated_url) as company:
        columns = "select (entity_id, dropped) on analytics.status_changes"
        execute(
            migrated_url,
            "drop view company.daily_status, company.status_changes;"
            f"revoke all on analytics.status_changes from {company.role};"
            f"grant {columns} to {company.role}",
        )
        before = made(migrated_url)
        migrate(migrated_url)
        after = made(migrated_url)
        again = {name for name in after if after[name] != before[name]}
        assert again == {"status_changes", "daily_status"}
        assert company.role in company.readers("daily_status")
        execute(
            migrated_url,
            f"set role {company.role}; select entity_id from analytics.status_changes",
        )


def test_a_relation_of_others_with_the_name_of_a_view_is_not_touched(migrated_url: str) -> None:
    execute(
        migrated_url,
        "drop view analytics.daily_status; create table analytics.daily_status as select 1 as theirs;"
        "delete from sync.view_versions where name = 'daily_status'",
    )
    with pytest.raises(OthersInTheWay, match=r"analytics\.daily_status is not ours"):
        migrate(migrated_url)
    execute(migrated_url, "select theirs from analytics.daily_status")


def test_a_view_without_file_goes_and_a_missing_one_comes_back(migrated_url: str) -> None:
    before = made(migrated_url)
    execute(
        migrated_url,
        "drop view analytics.freshness; create view analytics.left_over as select 1 as one;"
        "insert into sync.view_versions (name, digest) values ('left_over', 'x')",
    )
    migrate(migrated_url)
    assert made(migrated_url).keys() == before.keys()


def test_what_is_made_again_is_filled(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        add(
            session,
            Activity(
                "COMPLETED",
                attended_at=at(5),
                completed_at=at(6),
                requested=[("RQ_001", ("IDT_001",))],
            ),
        )
        session.execute(
            "update warehouse.activities set updated_at = now(), details_fetched_at = now()"
        )
        session.execute("update sync.view_versions set digest = 'older'")
    migrate(migrated_url)
    with psycopg.connect(migrated_url) as session:
        for view in views.stored_views():
            query = f"select count(*) from analytics.{view.name}"
            assert session.execute(query.encode()).fetchone() != (0,), view.name


def test_tools_find_the_keys_of_the_facts_and_map_them(migrated_url: str) -> None:
    with warehouse_engine(migrated_url) as engine:
        found = sa.inspect(engine)
        keys = {
            view.name: found.get_pk_constraint(view.name, "analytics")["constrained_columns"]
            for view in views.stored_views()
        }
        mapped = automap_base()
        mapped.prepare(autoload_with=engine, schema="analytics")
    assert keys == {
        "activities": ["activity_id"],
        "requirements": ["activity_id", "requirement_number"],
        "items": ["activity_id", "requirement_number", "item_number"],
        "status_changes": ["activity_id", "change_number"],
    }
    relations = {
        (name, each.key) for name in keys for each in sa.inspect(mapped.classes[name]).relationships
    }
    assert relations == {
        ("activities", "requirements_collection"), ("requirements", "activities"),
        ("requirements", "items_collection"), ("items", "requirements"),
        ("activities", "status_changes_collection"), ("status_changes", "activities"),
    }  # fmt: skip
