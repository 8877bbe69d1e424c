"""A warehouse that stands at 0088 becomes one of the baseline without a loss; others are refused.

``data/warehouse_0088.sql`` is that warehouse; ``data/warehouse_0088_served.json`` is what the service
stated then, so that the next run meets the same service. A killed migration leaves no trace.

Clauses 2 and 4 of docs/guarantees.md.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.local.binaries import ServerUser, find_binaries
from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.database.errors import OthersInTheWay, SchemaTooNew, WarehouseUnsuitable
from pipeline.warehouse.database.sql import migrations
from pipeline.warehouse.schema.migrate import migrate, schema_state
from tests.support.commands import CHECKOUT, eventually
from tests.support.company import company_on
from tests.support.mirroring import Warehouse, sandbox
from tests.support.postgres import fresh_database
from tests.support.reading import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.postgres import PostgresServer

DATA = Path(__file__).parent / "data"
FIRST, TODAY = date(2026, 3, 29), date(2026, 4, 1)

_TABLES = """
select schemaname || '.' || tablename from pg_tables
where schemaname in ('warehouse', 'landing', 'sync')
    and not tablename = any('{schema_migrations,view_versions,refresh_queue}') order by 1
"""
_WAITING = """
select count(*) from pg_stat_activity
where wait_event_type = 'Lock' and datname = current_database()
"""


@pytest.fixture
def old_url(database_url: str) -> str:
    """Return the URL of a warehouse as the last version before 1.0 left it."""
    with psycopg.connect(database_url) as session:
        session.execute((DATA / "warehouse_0088.sql").read_bytes())
    return database_url


@pytest.fixture
def old(old_url: str) -> Iterator[Warehouse]:
    """Return that warehouse, and the service in the state that it mirrors."""
    with sandbox(0, from_date=FIRST, to_date=FIRST) as service:
        for stated in json.loads((DATA / "warehouse_0088_served.json").read_text()):
            service.state.create(activity_id=stated["id"], created_at=stated["created_at"])
            service.state.replace_payload(
                stated["id"], row=stated["row"].encode(), details=stated["details"].encode()
            )
        yield Warehouse(old_url, service)


def stored(url: str) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables but what is kept by migrations and views themselves."""
    with psycopg.connect(url) as session:
        tables = [name for (name,) in session.execute(_TABLES)]
        return {
            table: [row for (row,) in session.execute(f"select to_jsonb(t) from {table} as t")]
            for table in tables
        }


def schema_of(url: str) -> list[str]:
    """Return the lines that pg_dump writes of the schema."""
    program = find_binaries(ServerUser()).folder / "pg_dump"
    command = [str(program), "--schema-only", "--no-owner", "--dbname", url]
    dumped = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Two lines have a password of the dump.
    return [line for line in dumped.splitlines() if "restrict " not in line]


def test_an_adopted_schema_is_that_of_a_new_warehouse(old_url: str, migrated_url: str) -> None:
    migrate(old_url)
    assert schema_of(old_url) == schema_of(migrated_url)


def test_it_keeps_every_row_and_a_night_asks_for_nothing(old: Warehouse) -> None:
    before = stored(old.url)
    assert {table for table, found in before.items() if not found} <= {
        "sync.grant_versions", "sync.unknown_values", "sync.erased_phones", "sync.verifications",
    }  # fmt: skip
    assert list(migrate(old.url)) == migrations()
    after = stored(old.url)
    for table, found in before.items():
        columns = found[0].keys() & after[table][0].keys() if found else set()
        now, then = (
            sorted([{name: row[name] for name in sorted(columns)} for row in each], key=str)
            for each in (after[table], found)
        )
        assert now == then, table
    assert migrate(old.url) == ()
    old.execute("update sync.quarantine set next_attempt_at = now() + interval '1 day'")
    recent, older = old.nightly(TODAY)
    assert (recent.details_requests, older.details_requests) == (0, 0)
    assert (recent.loaded.changed, older.loaded.changed) == (0, 0)


#: Of a view that loses a column, on one that loses one, and with the options and columns of its own.
_BUILT = """
create view company.incomplete with (security_barrier = true) as
select day, incomplete as why from sync.coverage where incomplete is not null;
create view company.asked as select id, state from analytics.authorization_requests;
create view company.longest as select max(id::text) as id from company.asked;
create index company_asked on warehouse.authorization_requests (requested_at);
grant select on sync.coverage, company.incomplete, company.asked to {role};
grant select (id, state) on analytics.authorization_requests to {role}
"""
_VIEWS = """
select relname from pg_class
where relnamespace = 'analytics'::regnamespace and relkind in ('r', 'v') and relname <> 'plan'
"""
_GRANTS = """
select relation::regclass::text, acl.* from unnest('{sync.coverage,company.asked}'::regclass[]) as relation
cross join lateral (select relacl::text from pg_class where oid = relation) as acl
union all
select attname, attacl::text from pg_attribute
where attrelid = 'analytics.authorization_requests'::regclass and attacl is not null
order by 1
"""


def test_what_a_company_built_survives(old_url: str, migrated_url: str) -> None:
    with company_on(old_url) as company:
        left = {name for (name,) in rows(migrated_url, _VIEWS)} - {"authorization_requests"}
        with psycopg.connect(old_url) as session:
            # What shows all columns of requests shows one that goes.
            for name in {name for (name,) in rows(old_url, _VIEWS)} - left:
                session.execute(f"drop view company.{name}".encode())
            session.execute(_BUILT.format(role=company.role).encode())
        seen, granted = company.sees(), rows(old_url, _GRANTS)
        migrate(old_url)
        assert company.sees() == seen
        assert rows(old_url, _GRANTS) == granted
        assert company.role in company.readers("freshness")
        assert rows(old_url, "select reloptions from pg_class where relname = 'incomplete'") == [
            (["security_barrier=true"],)
        ]
        assert rows(old_url, "select to_regclass('warehouse.company_asked') is null") == [(False,)]


#: What others built, and what of ours it needs that goes.
_IN_THE_WAY = {
    "create view public.mine as select * from analytics.activity_funnel": "activity_funnel",
    "create materialized view public.mine as select * from analytics.change_lag": "change_lag",
    "create view public.mine as select unverified from sync.coverage": "column unverified of sync.coverage",
    "create index mine on warehouse.authorization_requests (clock_offset)":
    "column clock_offset of warehouse.authorization_requests",
    "create function public.mine(sync.coverage) returns int language sql as 'select 1'": "coverage",
}  # fmt: skip


@pytest.mark.parametrize("built", _IN_THE_WAY)
def test_who_builds_on_what_goes_is_named_and_nothing_changes(old_url: str, built: str) -> None:
    with psycopg.connect(old_url) as session:
        session.execute(built.encode())
    before, rows_before = schema_of(old_url), stored(old_url)
    with pytest.raises(OthersInTheWay) as refused:
        migrate(old_url)
    said = str(refused.value)
    assert re.search(rf"mine\b.* depends on .*{_IN_THE_WAY[built]}", said), said
    assert "\n" not in said
    assert (schema_of(old_url), stored(old_url)) == (before, rows_before)


#: Records of other versions, and what is said of them.
_OTHERS = {
    "delete from sync.schema_migrations where name = '0088_unread_indexes'":
    (WarehouseUnsuitable, "0087_fewer_indexes.* is from before version 1.0.*begin with an empty database"),
    "delete from sync.schema_migrations where name = '0005_codes'":
    (WarehouseUnsuitable, "exactly the migrations until 0088_unread_indexes"),
    "insert into sync.schema_migrations (name) values ('0089_mine')": (WarehouseUnsuitable, "0089_mine"),
    "delete from sync.schema_migrations where name like '0088%'; alter table sync.schema_migrations"
    " rename name to migration_id": (WarehouseUnsuitable, "before version 1.0"),
    "update sync.schema_migrations set name = '0001_baseline' where name = '0001_schemas'":
    (SchemaTooNew, "0088_unread_indexes"),
}  # fmt: skip


@pytest.mark.parametrize("change", _OTHERS)
def test_any_other_schema_is_refused(old_url: str, change: str) -> None:
    error, words = _OTHERS[change]
    with psycopg.connect(old_url) as session:
        session.execute(change.encode())
    before = stored(old_url)
    with pytest.raises(error, match=words):
        migrate(old_url)
    assert stored(old_url) == before


def migrate_in_another_process(*urls: str, package: Path = CHECKOUT) -> subprocess.Popen[bytes]:
    """Begin to migrate by the package of a folder, one after the other."""
    code = "import sys; from pipeline.warehouse.schema.migrate import migrate"
    code += "; [migrate(url) for url in sys.argv[1:]]"
    return subprocess.Popen([sys.executable, "-c", code, *urls], cwd=package)


def kill_while_it_waits(url: str, obstacle: str) -> None:
    """Kill ``migrate`` while it waits for ``obstacle``, a statement of a transaction not committed."""
    with psycopg.connect(url) as blocking, psycopg.connect(url, autocommit=True) as watching:
        blocking.execute(obstacle.encode())
        process = migrate_in_another_process(url)
        eventually(lambda: watching.execute(_WAITING).fetchone() == (1,), "the migration waits")
        process.kill()
        process.wait()
        blocking.rollback()


def test_a_killed_migration_leaves_nothing(database_url: str) -> None:
    kill_while_it_waits(database_url, "create schema landing")
    assert rows(database_url, "select to_regnamespace('warehouse')") == [(None,)]
    with warehouse_engine(database_url) as engine:
        assert schema_state(engine).applied == ()
        assert migrate(database_url) == schema_state(engine).applied
        assert schema_state(engine).pending == ()


def test_a_killed_adoption_leaves_nothing(old_url: str) -> None:
    before = schema_of(old_url)
    kill_while_it_waits(old_url, "lock table sync.activity_ledger in access share mode")
    assert schema_of(old_url) == before
    assert list(migrate(old_url)) == migrations()


#: A later migration: a column, and a table whose trigger has a new function.
_LATER = """
alter table sync.days add column weight integer not null default 1;
create table sync.notes (note text primary key);
create or replace function sync.shorten() returns trigger language plpgsql as 'begin end';
create trigger shorten before insert on sync.notes for each row execute function sync.shorten();
"""
_SHORTEN = """
create or replace function sync.shorten() returns trigger
language plpgsql
as $$ begin new.note := left(new.note, 3); return new; end $$;
"""


def test_a_migration_after_the_baseline_comes_once_to_new_and_old_warehouses(
    old_url: str, migrated_url: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    later = shutil.copytree(CHECKOUT / "sql", tmp_path / "sql")
    shutil.copytree(CHECKOUT / "pipeline", tmp_path / "pipeline")
    (later / "migrations" / "0002_later.sql").write_text(_LATER)
    (later / "functions" / "shorten.sql").write_text(_SHORTEN)
    with fresh_database(postgres) as empty:
        # New, at the baseline, before the baseline.
        urls = [postgres.url(empty), migrated_url, old_url]
        for _ in range(2):
            assert migrate_in_another_process(*urls, package=tmp_path).wait() == 0
        assert schema_of(urls[0]) == schema_of(urls[1]) == schema_of(urls[2])
        for url in urls:
            names = "select name from sync.schema_migrations where digest is null order by 1"
            assert rows(url, names) == [("0001_baseline",), ("0002_later",)]
            note = "insert into sync.notes values ('longer') returning note"
            assert rows(url, note) == [("lon",)]
    # The version before refuses what it does not know.
    with pytest.raises(SchemaTooNew, match="0002_later"):
        migrate(old_url)
