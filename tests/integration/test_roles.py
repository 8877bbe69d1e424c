"""Who may read what, tried by connecting as each role: on a server of its own, roles being a server's."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
import sqlalchemy as sa
from psycopg import errors as pg

from pipeline.local import LocalPostgres
from pipeline.warehouse.answers.erasures import set_policy
from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.schema import roles
from pipeline.warehouse.schema.migrate import migrate
from pipeline.warehouse.schema.sensitivity import SENSITIVE, classified, listed
from tests.support.commands import Project
from tests.support.mirroring import FIRST, TODAY, Warehouse, sandbox
from tests.support.planting import Plants
from tests.support.postgres import HASTY
from tests.support.refreshing import refresh_all
from tests.tools.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.questions import Question

DAY = timedelta(days=1)


@dataclass
class Cluster:
    """A server with a mirrored database, owned by a role that owns just that."""

    server: LocalPostgres
    shared: str
    expired: str
    unregistered: str
    gone: str

    def url(self, user: str, database: str = "mirror") -> str:
        """Return how a role connects."""
        return self.server.url(database, user)

    def rows(self, user: str, statement: str) -> list[tuple[Any, ...]]:
        """Return what a statement gives a role."""
        with psycopg.connect(self.url(user)) as session:
            cursor = session.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def cluster(servers_folder: Path) -> Iterator[Cluster]:
    home = Path(tempfile.mkdtemp(prefix="roles-", dir=servers_folder))
    with (
        LocalPostgres(home, settings=HASTY) as server,
        sandbox(150) as service,
        psycopg.connect(server.url(), autocommit=True) as admin,
    ):
        admin.execute("create role keeper login createrole")
        admin.execute("create database mirror owner keeper")
        url = server.url("mirror", "keeper")
        migrate(url)
        roles.set_up(url)
        roles.allow_login(url)
        people = {each["id"]: each for each in service.state.people()}
        counterparts = {
            name: service.state.truth_of(name).row_fields()["entity"]["id"]
            for name in service.state.ids("ACCEPTED")
        }
        names = {person: name for name, person in counterparts.items()}
        shared, expired, unregistered, gone = list(names.values())[:4]
        now = datetime.now(UTC)
        # First: what is planted keeps the counterpart that it finds.
        service.state.change_entity(counterparts[unregistered], unregistered=True)
        plants = Plants(service)
        for name in (shared, unregistered, gone):
            plants.plant(name, now + DAY)
        plants.plant(expired, now - DAY)
        plants.plant(next(n for n in counterparts if n not in names.values()), None, created_at=[])
        warehouse = Warehouse(url, service)
        warehouse.days(FIRST, TODAY)
        service.state.delete(gone)
        warehouse.days(FIRST, TODAY)
        assert len(people) > 20
        warehouse.execute("analyze")
        refresh_all(url)
        yield Cluster(server, shared, expired, unregistered, gone)


#: What the role `analyst` tries; each ends with a refusal.
FORBIDDEN = {
    "a name": "select name from warehouse.entities",
    "the digest of a name": "select digest from warehouse.entities",
    "all of an entity": "select * from warehouse.entities",
    "a name guessed in a condition": "select 1 from warehouse.entities where name like 'A%'",
    "a name guessed by a plan": "explain analyze select 1 from warehouse.entities where name = 'A'",
    "a name through XML": "select query_to_xml('select name from warehouse.entities', true, true, '')",
    "a name through a temporary view": "create temp view peek as table warehouse.entities; table peek",
    "shared values by their view": "select * from analytics.shared_values",
    "a copy of values": "copy warehouse.accepted_items to stdout",
    "a response": "select body from landing.activity_details",
    "a function of landing": "select landing.read_json('{}')",
    "the ledger": "select * from sync.activity_ledger",
    "the erasures": "select * from sync.erasures",
    "the work to do": "select * from sync.todo",
    "the ledger through a function": "select * from sync.todo_of('-infinity', 'infinity', now(), now())",
    "a program": "copy (select 1) to program 'cat'",
    "a file": "select pg_read_file('PG_VERSION')",
    "the planner's statistics": "select * from pg_statistic",
    "the passwords": "select * from pg_authid",
    "to be the owner": "set role keeper",
    "to be more": "set role analyst_personal",
    "to be granted more": "grant analyst_personal to analyst",
    "to grant itself": "grant select on warehouse.entities to analyst",
    "another policy": "update sync.privacy set expired_values = 'keep'",
    "a row of its own": "insert into warehouse.entities (id) values (gen_random_uuid())",
    "a lock": "lock table warehouse.activities",
    "an end of it": "drop view analytics.open_activities",
    "a view of its own": "create view analytics.mine as select 1",
    "counts of its own": "update analytics.activities set outcome = null",
    "rows by the function that refreshes": "select * from sync.fresh_activities(null)",
}

#: Of these, what the role `analyst_personal` may; the rest is forbidden for it, too.
PERSONAL = {"shared values by their view", "to be more"}


@pytest.mark.parametrize("what", FORBIDDEN)
@pytest.mark.parametrize("role", roles.ROLES)
def test_what_is_forbidden_is_refused(cluster: Cluster, role: str, what: str) -> None:
    if role == roles.ANALYST_PERSONAL and what in PERSONAL:
        assert cluster.rows(role, FORBIDDEN[what]) or what == "to be more"
        return
    statement = FORBIDDEN[what].replace("to analyst", f"to {role}")
    with pytest.raises((pg.InsufficientPrivilege, pg.WrongObjectType, pg.InvalidGrantOperation)):
        cluster.rows(role, statement)


def test_what_is_new_is_seen_by_nobody(cluster: Cluster) -> None:
    with psycopg.connect(cluster.url("keeper")) as owner:
        owner.execute("create table warehouse.novelty (id int)")
        owner.execute("alter table warehouse.requirements add column novelty text")
        owner.commit()
        for column in ("warehouse.novelty", "warehouse.requirements"):
            with pytest.raises(pg.InsufficientPrivilege):
                cluster.rows("analyst_personal", f"select * from {column}")
        with pytest.raises(pg.InsufficientPrivilege):
            cluster.rows("analyst_personal", "select novelty from warehouse.requirements")
        owner.execute("drop table warehouse.novelty")
        owner.execute("alter table warehouse.requirements drop column novelty")


#: Relations that a role reads whole. Of the others of `warehouse` it reads columns.
_LISTED = """
select table_schema, table_name from information_schema.tables
where table_schema in ('analytics', 'warehouse', 'sync', 'landing')
    and has_table_privilege(format('%I.%I', table_schema, table_name), 'select')
"""


def test_an_analyst_reads_all_of_analytics_whole(cluster: Cluster) -> None:
    """What tools list there they read by ``select *``: also through SQLAlchemy, which pandas uses."""
    listed = cluster.rows("analyst", _LISTED)
    seen = cluster.rows("analyst", _LISTED.rsplit("and", 1)[0])
    assert {each for each in seen if each[0] != "warehouse"} == {
        each for each in listed if each[0] != "warehouse"
    }
    for schema, name in listed:
        cluster.rows("analyst", f"select * from {schema}.{name} limit 5")
    engine = open_engine(cluster.url("analyst"))
    found = sa.inspect(engine)
    names = {*found.get_view_names("analytics"), *found.get_table_names("analytics")}
    assert {name for schema, name in listed if schema == "analytics"} < names
    with engine.connect() as session:
        for schema, name in listed:
            mapped = sa.Table(name, sa.MetaData(), schema=schema, autoload_with=engine)
            assert not any(isinstance(each.type, sa.types.NullType) for each in mapped.columns)
            session.execute(sa.select(mapped).limit(5)).all()
    engine.dispose()


def test_every_table_is_offered_again_without_what_is_sensitive(cluster: Cluster) -> None:
    tables = [name.split(".")[1] for name in listed() if name.startswith("warehouse.")]
    assert len(tables) == 10
    for table in set(tables) - {"activities", "requirements"}:  # facts have these names
        kinds = listed()[f"warehouse.{table}"]
        harmless = ", ".join(
            name for name, kind in kinds.items() if kind in ("key", "none", "profile")
        )
        query = f"select {harmless} from {{}}.{table} order by 1, 2"
        shown = cluster.rows("analyst", query.format("analytics"))
        assert shown == cluster.rows("keeper", query.format("warehouse"))
        assert shown or table in ("authorization_requests", "kept_decisions")


def test_what_a_view_hides_is_classified(cluster: Cluster) -> None:
    """Nobody needs a role to read a column that is ``none``, and a business is no person."""
    masked = 0
    for view, kinds in classified().items():
        if not view.startswith("analytics."):
            continue
        query = f"select to_jsonb(each) from {view} as each order by each::text"
        try:
            shown, all_of_it = (
                cluster.rows(role, query) for role in ("analyst", "analyst_personal")
            )
        except pg.InsufficientPrivilege:
            continue
        for name, kind in kinds.items():
            if name in ("age", "time_left", "hours_left"):
                continue  # they follow the clock
            ours, theirs = (
                sorted(str(row[name]) for (row,) in rows) for rows in (shown, all_of_it)
            )
            if ours != theirs:
                masked += 1
                assert kind in SENSITIVE, f"{view}.{name}"
    assert masked
    named = "select distinct entity_type from analytics.counterparts where name is not null"
    assert cluster.rows("analyst", named) == [("BUSINESS",)]


@pytest.mark.parametrize("question", read_questions(), ids=lambda question: question.name)
def test_an_analyst_can_ask_every_question(cluster: Cluster, question: Question) -> None:
    asked, by_owner = (cluster.rows(role, question.statement) for role in ("analyst", "keeper"))
    assert question.moves or asked == by_owner


@pytest.mark.parametrize(
    ("role", "kinds"),
    [
        ("analyst", ("key", "none", "profile")),
        ("analyst_personal", ("key", "none", "profile", "message")),
    ],
)
def test_tables_are_read_by_column(cluster: Cluster, role: str, kinds: tuple[str, ...]) -> None:
    with psycopg.connect(cluster.url(role), autocommit=True) as session:
        for relation, columns in classified().items():
            for name, kind in columns.items():
                query = f"select {name} from {relation} limit 5".encode()
                if relation.startswith("warehouse.") and kind in kinds:
                    session.execute(query)
                elif not relation.startswith("analytics.") and kind in SENSITIVE:
                    with pytest.raises(pg.InsufficientPrivilege):
                        session.execute(query)


def test_what_a_company_puts_there_is_its_own(cluster: Cluster) -> None:
    with psycopg.connect(cluster.url("keeper"), autocommit=True) as owner:
        owner.execute("create table analytics.salaries as select 'secret' as name")
        owner.execute("create table analytics.plan as select 1 as goal")
        owner.execute("create function analytics.theirs() returns int return 7")
        owner.execute("grant select on analytics.plan to analyst")
        owner.execute("update sync.grant_versions set digest = 'older'")
        migrate(cluster.url("keeper"))
        with pytest.raises(pg.InsufficientPrivilege):
            cluster.rows("analyst_personal", "select * from analytics.salaries")
        assert cluster.rows("analyst", "select goal, analytics.theirs() from analytics.plan")
        owner.execute("drop table analytics.salaries, analytics.plan")
        owner.execute("drop function analytics.theirs")


def test_values_are_seen_by_one_role_while_they_are_shared(cluster: Cluster) -> None:
    statement = "select distinct activity_id::text from analytics.shared_values"

    def seen() -> set[str]:
        planted = {cluster.shared, cluster.expired, cluster.unregistered, cluster.gone}
        return {name for (name,) in cluster.rows("analyst_personal", statement)} & planted

    assert seen() == {cluster.shared}
    engine = open_engine(cluster.url("keeper"))
    try:
        set_policy(engine, "keep")
        assert seen() == {cluster.shared, cluster.expired}
        set_policy(engine, "erase")
        assert seen() == {cluster.shared}
    finally:
        set_policy(engine, "hide")
        engine.dispose()
    (row,) = cluster.rows(
        "analyst_personal",
        "select requirement_code, item_code, requirement_type, value from analytics.shared_values"
        f" where activity_id = '{cluster.shared}' and item_position = 0",
    )
    assert row[:3] == ("RQ_004", "PIF_002", "RTP_002")
    assert row[3]["text"].startswith(f"plant-{cluster.shared[:13]}")


def test_names_are_seen_by_one_role_while_the_profile_lasts(cluster: Cluster) -> None:
    for view, name, key in (
        ("entity_history", "name", "entity_id"),
        ("counterparts", "name", "entity_id"),
    ):
        # The name of a business says who no person is.
        people = f"{key} in (select entity_id from analytics.counterparts where entity_type <> 'BUSINESS')"
        statement = f"select count({name}), count(*) from analytics.{view} where {people}"
        assert cluster.rows("analyst", statement)[0][0] == 0
        ((named, every),) = cluster.rows("analyst_personal", statement)
        assert 0 < named < every
        ((by_owner, _),) = cluster.rows("keeper", statement)
        assert by_owner == named
    profiles = "select entity_id from analytics.counterparts where name is not null"
    unregistered = cluster.rows("analyst", "select id from analytics.entities where unregistered")
    assert unregistered
    assert not set(unregistered) & set(cluster.rows("analyst_personal", profiles))


def asked_by(plan: dict[str, Any], function: str) -> set[tuple[str, str]]:
    """Return which nodes of a plan ask a function, and under which names they read."""
    inner: list[dict[str, Any]] = plan.get("Plans", [])
    found: set[tuple[str, str]] = set().union(*(asked_by(each, function) for each in inner))
    if any(function in str(value) for name, value in plan.items() if name != "Plans"):
        found.add((plan["Node Type"], plan.get("Alias", "")))
    return found


def test_a_function_of_the_readers_sees_nothing_more(cluster: Cluster) -> None:
    """A cheap function in a condition would be asked first, were the views no barriers."""
    told: list[str] = []
    hidden_names = cluster.rows(
        "keeper", "select name from warehouse.entities where unregistered and name is not null"
    )
    hidden = [name[:13] for name in (cluster.expired, cluster.unregistered, cluster.gone)]
    with psycopg.connect(cluster.url("analyst_personal")) as session:
        session.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
        session.execute(
            "create function pg_temp.peek(shown text) returns boolean language plpgsql"
            " cost 0.0000001 as $$ begin raise notice '%', shown; return true; end $$"
        )
        session.execute("select * from analytics.counterparts where pg_temp.peek(name)")
        query = "select * from analytics.shared_values where pg_temp.peek(value::text)"
        session.execute(query.encode())
        explained = session.execute(f"explain (format json) {query}".encode()).fetchone()
        assert explained is not None
        # The condition is asked of what the view shows, and of nothing below it.
        assert asked_by(explained[0][0]["Plan"], "peek") == {("Subquery Scan", "shared_values")}
    shown = " ".join(told)
    assert cluster.shared[:13] in shown
    for secret in (*hidden, *(name for (name,) in hidden_names)):
        assert secret not in shown


def test_objects_of_the_readers_stand_in_for_none_of_ours(cluster: Cluster) -> None:
    with psycopg.connect(cluster.url("analyst")) as session:
        session.execute("create temp table entities as select 1 as id")
        session.execute("create temp table activity_versions as select 1 as activity_id")
        session.execute(
            "create function pg_temp.may_see_personal() returns boolean language sql return true"
        )
        session.execute(
            "create function pg_temp.pg_has_role(name, oid, text) returns boolean"
            " language sql return true"
        )
        session.execute("set search_path = pg_temp, analytics, warehouse, pg_catalog")
        for statement in (
            "select count(name) from analytics.counterparts where entity_type <> 'BUSINESS'",
            "select count(name) from analytics.entity_history where entity_id in"
            " (select entity_id from analytics.counterparts where entity_type <> 'BUSINESS')",
        ):
            assert session.execute(statement.encode()).fetchone() == (0,)
        assert session.execute("select analytics.may_see_personal()").fetchone() == (False,)
        found = session.execute("select count(*) from analytics.activity_as_of(now())").fetchone()
        assert found is not None
        assert found[0] > 100
        assert session.execute(
            "select count(*) from pg_stats where attname in"
            " ('name', 'avatar', 'url', 'description', 'message', 'value', 'body', 'payload')"
            " and schemaname in ('warehouse', 'landing', 'sync')"
        ).fetchone() == (0,)
        assert session.execute(
            "select count(*) from pg_stat_activity"
            " where usename = 'keeper' and query not in ('', '<insufficient privilege>')"
        ).fetchone() == (0,)


def test_grants_follow_the_schema(cluster: Cluster) -> None:
    statement = "select count(*) from analytics.activities_by_month"
    url = cluster.url("keeper")
    with psycopg.connect(url, autocommit=True) as owner:
        applied = owner.execute("select applied_at from sync.grant_versions").fetchone()
        migrate(url)
        assert owner.execute("select applied_at from sync.grant_versions").fetchone() == applied
        owner.execute(
            "update sync.view_versions set digest = '' where name = 'activities_by_month'"
        )
        owner.execute("grant select on landing.activity_details to analyst")
        owner.execute("grant select (name) on warehouse.entities to analyst")
        migrate(url)  # creates the view again, which loses its grants
        assert cluster.rows("analyst", statement)
        for taken_back in ("a name", "a response"):
            with pytest.raises(pg.InsufficientPrivilege):
                cluster.rows("analyst", FORBIDDEN[taken_back])


def test_another_database_grants_nothing_until_it_is_asked_to(cluster: Cluster) -> None:
    with psycopg.connect(cluster.server.url(), autocommit=True) as admin:
        admin.execute("create database other owner keeper")
    url = cluster.url("keeper", "other")
    migrate(url)
    with (
        psycopg.connect(cluster.url("analyst", "other"), autocommit=True) as session,
        psycopg.connect(url) as owner,
    ):
        with pytest.raises(pg.InsufficientPrivilege):
            session.execute("select * from analytics.freshness")
        assert not roles.is_set_up(owner)
        roles.set_up(url)
        assert roles.is_set_up(owner)
        session.execute("select * from analytics.freshness")


def test_a_role_that_is_given_everything_is_found_out(cluster: Cluster) -> None:
    with (
        psycopg.connect(cluster.server.url(), autocommit=True) as admin,
        psycopg.connect(cluster.url("keeper"), autocommit=True) as owner,
    ):
        assert roles.beyond_grants(owner) == []
        admin.execute("grant pg_read_all_data to analyst")
        try:
            assert roles.beyond_grants(owner) == ["analyst", "analyst_personal"]
        finally:
            admin.execute("revoke pg_read_all_data from analyst")


def test_roles_of_others_are_not_taken_unless_told_to(servers_folder: Path) -> None:
    home = Path(tempfile.mkdtemp(prefix="roles-", dir=servers_folder))
    with LocalPostgres(home, settings=HASTY) as server:
        with psycopg.connect(server.url(), autocommit=True) as admin:
            admin.execute("create role analyst")
            admin.execute("create role intern login in role analyst")
            admin.execute("create database mirror")
        url = server.url("mirror")
        migrate(url)
        made = Project(home.parent, {"WAREHOUSE_URL": url})
        refused = made.run("migrate", "--roles")
        assert (refused.code, len(refused.lines)) == (1, 1), refused
        assert "role analyst that" in refused.err
        assert "intern" in refused.err
        with (
            psycopg.connect(server.url("mirror", "intern")) as session,
            pytest.raises(pg.InsufficientPrivilege),
        ):
            session.execute("select from analytics.activities")
        assert made.run("migrate", "--roles", "--adopt").code == 0
        assert made.run("migrate", "--roles").code == 0
        with psycopg.connect(server.url("mirror", "intern")) as session:
            session.execute("select from analytics.activities")
        # An analyst's own login can export.
        done = made.run("export", "activities", WAREHOUSE_URL=server.url("mirror", "intern"))
        assert (done.code, done.err) == (0, ""), done
        assert done.out.startswith("activity_id,")
