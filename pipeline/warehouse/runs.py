"""The history of runs: one row of ``sync.runs`` each."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.sql import SQL, Identifier, Placeholder

from pipeline.warehouse.engine import in_transaction

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


def start(
    engine: sa.Engine, run_id: str, kind: str, window_from: date | None, window_to: date | None
) -> None:
    """Record that a run begins; a run resumed under its old id begins anew."""

    def work(session: psycopg.Connection[Any]) -> None:
        session.execute(
            "insert into sync.runs (run_id, kind, window_from, window_to, started_at)"
            " values (%s, %s, %s, %s, now()) on conflict (run_id) do update set"
            " started_at = now(), finished_at = null, status = 'running', error = null",
            (run_id, kind, window_from, window_to),
        )

    in_transaction(engine, work)


def finish(
    engine: sa.Engine, run_id: str, status: str, error: str | None, counts: Mapping[str, int]
) -> None:
    """Record how a run ended. ``counts``: any of ``COUNTS``."""
    names = [name for name in COUNTS if name in counts]
    assignments = SQL(", ").join(
        SQL("{} = {}").format(Identifier(name), Placeholder(name)) for name in names
    )
    statement = SQL(
        "update sync.runs set finished_at = now(), status = %(status)s, error = %(error)s, {}"
        " where run_id = %(run_id)s"
    ).format(assignments)
    parameters = {"status": status, "error": error, "run_id": run_id, **counts}
    in_transaction(engine, lambda session: session.execute(statement, parameters).rowcount)


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
