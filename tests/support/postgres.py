"""PostgreSQL for the tests: one server a session, one database a test.

The fixtures are in every test's reach through ``tests/conftest.py``. The environment variable
``TEST_POSTGRES_URL`` (a superuser's) puts another server in the place of the embedded one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote, urlsplit

import psycopg
import pytest
from psycopg import sql

from pipeline.local import LocalPostgres

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

URL_VARIABLE = "TEST_POSTGRES_URL"

# Nothing has to survive a crash of the machine here, and commits are ten times as fast.
HASTY = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}

_FOLDERS, _LOCK = "activity-warehouse-tests-", "session.lock"


class PostgresServer(Protocol):
    """What tests may ask of the session's server, be it the embedded one or another."""

    def url(self, database: str = "postgres") -> str:
        """Return the superuser's URL of a database."""
        ...


class OutsidePostgres:
    """A server that somebody else runs, known by a superuser's URL."""

    def __init__(self, url: str) -> None:
        self._url = urlsplit(url)

    def url(self, database: str = "postgres") -> str:
        """Return the superuser's URL of a database."""
        return self._url._replace(path=f"/{quote(database, safe='')}").geturl()


@contextmanager
def session_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder for servers' data, and remove it after, with the servers that still run in it.

    Folders of sessions that were killed, and so couldn't do that, are removed as well. ``parent``: where
    large ones lie; by default where temporary folders are.
    """
    parent = parent or Path(tempfile.gettempdir())
    for left in parent.glob(f"{_FOLDERS}*"):
        _remove_if_left(left)
    folder = Path(tempfile.mkdtemp(prefix=_FOLDERS, dir=parent))
    folder.chmod(0o711)  # root's server runs as another user, who must get through
    with (folder / "session.new").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        Path(lock.name).rename(folder / _LOCK)  # nobody sees it unlocked while we live
        try:
            yield folder
        finally:
            _remove(folder)


def _remove_if_left(folder: Path) -> None:
    try:
        with (folder / _LOCK).open("rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
    except OSError:  # its session is alive, or it's another user's
        return


def _remove(folder: Path) -> None:
    for lock in list(folder.rglob("server.lock")):
        discard(LocalPostgres(lock.parent))
    shutil.rmtree(folder)


def discard(server: LocalPostgres) -> None:
    """Stop a server if it still runs, even one of another process, and delete its folder."""
    if (server.home / "data" / "postmaster.pid").exists():
        # If it was killed, only its next start frees the shared memory that it had.
        server.start().stop()
        if (number := server.pid) is not None:  # another process has started it
            os.kill(number, signal.SIGINT)
            with (server.home / "server.lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH)  # each process of the server holds it
    shutil.rmtree(server.home, ignore_errors=True)


@contextmanager
def fresh_database(server: PostgresServer, template: str | None = None) -> Iterator[str]:
    """Create a database under a new name, yield the name, and drop it with its connections.

    Its files are copied. By default PostgreSQL writes each page to its log, which takes twice the CPU.
    """
    name = f"test_{uuid.uuid4().hex[:16]}"
    with psycopg.connect(server.url(), autocommit=True) as connection:
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
        connection.execute(
            create.format(sql.Identifier(name), sql.Identifier(template or "template1"))
        )
    try:
        yield name
    finally:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def servers_folder() -> Iterator[Path]:
    """Make a folder for servers' data that the servers' user can enter; remove it at the end."""
    with session_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    """Start the session's server. A database of your own in it is ``database_url``."""
    outside = os.environ.get(URL_VARIABLE)
    if outside:
        yield OutsidePostgres(outside)
        return
    folder: Path = request.getfixturevalue("servers_folder")
    with LocalPostgres(folder / "session", settings=HASTY) as server:
        yield server


@pytest.fixture
def database_url(postgres: PostgresServer) -> Iterator[str]:
    """Yield the superuser's URL of an empty database of the test's own."""
    with fresh_database(postgres) as name:
        yield postgres.url(name)


@pytest.fixture(scope="session")
def migrated_template(postgres: PostgresServer) -> Iterator[str]:
    """Yield the name of a database with all migrations applied, to copy: it takes no sessions."""
    from pipeline.warehouse.schema.migrate import migrate

    with fresh_database(postgres) as name:
        migrate(postgres.url(name))
        with psycopg.connect(postgres.url(), autocommit=True) as connection:
            close = sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS false")
            connection.execute(close.format(sql.Identifier(name)))
            connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s",
                (name,),
            )
        yield name


@pytest.fixture
def migrated_url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """Yield the superuser's URL of a database of the test's own, with all migrations applied."""
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


@pytest.fixture
def crash_postgres(servers_folder: Path) -> Iterator[Callable[..., LocalPostgres]]:
    """Yield a maker of servers to crash, each in a new folder, stopped after the test.

    ``crash_postgres(work_mem="8MB")`` starts one, as durable as PostgreSQL is by default. It's
    always an embedded one. Kill it by ``os.kill(server.pid, 9)`` and ``server.start()`` it again.
    """
    servers: list[LocalPostgres] = []

    def make(**settings: str) -> LocalPostgres:
        home = Path(tempfile.mkdtemp(prefix="crash-", dir=servers_folder))
        server = LocalPostgres(home, settings=settings)
        servers.append(server)
        return server.start()

    try:
        yield make
    finally:
        for server in servers:
            discard(server)
