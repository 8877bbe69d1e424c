"""The life of a local server: started, shared, killed, found again, stopped."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
import sqlalchemy

if TYPE_CHECKING:
    from pipeline.local import LocalPostgres
    from tests.local.conftest import MakeServer, RunPython

START_AND_TELL = """
import sys
from itertools import pairwise
from pathlib import Path
from pipeline.local import LocalPostgres
server = LocalPostgres(Path(sys.argv[1])).start()
print(server.pid, flush=True)
sys.stdin.read() if sys.argv[2] == "stay" else None
"""


def has_ended(server: LocalPostgres) -> bool:
    """Whether no process of the server is left: each one holds the lock."""
    with (server.home / "server.lock").open("rb+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_stop_leaves_no_process(folder: Path, make_server: MakeServer) -> None:
    server = make_server(folder / "home").start()
    pid = server.pid
    assert pid is not None
    connection = psycopg.connect(server.url())
    server.stop()
    assert (has_ended(server), server.running, server.pid) == (True, False, None)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    server.stop()  # once more does nothing


def test_processes_that_start_at_once_get_one_server(
    folder: Path, make_server: MakeServer, run_python: RunPython
) -> None:
    server = make_server(folder / "home")
    processes = [run_python(START_AND_TELL, folder / "home", "stay") for _ in range(3)]
    pids = {process.stdout.readline().strip() for process in processes if process.stdout}
    assert pids == {str(server.pid)}


def test_ends_with_its_process(
    folder: Path, make_server: MakeServer, run_python: RunPython
) -> None:
    server = make_server(folder / "home")
    run_python(START_AND_TELL, folder / "home", "end").communicate()
    assert has_ended(server)


def test_a_forked_child_does_not_stop_it(folder: Path, make_server: MakeServer) -> None:
    with make_server(folder / "home") as server:
        child = os.fork()
        if child == 0:
            server.stop()
            os._exit(0)
        os.waitpid(child, 0)
        assert server.running


def test_a_stale_pid_harms_nobody(folder: Path, make_server: MakeServer) -> None:
    server = make_server(folder / "home").start()
    pid_file = server.home / "data" / "postmaster.pid"
    content, pid = pid_file.read_text(), server.pid
    assert pid is not None
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as bystander:
        os.kill(pid, signal.SIGKILL)
        pid_file.write_text(content.replace(str(pid), str(bystander.pid), 1))
        other = make_server(folder / "home")
        assert not other.running
        with other:
            assert other.pid not in (None, pid, bystander.pid)
        assert bystander.poll() is None
        bystander.kill()


PATHS = [
    "two words",
    "it's \"quoted\" \\ and 'so'",
    "one,two",
    "año-été-日本",
    "100% +a@b:c#d?e&f=g;$HOME",
    "x" * 160,
    "bytes-\udcff",
]


def test_any_path_works_and_the_folder_can_be_moved(folder: Path, make_server: MakeServer) -> None:
    make_server(folder / "first").start().stop()
    apart = []
    for before, name in pairwise(["first", *PATHS]):
        (folder / before).rename(folder / name)
        with make_server(folder / name) as server:
            with psycopg.connect(server.url()) as connection:
                listening = connection.execute("SHOW unix_socket_directories").fetchone()
            engine = sqlalchemy.create_engine(server.url())
            with engine.connect() as session:
                assert session.scalar(sqlalchemy.text("SELECT current_database()")) == "postgres"
            engine.dispose()
        assert listening is not None
        socket_folder = Path(listening[0].strip('"'))
        if socket_folder.name.startswith("pg-"):
            apart.append(name)
            assert not socket_folder.exists()  # made for the socket alone, it goes with the server
    assert {"one,two", "x" * 160, "bytes-\udcff"} <= set(apart)
