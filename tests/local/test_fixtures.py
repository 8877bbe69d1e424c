"""The fixtures that the rest of the suite stands on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.postgres import session_folder

if TYPE_CHECKING:
    import pytest

    from tests.support.postgres import PostgresServer

ENDLESS_TEST = """
def test_endless(postgres, crash_postgres):
    print(postgres.pid, crash_postgres().pid, flush=True)
    input()
"""


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
