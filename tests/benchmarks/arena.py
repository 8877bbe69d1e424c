"""Where contestants run: a PostgreSQL of its own, a folder, and a clock for both sides."""

from __future__ import annotations

import itertools
import os
import resource
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil
import psycopg

from pipeline.local import LocalPostgres
from pipeline.warehouse.schema.migrate import migrate
from tests.support.commands import CHECKOUT, make_project
from tests.support.postgres import discard, fresh_database, session_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.benchmarks.task import Task

#: As delivered, but for what would fall into one measurement and not into the next.
_SETTINGS = {"autovacuum": "off", "checkpoint_timeout": "1h", "max_wal_size": "4GB"}

_WRITTEN = """
select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint
from pg_stat_user_tables
where schemaname in ('warehouse', 'landing') or relname = 'activity_ledger'
"""

_OTHERS = """
select count(*) from pg_stat_activity
where backend_type = 'client backend' and pid <> pg_backend_pid()
"""


@dataclass(frozen=True)
class Cost:
    """What one run took, from the start of its process to its exit. Seconds, bytes, rows.

    ``cpu``: of the contestant's process. ``server_cpu``, ``wal``: PostgreSQL's. ``written``: rows written
    to tables of ``warehouse`` and ``landing``, and to the ledger.
    """

    seconds: float
    cpu: float
    peak: int
    server_cpu: float
    wal: int
    written: int


class Arena:
    """Makes databases and measures contestants in them."""

    def __init__(self, folder: Path, server: LocalPostgres) -> None:
        self.folder = folder
        self._server = server
        self._postmaster = psutil.Process(server.pid)
        self._numbers = itertools.count(1)
        make_project(folder / "project", {})

    def database(self, name: str) -> str:
        """Return the URL of a database."""
        return self._server.url(name)

    @contextmanager
    def fresh(self, template: str | None = "empty_warehouse") -> Iterator[str]:
        """Make a database, a migrated warehouse unless told otherwise; yield its URL; drop it."""
        with fresh_database(self._server, template) as name:
            yield self.database(name)

    def measure(self, contestant: str, task: Task) -> Cost:
        """Run a contestant in a process of its own. Raises RuntimeError when it fails."""
        peak = self.folder / "peak.txt"
        command = self._command(contestant, task, peak)
        with psycopg.connect(task.database, autocommit=True) as session:
            session.execute("checkpoint")
            rows, wal, cpu = self._rows(session), self._wal(session), self._cpu()
            began, before = time.monotonic(), children_cpu()
            self._run(command)
            seconds, used = time.monotonic() - began, children_cpu() - before
            cpu, wal = self._cpu() - cpu, self._wal(session) - wal
            rows = self._rows(session) - rows
        return Cost(seconds, used, int(peak.read_text()), cpu, wal, rows)

    def _command(self, contestant: str, task: Task, peak: Path) -> list[str]:
        file = self.folder / f"task-{next(self._numbers)}.json"
        task.write(file)
        return [
            sys.executable, "-m", "tests.benchmarks.contestant", contestant, str(file), str(peak)
        ]  # fmt: skip

    def _run(self, command: list[str]) -> None:
        ended = subprocess.run(
            command,
            env={**_clean_environment(), "HOME": str(self.folder), "PYTHONPATH": str(CHECKOUT)},
            cwd=CHECKOUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if ended.returncode:
            raise RuntimeError(f"{command} ended {ended.returncode}:\n{ended.stdout[-4000:]}")

    def _cpu(self) -> float:
        """Return the CPU seconds of all of PostgreSQL's processes, past and present."""
        while True:
            with suppress(psutil.NoSuchProcess):  # one ended just now: its time is its parent's
                each = [self._postmaster, *self._postmaster.children()]
                times = [process.cpu_times() for process in each]
                past = times[0].children_user + times[0].children_system
                return float(past + sum(spent.user + spent.system for spent in times))

    def _wal(self, session: psycopg.Connection) -> int:
        row = session.execute(
            "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"
        ).fetchone()
        return int(row[0]) if row else 0

    def _rows(self, session: psycopg.Connection) -> int:
        """Return how many rows were ever written, once everybody else has left and told so."""
        while (others := session.execute(_OTHERS).fetchone()) and others[0]:
            pass
        session.execute("select pg_stat_clear_snapshot()")
        row = session.execute(_WRITTEN).fetchone()
        return int(row[0]) if row else 0


def children_cpu() -> float:
    """Return the CPU seconds of all processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _clean_environment() -> dict[str, str]:
    kept = ("PATH", "LANG", "LC_ALL", "TMPDIR", "PIPELINE_POSTGRES_BIN")
    return {name: os.environ[name] for name in kept if name in os.environ}


@contextmanager
def arena(parent: Path | None = None) -> Iterator[Arena]:
    """Start a PostgreSQL with a migrated, empty warehouse to copy; take all of it away after.

    ``parent``: as in `session_folder`.
    """
    with session_folder(parent) as folder:
        server = LocalPostgres(folder / "server", settings=_SETTINGS)
        try:
            server.start()
            with psycopg.connect(server.url(), autocommit=True) as session:
                session.execute("create database empty_warehouse")
            migrate(server.url("empty_warehouse"))
            home = folder / "home"
            home.mkdir()
            yield Arena(home, server)
        finally:
            discard(server)
            shutil.rmtree(folder / "home", ignore_errors=True)
