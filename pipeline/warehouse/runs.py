"""The history of runs: one row of ``sync.runs`` each."""

from collections.abc import Mapping
from contextlib import suppress
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


class LiveRun:
    """A run under way: its row in ``sync.runs``, and a lock that PostgreSQL drops when its process dies."""

    def __init__(self, engine: sa.Engine, run_id: str) -> None:
        self._engine = engine
        self._run_id = run_id
        # A connection of its own: a run that is never finished must not use up the pool.
        self._lock = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._lock.detach()
        call = sa.text("select pg_try_advisory_lock(hashtextextended(:run_id, :locks))")
        self._lock.execute(call, {"run_id": run_id, "locks": _LOCKS})

    def finish(self, status: str, error: str | None, counts: Mapping[str, int]) -> None:
        """Record how the run ended. ``counts``: any of ``COUNTS``. Raises a ``WarehouseError``."""
        names = ["status", "error", *(name for name in COUNTS if name in counts)]
        assignments = SQL(", ").join(
            SQL("{} = {}").format(Identifier(name), Placeholder(name)) for name in names
        )
        statement = SQL(
            "update sync.runs set finished_at = now(), {} where run_id = %(run_id)s"
        ).format(assignments)
        values = {"status": status, "error": error, "run_id": self._run_id, **counts}
        try:
            in_transaction(
                self._engine, lambda session: session.execute(statement, values).rowcount
            )
        finally:
            with suppress(DBAPIError):
                self._lock.close()


def start(
    engine: sa.Engine, run_id: str, kind: str, window_from: date | None, window_to: date | None
) -> LiveRun:
    """Record that a run begins, and of runs that died before they could say so that they failed.

    A run resumed under its old id begins anew. Raises a ``WarehouseError``.
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
        live = LiveRun(engine, run_id)
    except DBAPIError as error:
        raise explain(error, engine.url) from None
    in_transaction(engine, work)
    return live


def pace(engine: sa.Engine) -> float | None:
    """Return how many requests a second the latest runs sent; None: too few yet to tell."""

    def work(session: psycopg.Connection[Any]) -> float | None:
        row = session.execute(load_statement("runs_pace")).fetchone()
        return row[0] if row is not None else None

    return in_transaction(engine, work)


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
