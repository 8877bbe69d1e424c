"""Whatever a role, a database, a pooler or a server without room does to our connections.

Clause 2 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg import sql

from pipeline.sync.reparse import reparse
from pipeline.warehouse.database.engine import open_session, warehouse_engine
from pipeline.warehouse.database.errors import (
    WarehouseRefused,
    WarehouseUnreachable,
    WarehouseUnsuitable,
)
from pipeline.warehouse.schema.migrate import migrate
from tests.support.habits.answers import details_changed
from tests.support.mirroring import Told, Warehouse, run_id, sandbox
from tests.support.postgres import PostgresServer, fresh_database
from tests.support.refreshing import refresh_all
from tests.support.relay import Pooler

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTILE = {
    "client_encoding": "LATIN1",
    "datestyle": "German, DMY",
    "intervalstyle": "iso_8601",
    "timezone": "Asia/Kathmandu",
    "bytea_output": "escape",
    "extra_float_digits": "-15",
    "standard_conforming_strings": "off",
    "array_nulls": "off",
    "quote_all_identifiers": "on",
    "search_path": "hostile, pg_catalog, public",
    "default_transaction_isolation": "serializable",
    "exit_on_error": "on",
    "idle_session_timeout": "1000",
    "client_min_messages": "debug5",
    "jit": "on",
}

#: Left as they are, because they change no result of ours.
HARMLESS = {
    "row_security": "off",
    "transform_null_equals": "on",
    "lc_messages": "C",
    "enable_indexscan": "off",
    "enable_hashjoin": "off",
    "plan_cache_mode": "force_generic_plan",
    "default_transaction_deferrable": "on",
    "xmlbinary": "hex",
}

#: Found first by each name that is not qualified.
_SHADOWS = """
create schema hostile;
create function hostile.now() returns timestamptz language sql as 'select null::timestamptz';
create function hostile.count(anyelement) returns bigint language sql as 'select 0::bigint';
create function hostile.lower(text) returns text language sql as 'select ''shadow''';
"""


@pytest.fixture
def hostile_url(postgres: PostgresServer) -> Iterator[str]:
    """Yield an empty database whose settings are hostile."""
    with fresh_database(postgres) as name:
        with psycopg.connect(postgres.url(name), autocommit=True) as session:
            session.execute(_SHADOWS)
            for setting, value in (HOSTILE | HARMLESS).items():
                # A list of schemas is several values, not one.
                shown = sql.SQL(value) if setting == "search_path" else sql.Literal(value)
                alter = sql.SQL("alter database {} set {} = {}")
                session.execute(alter.format(sql.Identifier(name), sql.Identifier(setting), shown))
        yield postgres.url(name)


def settings_at(url: str) -> dict[str, str]:
    with warehouse_engine(url) as engine, open_session(engine) as session:
        query = "select name, setting from pg_catalog.pg_settings where lower(name) = any(%s)"
        return dict(session.execute(query, ([*HOSTILE],)).fetchall())


def test_each_pinned_setting_is_the_same_everywhere(hostile_url: str, database_url: str) -> None:
    pinned = settings_at(hostile_url)
    assert len(pinned) == len(HOSTILE)
    assert pinned == settings_at(database_url)


def test_a_warehouse_with_hostile_settings_is_right(hostile_url: str) -> None:
    migrate(hostile_url)
    with sandbox(60) as service:
        warehouse = Warehouse(hostile_url, service, "America/Lima")
        assert warehouse.days().status == "complete"
        refresh_all(hostile_url)
        assert warehouse.days(full=True).loaded.changed == 0
        assert mapped_again(warehouse) == 0
        with psycopg.connect(hostile_url, options="-c client_encoding=UTF8") as session:
            name = sql.Identifier(session.info.dbname)
            session.execute(sql.SQL("alter database {} reset all").format(name))
        assert warehouse.differences() == []
        assert mapped_again(warehouse) == 0


def mapped_again(warehouse: Warehouse) -> int:
    """Return how many activities' rows are not what landing says."""
    with warehouse.engine() as engine:
        return reparse(engine, ZoneInfo(warehouse.zone), Told(), run_id()).loaded.changed


def test_a_publication_of_all_tables_stops_nothing(migrated_url: str) -> None:
    keyless = """
        select relation.oid::regclass::text from pg_class as relation
        where relkind = 'r'
            and relnamespace::regnamespace::text in ('warehouse', 'sync', 'landing', 'analytics')
            and not exists (select from pg_index where indrelid = relation.oid and indisprimary)
    """
    with sandbox(30) as running:
        warehouse = Warehouse(migrated_url, running)
        assert warehouse.query(keyless) == []
        warehouse.execute("create publication everything for all tables")
        for _ in range(2):
            assert warehouse.days().status == "complete"
            refresh_all(migrated_url)
            warehouse.service.state.delete(warehouse.service.state.ids()[0])
        assert warehouse.value("select count(*) from analytics.activities") == 30


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Lima"])
def test_every_client_reads_instants_that_mean_never_or_not_set(
    migrated_url: str, zone: str
) -> None:
    never, not_set = 253_402_300_799_000, -62_135_596_800_000
    with sandbox(200) as running:
        warehouse = Warehouse(migrated_url, running, zone)
        state = running.state
        accepted = state.ids("ACCEPTED", "COMPLETED")
        pending = state.ids("SENT", "ACTION_REQUIRED")
        instants = {"expires_at": never, "valid_until": never, "completed_at": not_set}
        state.set_faults(
            *(details_changed(lambda said: said | instants, id=name) for name in accepted),
            *(
                details_changed(lambda said: said | {"attended_at": not_set}, id=name)
                for name in pending
            ),
        )
        assert warehouse.days().status == "complete"
        refresh_all(migrated_url)
        relations = "select oid::regclass::text from pg_class where relkind in ('r', 'v')"
        named = warehouse.query(f"{relations} and relnamespace = 'analytics'::regnamespace")
        with psycopg.connect(migrated_url, options=f"-c timezone={zone}") as session:
            for (name,) in named:
                session.execute(f"select * from {name}".encode()).fetchall()
            answered = "select count(*) from analytics.activities where outcome = 'pending'"
            found = session.execute(f"{answered} and num_nonnulls(answered_at, answered_day) > 0")
            assert found.fetchone() == (0,)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_without_unicode_is_refused_before_anything_is_made(
    postgres: PostgresServer, encoding: str
) -> None:
    name = sql.Identifier(f"narrow_{encoding.lower()}")
    with psycopg.connect(postgres.url(), autocommit=True) as session:
        session.execute(
            sql.SQL("create database {} template template0 locale 'C' encoding {}").format(
                name, sql.Literal(encoding)
            )
        )
        try:
            url = postgres.url(name.as_string().strip('"'))
            with pytest.raises(WarehouseUnsuitable, match=f"has the encoding {encoding}, which"):
                migrate(url)
            with psycopg.connect(url) as narrow:
                made = "select count(*) from pg_namespace where nspname in ('sync', 'warehouse')"
                assert narrow.execute(made).fetchone() == (0,)
        finally:
            session.execute(sql.SQL("drop database {}").format(name))


def test_a_database_that_turns_triggers_off_is_refused(database_url: str) -> None:
    name = sql.Identifier(str(psycopg.conninfo.conninfo_to_dict(database_url)["dbname"]))
    with psycopg.connect(database_url, autocommit=True) as session:
        off = "alter database {} set session_replication_role = replica"
        session.execute(sql.SQL(off).format(name))
        with pytest.raises(WarehouseUnsuitable, match="session_replication_role to replica, which"):
            migrate(database_url)
        assert session.execute("select to_regnamespace('sync')").fetchone() == (None,)
        session.execute(sql.SQL("alter database {} reset session_replication_role").format(name))
    assert migrate(database_url)


def test_a_pooler_in_transaction_mode_is_refused(database_url: str) -> None:
    with (
        Pooler(database_url, transactions=True) as pooler,
        pytest.raises(WarehouseUnsuitable, match="a pooler in transaction mode"),
    ):
        migrate(pooler.url)
    with psycopg.connect(database_url) as session:
        assert session.execute("select to_regnamespace('sync')").fetchone() == (None,)


def test_a_pooler_in_session_mode_works(database_url: str) -> None:
    with Pooler(database_url, transactions=False) as pooler, sandbox(30) as service:
        with psycopg.connect(pooler.url) as session:
            ((process,),) = session.execute("select pg_backend_pid()").fetchall()
            assert process != session.info.backend_pid
        migrate(pooler.url)
        warehouse = Warehouse(pooler.url, service)
        assert warehouse.days().status == "complete"
        assert warehouse.differences() == []


def test_a_database_that_takes_no_connections_says_so(
    postgres: PostgresServer, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.warehouse.database.engine.PATIENCE", 0.0)
    name = sql.Identifier(str(psycopg.conninfo.conninfo_to_dict(database_url)["dbname"]))
    with psycopg.connect(postgres.url(), autocommit=True) as session:
        session.execute(sql.SQL("alter database {} allow_connections false").format(name))
    with pytest.raises(WarehouseRefused, match="does not accept connections"):
        migrate(database_url)


def test_an_address_that_does_not_fit_says_why(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.warehouse.database.engine.PATIENCE", 0.0)
    with Pooler(database_url, transactions=False) as relay:
        secure = relay.url.replace("sslmode=disable", "sslmode=require")
        with pytest.raises(WarehouseRefused, match="does not agree with sslmode or sslrootcert"):
            migrate(secure)
        with pytest.raises(WarehouseUnreachable, match="no host has this name"):
            migrate(relay.url.replace("127.0.0.1", "nobody.invalid"))
