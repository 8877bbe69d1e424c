"""Scratch databases: copies of one migrated template, on a private server or on a named one."""

from __future__ import annotations

import fcntl
import uuid
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, LiteralString

import psycopg
from psycopg import errors as pg
from psycopg import sql

from pipeline.local import LocalPostgres, LocalPostgresError
from pipeline.warehouse.engine import parse_url, warehouse_engine
from pipeline.warehouse.errors import WarehouseRefused
from pipeline.warehouse.migrate import migrate
from pipeline.warehouse.server import check_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import sqlalchemy as sa


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

    Raises ``WarehouseError``, or ``LocalPostgresError``, also when another drill runs in this folder:
    two drills would kill each other's server.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "drill.lock").open("ab") as lock, ExitStack() as ending:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LocalPostgresError(f"another drill runs in {folder}: wait for its end") from None
        server = None
        if database_url is None:
            # Commits must survive a killed server, not a crash of the machine.
            server = LocalPostgres(folder / "postgres", settings={"fsync": "off"})
            database_url = server.start().url()  # or that of a server that a killed drill left
            ending.callback(server.stop, reused=True)
            with psycopg.connect(database_url) as session:
                left = session.execute("select datname from pg_database where datname ~ '^drill_'")
                for (name,) in left:
                    server.drop_database(name)
        databases = Databases(parse_url(database_url), server)
        with warehouse_engine(plain(databases.url)) as engine:
            check_server(engine)  # says clearly why a server can't be reached
        template = ending.enter_context(databases.fresh())
        migrate(plain(template))
        yield replace(databases, template=str(template.database))
