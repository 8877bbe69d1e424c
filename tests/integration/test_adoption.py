"""A warehouse that stands at 0088 becomes one of 1.0 without a loss; others are refused.

``data/warehouse_0088.sql`` is that warehouse; ``data/warehouse_0088_served.json`` is what the service
stated then, so that the next run meets the same service. A killed migration leaves no trace.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.local.binaries import ServerUser, find_binaries
from pipeline.warehouse.engine import warehouse_engine
from pipeline.warehouse.errors import OthersInTheWay, SchemaTooNew, WarehouseUnsuitable
from pipeline.warehouse.migrate import migrate, schema_state
from pipeline.warehouse.sql import BASELINE
from tests.support.commands import eventually
from tests.support.company import company_on
from tests.support.mirroring import Warehouse, sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Return what pg_dump says of the schema, without owners and comments, which the stored one lacks."""
    program = find_binaries(ServerUser()).folder / "pg_dump"
    dumped = subprocess.run(
        [program, "--schema-only", "--no-owner", "--no-comments", "--dbname", url],
        check=True,
        capture_output=True,
        text=True,
    )
    # A view that was dumped and restored names what has no name by its type.
    lines = (re.sub(r"(::\w+) AS \w+(,?)$", r"\1\2", line) for line in dumped.stdout.splitlines())
    return [line for line in lines if not line.startswith("\\")]


def test_its_schema_is_that_of_a_new_one(old_url: str, migrated_url: str) -> None:
    migrate(old_url)
    assert schema_of(old_url) == schema_of(migrated_url)


def test_it_keeps_every_row_and_a_night_asks_for_nothing(old: Warehouse) -> None:
    before = stored(old.url)
    assert {table for table, rows in before.items() if not rows} <= {
        "sync.grant_versions", "sync.unknown_values", "sync.erased_phones", "sync.verifications",
    }  # fmt: skip
    assert migrate(old.url) == (BASELINE,)
    after = stored(old.url)
    for table, rows in before.items():
        columns = after[table][0].keys() if rows else ()
        kept = [{name: row[name] for name in row if name in columns} for row in rows]
        had = [{name: row[name] for name in row if name in kept[0]} for row in after[table]]
        assert sorted(had, key=str) == sorted(kept, key=str), table
    assert migrate(old.url) == ()
    old.execute("update sync.quarantine set next_attempt_at = now() + interval '1 day'")
    recent, older = old.nightly(TODAY)
    assert (recent.details_requests, older.details_requests) == (0, 0)
    assert (recent.loaded.changed, older.loaded.changed) == (0, 0)


def test_what_a_company_built_survives(old_url: str, migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        names = "select relname from pg_class where relnamespace = 'analytics'::regnamespace"
        # What shows all columns of requests shows one that goes.
        kept = {name for (name,) in session.execute(names)} - {"authorization_requests"}
    with company_on(old_url, kept) as company:
        with psycopg.connect(old_url) as session:
            session.execute(
                "create view company.whole as select day, incomplete from sync.coverage"
            )
            session.execute(
                f"grant select on sync.coverage, company.whole to {company.role}".encode()
            )
        seen = company.sees()
        migrate(old_url)
        assert company.sees() == seen
        assert company.role in company.readers("freshness")


_GOES = {
    "a deprecated view": ("analytics.activity_funnel", "select * from analytics.activity_funnel"),
    "a column of coverage": ("sync.coverage", "select unverified from sync.coverage"),
    "a column of requests": (
        "warehouse.authorization_requests",
        "select clock_offset from warehouse.authorization_requests",
    ),
}


@pytest.mark.parametrize("kind", _GOES)
def test_it_is_refused_where_others_read_what_goes(old_url: str, kind: str) -> None:
    relation, query = _GOES[kind]
    with psycopg.connect(old_url) as session:
        session.execute(f"create view public.mine as {query}".encode())
    before = schema_of(old_url)
    with pytest.raises(OthersInTheWay) as refused:
        migrate(old_url)
    assert "mine" in str(refused.value)
    assert relation.partition(".")[2] in str(refused.value)
    assert "\n" not in str(refused.value)
    assert schema_of(old_url) == before


_OTHERS = {
    "older": (
        "delete from sync.schema_migrations where name = '0088_unread_indexes'",
        WarehouseUnsuitable,
        "older than 1.0",
    ),
    "a part of it": (
        "delete from sync.schema_migrations where name = '0005_codes'",
        WarehouseUnsuitable,
        "older than 1.0",
    ),
    "somebody's own": (
        "insert into sync.schema_migrations (name) values ('0089_mine')",
        WarehouseUnsuitable,
        "0089_mine",
    ),
    "newer": (
        "delete from sync.schema_migrations where digest is null;"
        " insert into sync.schema_migrations (name) values ('1000_baseline'), ('1999_later')",
        SchemaTooNew,
        "1999_later",
    ),
}


@pytest.mark.parametrize("kind", _OTHERS)
def test_any_other_schema_is_refused(old_url: str, kind: str) -> None:
    change, error, words = _OTHERS[kind]
    with psycopg.connect(old_url) as session:
        session.execute(change.encode())
    before = stored(old_url)
    with pytest.raises(error, match=words):
        migrate(old_url)
    assert stored(old_url) == before


def test_a_killed_migration_leaves_nothing(database_url: str) -> None:
    """Kill ``migrate`` while it waits for a schema that another transaction has not committed."""
    with (
        psycopg.connect(database_url) as blocking,
        psycopg.connect(database_url, autocommit=True) as watching,
    ):
        blocking.execute("create schema landing")
        code = "import sys; from pipeline.warehouse.migrate import migrate; migrate(sys.argv[1])"
        process = subprocess.Popen([sys.executable, "-c", code, database_url])
        eventually(lambda: watching.execute(_WAITING).fetchone() == (1,), "the migration waits")
        process.kill()
        process.wait()
        blocking.rollback()
    with psycopg.connect(database_url) as session:
        assert session.execute("select to_regnamespace('warehouse')").fetchone() == (None,)
    with warehouse_engine(database_url) as engine:
        assert schema_state(engine).applied == ()
        assert migrate(database_url) == schema_state(engine).applied
        assert schema_state(engine).pending == ()
