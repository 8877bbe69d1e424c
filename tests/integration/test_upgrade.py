"""A warehouse made by the version before upgrades without loss, and a killed migration leaves no trace.

``data/previous_version.sql`` is that warehouse; ``data/previous_version_served.json`` is what the service
stated then, so that the next run meets the same service.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.warehouse.engine import warehouse_engine
from pipeline.warehouse.migrate import migrate, schema_state
from tests.support.commands import eventually
from tests.support.company import company_on
from tests.support.mirroring import Warehouse, sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parent / "data"
FIRST, TODAY = date(2026, 3, 29), date(2026, 4, 1)

#: Kept by migrations and views themselves.
_VERSIONS = {"schema_migrations", "_yoyo_log", "_yoyo_version", "yoyo_lock", "view_versions"}

#: Tables that are made again from others, or that nobody needs any more; and one with another name.
_DROPPED = {"sync.entity_ledger", "sync.volatile_fields"}
_RENAMED = {"sync.coverage": "sync.days"}

_TABLES = """
select schemaname || '.' || tablename from pg_tables
where schemaname in ('warehouse', 'landing', 'sync') and not tablename = any(%s) order by 1
"""
_KEYS = """
select conname, pg_get_constraintdef(oid) from pg_constraint
where connamespace = 'analytics'::regnamespace and contype in ('p', 'u') order by 1
"""
_WAITING = """
select count(*) from pg_stat_activity
where wait_event_type = 'Lock' and datname = current_database()
"""


@pytest.fixture
def previous_url(database_url: str) -> str:
    """Return the URL of a warehouse as the previous version left it."""
    with psycopg.connect(database_url) as session:
        session.execute((DATA / "previous_version.sql").read_bytes())
    return database_url


@pytest.fixture
def previous(previous_url: str) -> Iterator[Warehouse]:
    """Return that warehouse, and the service in the state that it mirrors."""
    with sandbox(0, from_date=FIRST, to_date=FIRST) as service:
        for stated in json.loads((DATA / "previous_version_served.json").read_text()):
            service.state.create(activity_id=stated["id"], created_at=stated["created_at"])
            service.state.replace_payload(
                stated["id"], row=stated["row"].encode(), details=stated["details"].encode()
            )
        yield Warehouse(previous_url, service)


def stored(url: str) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables but views and versions."""
    with psycopg.connect(url) as session:
        tables = [name for (name,) in session.execute(_TABLES, (list(_VERSIONS),))]
        return {
            table: [row for (row,) in session.execute(f"select to_jsonb(t) from {table} as t")]
            for table in tables
        }


def test_it_upgrades_without_loss(previous_url: str) -> None:
    before = stored(previous_url)
    assert len(before) >= 18
    assert {table for table, rows in before.items() if not rows} <= {
        "sync.grant_versions", "sync.refresh_queue", "sync.unknown_values",
    }  # fmt: skip
    with psycopg.connect(previous_url) as session:
        session.execute("create view public.mine as select id, status from warehouse.activities")
        names = "select migration_id, applied_at_utc at time zone 'UTC' from sync.schema_migrations"
        applied: dict[str, Any] = dict(session.execute(names).fetchall())
    migrate(previous_url)
    after = stored(previous_url)
    for table, rows in before.items():
        if table in _DROPPED:
            continue
        now = after[_RENAMED.get(table, table)]
        columns = [name for name in (rows or [{}])[0] if name in (now or [{}])[0]]
        kept, had = (
            [{name: row[name] for name in columns} for row in each] for each in (now, rows)
        )
        assert sorted(kept, key=str) == sorted(had, key=str), table
        assert len(columns) >= 2 or not rows, table
    with psycopg.connect(previous_url) as session:
        record = "select name, applied_at from sync.schema_migrations where digest is null"
        assert applied.items() <= dict(session.execute(record).fetchall()).items()
        assert session.execute("select count(*) from public.mine").fetchone() == (14,)
        assert not session.execute(
            "select tablename from pg_tables where tablename like '%yoyo%'"
        ).fetchall()
    assert migrate(previous_url) == ()


def test_what_a_company_built_survives_the_upgrade(previous_url: str) -> None:
    with company_on(previous_url) as company:
        seen = company.sees()
        migrate(previous_url)
        assert company.sees() == seen
        assert company.role in company.readers("freshness")


def test_stored_views_get_the_keys_that_new_ones_have(previous_url: str, migrated_url: str) -> None:
    migrate(previous_url)
    with psycopg.connect(previous_url) as old, psycopg.connect(migrated_url) as new:
        assert old.execute(_KEYS).fetchall() == new.execute(_KEYS).fetchall()


def test_the_next_run_finds_nothing_to_do(previous: Warehouse) -> None:
    migrate(previous.url)
    previous.execute("update sync.quarantine set next_attempt_at = now() + interval '1 day'")
    before, landed = previous.versions(), stored(previous.url)
    days = previous.days(FIRST, TODAY, expired_values="erase")
    assert (days.listed, days.unchanged, days.quarantined) == (13, 12, 1)
    assert days.details_requests == 0
    recent, older = previous.nightly(TODAY, expired_values="erase")
    assert (recent.details_requests, older.details_requests) == (0, 0)
    assert previous.versions() == before
    after = stored(previous.url)
    changed = {table for table, rows in landed.items() if after[table] != rows}
    assert changed == {"sync.runs", "sync.days", "sync.service_facts", "sync.activity_ledger"}


def kill_while_it_waits(url: str, obstacle: str) -> None:
    """Kill ``migrate`` while it waits for ``obstacle``, a statement of a transaction not committed."""
    with psycopg.connect(url) as blocking, psycopg.connect(url, autocommit=True) as watching:
        blocking.execute(obstacle.encode())
        code = "import sys; from pipeline.warehouse.migrate import migrate; migrate(sys.argv[1])"
        process = subprocess.Popen([sys.executable, "-c", code, url])
        eventually(lambda: watching.execute(_WAITING).fetchone() == (1,), "the migration waits")
        process.kill()
        process.wait()
        blocking.rollback()


def test_killed_while_it_takes_the_record_over(previous_url: str) -> None:
    kill_while_it_waits(previous_url, "lock table sync.yoyo_lock in access share mode")
    before = stored(previous_url)
    migrate(previous_url)
    after = stored(previous_url)
    kept = {table: len(rows) for table, rows in before.items() if table not in _DROPPED}
    assert {table: len(after[_RENAMED.get(table, table)]) for table in kept} == kept


def test_a_killed_migration_leaves_nothing(database_url: str) -> None:
    kill_while_it_waits(database_url, "create schema landing")
    with psycopg.connect(database_url) as session:
        assert session.execute("select to_regnamespace('warehouse')").fetchone() == (None,)
    with warehouse_engine(database_url) as engine:
        assert schema_state(engine).applied == ()
        assert migrate(database_url) == schema_state(engine).applied
        assert schema_state(engine).pending == ()
