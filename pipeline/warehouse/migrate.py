"""The schema: numbered migrations by yoyo, then the views of ``analytics``."""

import logging
from dataclasses import dataclass
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.sql import SQL, Identifier, Literal
from sqlalchemy.exc import DBAPIError
from yoyo import read_migrations
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend
from yoyo.connections import DatabaseURI
from yoyo.migrations import MigrationList

from pipeline.warehouse import roles
from pipeline.warehouse.engine import driver, explain, open_engine, server_version
from pipeline.warehouse.errors import SchemaTooNew
from pipeline.warehouse.sql import sql_root
from pipeline.warehouse.views import apply_views

LOCK = 0x61637469
"""Key of the advisory lock under which the schema is changed: one process at a time."""

_RECORD = "schema_migrations"

_RECORD_COMMENTS = {
    _RECORD: "Which migrations of sql/migrations are applied.",
    "_yoyo_log": "When each migration was applied, and by whom.",
    "_yoyo_version": "Version of the migration tool's own tables.",
    "yoyo_lock": "Lock row of the migration tool; the pipeline's own lock is an advisory one.",
}


@dataclass(frozen=True)
class SchemaState:
    """How far the database's schema is: names of migrations."""

    applied: tuple[str, ...]
    pending: tuple[str, ...]
    unknown: tuple[str, ...]


def migrate(url: str) -> tuple[str, ...]:
    """Bring the schema of the database at ``url`` up to date; return what was applied.

    Safe to start twice at once and to kill at any instant. Raises a ``WarehouseError``, among them
    ``SchemaTooNew`` when the database knows migrations that this package doesn't.
    """
    engine = open_engine(url)
    try:
        server_version(engine)
        with engine.connect() as connection:
            session = driver(connection)
            session.autocommit = True
            session.execute("select pg_advisory_lock(%s)", (LOCK,))
            try:
                return _migrate_locked(engine, session)
            finally:
                session.execute("select pg_advisory_unlock(%s)", (LOCK,))
    except (DBAPIError, psycopg.Error) as error:
        raise explain(error, engine.url) from None
    finally:
        engine.dispose()


def schema_state(engine: sa.Engine) -> SchemaState:
    """Return which migrations are applied, pending, and unknown to this package."""
    known = tuple(migration.id for migration in _migrations())
    try:
        with engine.connect() as connection:
            session = driver(connection)
            row = session.execute("select to_regclass(%s)", (f"sync.{_RECORD}",)).fetchone()
            applied: tuple[str, ...] = ()
            if row is not None and row[0] is not None:
                found = session.execute(f"select migration_id from sync.{_RECORD} order by 1")
                applied = tuple(name for (name,) in found)
    except DBAPIError as error:
        raise explain(error, engine.url) from None
    return SchemaState(
        applied=applied,
        pending=tuple(name for name in known if name not in applied),
        unknown=tuple(name for name in applied if name not in known),
    )


def refuse_newer_schema(state: SchemaState) -> None:
    """Raise ``SchemaTooNew`` when the database is ahead of this package."""
    if state.unknown:
        raise SchemaTooNew(
            f"the warehouse's schema is newer than this version of activity-warehouse"
            f" (it holds {state.unknown[-1]}): update the package"
        )


def _migrate_locked(engine: sa.Engine, session: psycopg.Connection[Any]) -> tuple[str, ...]:
    state = schema_state(engine)
    refuse_newer_schema(state)
    if state.pending:
        session.execute("create schema if not exists sync")
        _apply(engine.url)
        _comment_on_record(session)
    with session.transaction():
        apply_views(session)
        roles.keep_granted(session)
    return state.pending


def _migrations() -> MigrationList:
    return read_migrations(str(sql_root() / "migrations"))


def _apply(url: sa.URL) -> None:
    # yoyo logs each statement's outcome; the migrations' names are enough and come from us.
    logging.getLogger("yoyo").setLevel(logging.WARNING)
    backend = PostgresqlPsycopgBackend(_yoyo_uri(url), _RECORD)
    backend.init_database()
    try:
        # Whoever left a lock row is dead: we hold the advisory lock.
        backend.break_lock()
        with backend.lock():
            backend.apply_migrations(backend.to_apply(_migrations()))
    finally:
        backend.connection.close()


def _yoyo_uri(url: sa.URL) -> DatabaseURI:
    query = {key: value for key, value in url.query.items() if isinstance(value, str)}
    return DatabaseURI(
        scheme="postgresql+psycopg",
        username=url.username,
        password=url.password,
        hostname=url.host,
        port=url.port,
        database=url.database,
        args={**query, "schema": "sync", "connect_timeout": "10"},
    )


def _comment_on_record(session: psycopg.Connection[Any]) -> None:
    for table, comment in _RECORD_COMMENTS.items():
        session.execute(
            SQL("comment on table sync.{} is {}").format(Identifier(table), Literal(comment))
        )
        columns = session.execute(
            "select column_name from information_schema.columns"
            " where table_schema = 'sync' and table_name = %s",
            (table,),
        )
        for (column,) in columns.fetchall():
            session.execute(
                SQL("comment on column sync.{}.{} is 'Kept by the migration tool, yoyo.'").format(
                    Identifier(table), Identifier(column)
                )
            )
