"""A migration names the session that it waits for and gives up; without news it waits for nobody.

Clause 2 of docs/guarantees.md.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import pytest

from pipeline.warehouse.database.errors import WarehouseWriteFailed
from pipeline.warehouse.schema.migrate import LOCK, migrate
from tests.support.commands import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

#: As after an upgrade that changes this view.
_CHANGED = "update sync.view_versions set digest = '' where name = 'days'"


@pytest.fixture
def analyst(migrated_url: str) -> Iterator[psycopg.Connection]:
    """Leave a transaction open that has read a view which a migration changes."""
    with psycopg.connect(migrated_url, application_name="notebook") as session:
        session.execute("select from analytics.days")
        with psycopg.connect(migrated_url) as other:
            other.execute(_CHANGED)
        yield session


def test_a_migration_names_the_session_that_it_waits_for(
    migrated_url: str, analyst: psycopg.Connection
) -> None:
    said = list[str]()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(migrate, migrated_url, said.append, look=0.05)
        eventually(lambda: bool(said), "it says whom it waits for")
        analyst.commit()
        assert waiting.result(60) == ()
    (line,) = said
    assert f"session {analyst.info.backend_pid} of role postgres (notebook), in a" in line
    assert " in a transaction since 20" in line


def test_a_migration_gives_up_with_one_line(migrated_url: str, analyst: psycopg.Connection) -> None:
    with pytest.raises(WarehouseWriteFailed) as raised:
        migrate(migrated_url, wait=1, look=0.05)
    line = str(raised.value)
    assert f"for session {analyst.info.backend_pid} of role postgres (notebook)" in line
    assert "ACTIVITIES_MIGRATION_WAIT_SECONDS, then run `pipeline migrate`; nothing" in line
    assert "\n" not in line
    analyst.commit()
    migrate(migrated_url)


def test_who_only_reads_the_version_waits_for_nobody(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        session.execute("select pg_advisory_lock(%s)", (LOCK,))
        session.execute("lock table sync.refresh_queue, sync.activity_ledger, warehouse.activities")
        assert migrate(migrated_url, wait=0.1) == ()


def test_a_schema_of_others_is_left_to_them(database_url: str) -> None:
    with psycopg.connect(database_url) as session:
        session.execute("create schema analytics; create table analytics.of_dbt (id int)")
    with pytest.raises(WarehouseWriteFailed, match="point WAREHOUSE_URL at a database of its own"):
        migrate(database_url)
    with psycopg.connect(database_url) as session:
        assert session.execute("select to_regnamespace('sync')").fetchone() == (None,)
