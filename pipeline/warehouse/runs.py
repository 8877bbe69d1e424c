"""The history of runs: one row of ``sync.runs`` for each.

A run is in one of four states:

=============  ==================================================================================
state          next
=============  ==================================================================================
running        `LiveRun.finish` sets one of the other three; a run that finds this one dead: failed
complete       running, when Dagster starts the same run id once more
incomplete     the same; ``error`` names what is quarantined or unverified
failed         the same; ``error`` says why
=============  ==================================================================================
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from importlib.metadata import version

import sqlalchemy as sa
from psycopg.rows import dict_row, scalar_row
from sqlalchemy.exc import DBAPIError

from pipeline.warehouse.engine import Rows, execute, fetch, hold_lock
from pipeline.warehouse.sql import statement

_LOCKS = 0x72756E73
"""Seed of the advisory locks that living runs hold; no other lock of ours uses it."""


COUNTS = (
    *("listed", "new", "changed", "unchanged", "gone", "quarantined", "healed", "pruned", "erased"),
    *("requests", "retries", "logins", "bytes_received"),
)
"""The counting columns of ``sync.runs``."""


class LiveRun:
    """A run under way: its row in ``sync.runs``, and an advisory lock that proves it is alive."""

    def __init__(self, engine: sa.Engine, run_id: str) -> None:
        self._engine = engine
        self._run_id = run_id
        # A process that dies drops the lock, so the next run sees which runs are dead.
        call = "select pg_try_advisory_lock(hashtextextended(:run_id, :locks))"
        self._lock = hold_lock(engine, call, {"run_id": run_id, "locks": _LOCKS})

    def finish(self, status: str, error: str | None, counts: Mapping[str, int]) -> None:
        """Record how the run ended. ``counts``: by the names of ``COUNTS``, 0 where one is missing.

        Raises a ``WarehouseError``.
        """
        values = {"status": status, "error": error, **dict.fromkeys(COUNTS, 0), **counts}
        columns = ", ".join(f"{name} = %({name})s" for name in values)
        query = f"update sync.runs set finished_at = now(), {columns} where run_id = %(run_id)s"
        try:
            execute(self._engine, query, {**values, "run_id": self._run_id})
        finally:
            with suppress(DBAPIError):
                self._lock.close()


def start(
    engine: sa.Engine, run_id: str, kind: str, window_from: date | None, window_to: date | None
) -> LiveRun:
    """Record that a run begins, and mark runs whose process died as failed.

    A run id that is used again starts over. Raises a ``WarehouseError``.
    """
    parameters = {
        "run_id": run_id,
        "kind": kind,
        "window_from": window_from,
        "window_to": window_to,
        "locks": _LOCKS,
        "package_version": version("activity-warehouse"),
    }
    # The lock comes before the row: no other run may see a running row without its lock.
    live = LiveRun(engine, run_id)
    execute(engine, statement("load/run_begins"), parameters)
    return live


def pace(engine: sa.Engine) -> float | None:
    """Return how many requests a second the latest runs sent; None if there were too few."""
    found: list[float | None] = fetch(engine, scalar_row, statement("load/runs_pace"))
    return found[0]


def recent(engine: sa.Engine) -> Rows:
    """Return the newest 20 runs, newest first."""
    return fetch(engine, dict_row, "select * from sync.runs order by started_at desc limit 20")


def find(engine: sa.Engine, run_id: str) -> Rows:
    """Return the runs whose id begins with ``run_id``, oldest first."""
    query = "select * from sync.runs where starts_with(run_id, %s) order by started_at"
    return fetch(engine, dict_row, query, (run_id,))
