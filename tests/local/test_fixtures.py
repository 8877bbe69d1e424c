"""The fixtures that the rest of the suite stands on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
import sqlalchemy

from tests.support.postgres import OutsidePostgres, fresh_database, session_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.local import LocalPostgres
    from tests.support.postgres import PostgresServer

ENDLESS_TEST = """
def test_endless(postgres, crash_postgres):
    print(postgres.pid, crash_postgres().pid, flush=True)
    input()
"""


def tables(url: str) -> list[str]:
    engine = sqlalchemy.create_engine(url)
    names = sqlalchemy.inspect(engine).get_table_names()
    engine.dispose()
    return names


@pytest.mark.parametrize("_turn", [1, 2])
def test_each_test_gets_an_empty_database(database_url: str, _turn: int) -> None:
    assert tables(database_url) == []
    with psycopg.connect(database_url) as connection:
        connection.execute("CREATE TABLE mine ()")
    assert tables(database_url) == ["mine"]


@pytest.mark.parametrize("_turn", [1, 2])
def test_each_test_gets_a_migrated_database(migrated_url: str, _turn: int) -> None:
    schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = 'warehouse'"
    with psycopg.connect(migrated_url) as connection:
        assert connection.execute(schemas).fetchone() == (1,)
        connection.execute("CREATE TABLE mine ()")  # fails if the other turn's were still there


def test_a_database_is_dropped_although_it_is_in_use(postgres: PostgresServer) -> None:
    with fresh_database(postgres) as name:
        connection = psycopg.connect(postgres.url(name))
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")


def test_servers_to_crash_are_durable(crash_postgres: Callable[..., LocalPostgres]) -> None:
    server, other = crash_postgres(work_mem="8MB"), crash_postgres()
    assert server.pid != other.pid
    with psycopg.connect(server.url()) as connection:
        names = ("fsync", "full_page_writes", "synchronous_commit", "work_mem")
        shown = [connection.execute(f"SHOW {name}").fetchone() for name in names]
    assert shown == [("on",), ("on",), ("on",), ("8MB",)]
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)  # and left so: the fixture copes with it


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://me:p%40ss@db.example:5433/postgres",
            "postgresql://me:p%40ss@db.example:5433/a%20b",
        ),
        ("postgresql://me@/postgres?host=%2Frun", "postgresql://me@/a%20b?host=%2Frun"),
        ("postgresql://me@db.example", "postgresql://me@db.example/a%20b"),
    ],
)
def test_an_outside_server_is_known_by_its_url(url: str, expected: str) -> None:
    assert OutsidePostgres(url).url("a b") == expected


def test_the_suite_can_use_an_outside_server(folder: Path, postgres: PostgresServer) -> None:
    """The variable replaces the embedded server, for a pytest of its own."""
    check = folder / "test_outside.py"
    check.write_text(
        "import psycopg\n"
        "def test_outside(postgres, database_url):\n"
        f"    assert postgres.url() == {postgres.url()!r}\n"
        "    psycopg.connect(database_url).close()\n"
    )
    with start_pytest(check, TEST_POSTGRES_URL=postgres.url()) as session:
        said, _ = session.communicate()
    assert "1 passed" in said


def test_a_terminated_session_leaves_nothing(folder: Path) -> None:
    session, pids = start_endless_session(folder)
    with session:
        session.terminate()
        session.communicate()
    assert [pid for pid in pids if is_alive(pid)] == []
    assert list((folder / "tmp").iterdir()) == []


def test_a_killed_session_is_cleaned_up_by_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, pids = start_endless_session(folder)
    with session:
        session.kill()
    assert [pid for pid in pids if is_alive(pid)] == pids
    monkeypatch.setattr("tempfile.tempdir", str(folder / "tmp"))
    with session_folder() as mine:
        assert list((folder / "tmp").iterdir()) == [mine]
        with session_folder():
            assert mine.exists()  # a living session's folder is left alone
    assert [pid for pid in pids if is_alive(pid)] == []
    assert list((folder / "tmp").iterdir()) == []


def start_endless_session(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """Start a pytest whose test never ends; return it, and the pids of the two servers it has."""
    (folder / "tmp").mkdir()
    (folder / "tmp").chmod(0o755)
    check = folder / "test_endless.py"
    check.write_text(ENDLESS_TEST)
    session = start_pytest(check, TMPDIR=str(folder / "tmp"), TEST_POSTGRES_URL="")
    assert session.stdout is not None
    return session, [int(pid) for pid in session.stdout.readline().split()]


def start_pytest(check: Path, **variables: str) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    options = ["-sq", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", "/dev/null"]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, "--rootdir", str(check.parent), str(check)],
        cwd=root,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and that nobody has asked after doesn't."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
