"""The history of runs: one row of ``sync.runs`` each."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.sql import SQL, Identifier, Placeholder
from sqlalchemy.exc import DBAPIError

from pipeline.warehouse.engine import explain, in_transaction
from pipeline.warehouse.sql import load_statement

_LOCKS = 0x72756E73
"""Seed of the advisory locks that tell living runs: no other lock of ours has it."""

COUNTS = (
    "listed",
    "new",
    "changed",
    "unchanged",
    "gone",
    "quarantined",
    "requests",
    "retries",
    "logins",
    "bytes_received",
)
"""The counting columns of ``sync.runs``."""


@dataclass(frozen=True)
class RunRow:
    """One row of ``sync.runs``."""

    run_id: str
    kind: str
    window_from: date | None
    window_to: date | None
    started_at: datetime
    finished_at: datetime | None
    status: str
    error: str | None
    listed: int
    new: int
    changed: int
    unchanged: int
    gone: int
    quarantined: int
    requests: int
    retries: int
    logins: int
    bytes_received: int


_SELECT = (
    "select run_id, kind, window_from, window_to, started_at, finished_at, status, error, "
    + ", ".join(COUNTS)
    + " from sync.runs"
)


class Alive:
    """The sign that a run's process lives: a lock that PostgreSQL lets go of when it dies."""

    def __init__(self, engine: sa.Engine, run_id: str) -> None:
        self.run_id = run_id
        options = {"isolation_level": "AUTOCOMMIT"}
        self._connection = engine.connect().execution_options(**options)
        self._lock("pg_advisory_lock")

    def release(self) -> None:
        """Let go of it, as the run has ended in order."""
        try:
            self._lock("pg_advisory_unlock")
        except DBAPIError:  # the server has let go of it by itself, with the connection
            self._connection.invalidate()
        self._connection.close()

    def _lock(self, function: str) -> None:
        call = f"select {function}(hashtextextended(:run_id, {_LOCKS}))"
        self._connection.execute(sa.text(call), {"run_id": self.run_id})


def start(
    engine: sa.Engine, run_id: str, kind: str, window_from: date | None, window_to: date | None
) -> Alive:
    """Record that a run begins, and of runs whose process died that they failed.

    A run resumed under its old id begins anew. Returns what `finish` wants. Raises a ``WarehouseError``.
    """
    parameters = {
        "run_id": run_id,
        "kind": kind,
        "window_from": window_from,
        "window_to": window_to,
        "locks": _LOCKS,
    }

    def work(session: psycopg.Connection[Any]) -> None:
        session.execute(load_statement("runs_dead"), parameters)
        session.execute(load_statement("run_begins"), parameters)

    try:
        alive = Alive(engine, run_id)
    except DBAPIError as error:
        raise explain(error, engine.url) from None
    in_transaction(engine, work)
    return alive


def finish(
    engine: sa.Engine, alive: Alive, status: str, error: str | None, counts: Mapping[str, int]
) -> None:
    """Record how a run ended. ``counts``: any of ``COUNTS``. Raises a ``WarehouseError``."""
    names = ["status", "error", *(name for name in COUNTS if name in counts)]
    assignments = SQL(", ").join(
        SQL("{} = {}").format(Identifier(name), Placeholder(name)) for name in names
    )
    statement = SQL(
        "update sync.runs set finished_at = now(), {} where run_id = %(run_id)s"
    ).format(assignments)
    parameters = {"status": status, "error": error, "run_id": alive.run_id, **counts}
    try:
        in_transaction(engine, lambda session: session.execute(statement, parameters).rowcount)
    finally:
        alive.release()


def recent(engine: sa.Engine, limit: int = 20) -> list[RunRow]:
    """Return the newest runs, newest first."""
    return in_transaction(
        engine,
        lambda session: [
            RunRow(*row)
            for row in session.execute(f"{_SELECT} order by started_at desc limit %s", (limit,))
        ],
    )


def find(engine: sa.Engine, run_id: str) -> list[RunRow]:
    """Return the runs whose id begins with ``run_id``, oldest first."""
    return in_transaction(
        engine,
        lambda session: [
            RunRow(*row)
            for row in session.execute(
                f"{_SELECT} where starts_with(run_id, %s) order by started_at", (run_id,)
            )
        ],
    )
