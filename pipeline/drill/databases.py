"""Scratch databases: made from one migrated template, on a server of our own or on one that is named."""

from __future__ import annotations

import fcntl
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

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

#: Commits needn't survive a crash of the machine; those of a killed server must and do.
_SETTINGS = {"fsync": "off"}


class DrillRunsAlready(Exception):
    """Another drill runs in this folder; ``str()`` is one clear line."""


class Databases:
    """Makes and drops scratch databases on one server.

    ``url``: of any database there, of a role that may create others. ``server`` is None when the
    server is not ours, so that it can't be killed.
    """

    def __init__(self, url: str, server: LocalPostgres | None = None) -> None:
        self._url = parse_url(url).set(drivername="postgresql")
        self.server = server
        self._name = f"drill_{uuid.uuid4().hex[:12]}"
        self._made = 0

    @property
    def role(self) -> str:
        """The role that the drill connects as."""
        return self._url.username or ""

    def url(self, name: str | None = None) -> str:
        """Return the URL of a database of the server, by default of the one that was named."""
        there = self._url if name is None else self._url.set(database=name)
        return there.render_as_string(hide_password=False)

    @contextmanager
    def template(self) -> Iterator[None]:
        """Make the migrated template that `fresh` copies; drop it at the end.

        Raises a ``WarehouseError``, among them ``WarehouseRefused`` when the role may create none.
        """
        engine = open_engine(self.url())
        try:
            server_version(engine)
        finally:
            engine.dispose()
        try:
            self._create(self._name, "template1")
        except pg.InsufficientPrivilege:
            raise WarehouseRefused(
                f"the role {self.role} may not create databases: the drill needs a scratch database"
            ) from None
        try:
            migrate(self.url(self._name))
            yield
        finally:
            self._drop(self._name)

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """Make a migrated, empty database, yield its URL, and drop it with its connections."""
        self._made += 1
        name = f"{self._name}_{self._made}"
        self._create(name, self._name)
        try:
            yield self.url(name)
        finally:
            self._drop(name)

    def drop_left(self) -> None:
        """Drop what a killed drill left on the server of our own."""
        with psycopg.connect(self.url()) as session:
            left = session.execute("select datname from pg_database where datname ~ '^drill_'")
            names = [name for (name,) in left]
        for name in names:
            self._drop(name)

    def _create(self, name: str, template: str) -> None:
        statement = sql.SQL("create database {} template {}")
        with psycopg.connect(self.url(), autocommit=True) as session:
            session.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))

    def _drop(self, name: str) -> None:
        statement = sql.SQL("drop database if exists {} with (force)")
        with psycopg.connect(self.url(), autocommit=True) as session:
            session.execute(statement.format(sql.Identifier(name)))


@contextmanager
def scratch_databases(folder: Path, database_url: str | None) -> Iterator[Databases]:
    """Open the server: the one that ``database_url`` names, else one of our own in ``folder``.

    Raises ``WarehouseError``, ``LocalPostgresError``, or `DrillRunsAlready` (two would kill each
    other's server).
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "drill.lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DrillRunsAlready(f"another drill runs in {folder}: wait for its end") from None
        if database_url is not None:
            databases = Databases(database_url)
            with databases.template():
                yield databases
            return
        server = LocalPostgres(folder / "postgres", settings=_SETTINGS)
        server.start()  # finds the one that a killed drill left, too
        try:
            databases = Databases(server.url(), server)
            databases.drop_left()
            with databases.template():
                yield databases
        finally:
            server.stop(reused=True)
