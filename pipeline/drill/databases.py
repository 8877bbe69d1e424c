"""Scratch databases: copies of one migrated template, on a private server or on a named one."""

from __future__ import annotations

import fcntl
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, LiteralString

import psycopg
from psycopg import errors as pg
from psycopg import sql

from pipeline.local import LocalPostgres
from pipeline.warehouse.engine import open_engine, parse_url, server_version
from pipeline.warehouse.errors import WarehouseRefused
from pipeline.warehouse.migrate import migrate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import sqlalchemy as sa

# Commits must survive a killed server, not a crash of the machine.
_SETTINGS = {"fsync": "off"}


class DrillRunsAlready(Exception):
    """Another drill runs in this folder; ``str()`` is one clear line."""


@dataclass(frozen=True)
class Databases:
    """Makes scratch databases on one server. ``server`` is None when it is not the drill's own."""

    url: sa.URL
    server: LocalPostgres | None = None
    template: str = "template1"

    @contextmanager
    def fresh(self) -> Iterator[sa.URL]:
        """Copy the template, yield the copy's URL, and drop it with its connections.

        Raises ``WarehouseRefused`` when the role must not create databases.
        """
        name = f"drill_{uuid.uuid4().hex[:12]}"
        try:
            self._execute("create database {} template {}", name, self.template)
        except pg.InsufficientPrivilege:
            raise WarehouseRefused(
                f"the role {self.url.username} must not create databases, and the drill needs"
                " scratch databases: grant it CREATEDB, or run without --database-url"
            ) from None
        try:
            yield self.url.set(database=name)
        finally:
            self.drop(name)

    def drop(self, name: str) -> None:
        """Drop a database with its connections."""
        self._execute("drop database if exists {} with (force)", name)

    def _execute(self, statement: LiteralString, *names: str) -> None:
        with psycopg.connect(plain(self.url), autocommit=True) as session:
            session.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def plain(url: sa.URL) -> str:
    """Return the URL as libpq reads it, with its password."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


@contextmanager
def scratch_databases(folder: Path, database_url: str | None) -> Iterator[Databases]:
    """Open a server with a migrated template: the named one, else a private one in ``folder``.

    Raises ``WarehouseError``, ``LocalPostgresError``, or `DrillRunsAlready`: two drills would kill
    each other's server.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "drill.lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DrillRunsAlready(f"another drill runs in {folder}: wait for its end") from None
        if database_url is not None:
            with _migrated(Databases(parse_url(database_url))) as databases:
                yield databases
            return
        server = LocalPostgres(folder / "postgres", settings=_SETTINGS)
        server.start()  # or finds the server that a killed drill left
        try:
            private = Databases(parse_url(server.url()), server)
            with psycopg.connect(server.url()) as session:
                left = session.execute("select datname from pg_database where datname ~ '^drill_'")
            for (name,) in left:
                private.drop(name)
            with _migrated(private) as databases:
                yield databases
        finally:
            server.stop(reused=True)


@contextmanager
def _migrated(databases: Databases) -> Iterator[Databases]:
    engine = open_engine(plain(databases.url))
    try:
        server_version(engine)  # says clearly why a server can't be reached
    finally:
        engine.dispose()
    with databases.fresh() as template:
        migrate(plain(template))
        yield replace(databases, template=str(template.database))
