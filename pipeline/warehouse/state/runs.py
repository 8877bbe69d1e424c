"""The history of runs: one row of ``sync.runs`` for each, and what it changed in ``sync.run_changes``.

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

from collections.abc import Collection, Mapping, Sequence
from datetime import date

import sqlalchemy as sa
from psycopg.rows import dict_row, scalar_row, tuple_row
from psycopg.types.json import Jsonb

from pipeline import __version__
from pipeline.warehouse.database.engine import Rows, Session, execute, fetch, hold_lock
from pipeline.warehouse.database.sql import statement

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
        call = "select pg_try_advisory_lock(hashtextextended(%(run_id)s, %(locks)s))"
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
        "package_version": __version__,
    }
    # The lock comes before the row: no other run may see a running row without its lock.
    live = LiveRun(engine, run_id)
    execute(engine, statement("load/run_begins"), parameters)
    return live


def recent(engine: sa.Engine) -> Rows:
    """Return the newest 20 runs, newest first."""
    return fetch(engine, dict_row, "select * from sync.runs order by started_at desc limit 20")


def find(engine: sa.Engine, run_id: str) -> Rows:
    """Return the runs whose id begins with ``run_id``, oldest first."""
    query = "select * from sync.runs where starts_with(run_id, %s) order by started_at"
    return fetch(engine, dict_row, query, (run_id,))


def shortened(engine: sa.Engine, run_ids: Sequence[str]) -> dict[str, str]:
    """Return for each run the shortest beginning, of 8 letters or more, that no other run has."""
    query = (
        "select distinct split_part(run_id, '/', 1) from sync.runs where left(run_id, 8) = any(%s)"
    )
    known = fetch(engine, scalar_row, query, ([run_id[:8] for run_id in run_ids],))
    short = {}
    for run_id in run_ids:
        whole = run_id.partition("/")[0]
        sizes = (
            n
            for n in range(8, len(whole))
            if sum(each.startswith(whole[:n]) for each in known) == 1
        )
        short[run_id] = whole[: next(sizes, None)]
    return short


def first_day_of_last_recent(engine: sa.Engine) -> date | None:
    """Return the oldest day that the last light run has read; None: there was none."""
    query = (
        "select window_from from sync.runs where kind = 'recent' and finished_at is not null"
        " and status <> 'failed' order by started_at desc limit 1"
    )
    return next(iter(fetch(engine, scalar_row, query)), None)


def newest_pace(engine: sa.Engine) -> float | None:
    """Return the requests a second of the newest run that sent 100 or more; None: there is none."""
    query = (
        "select (requests / extract(epoch from finished_at - started_at))::float8 from sync.runs"
        " where requests >= 100 and finished_at > started_at order by started_at desc limit 1"
    )
    return next(iter(fetch(engine, scalar_row, query)), None)


def set_first_day(engine: sa.Engine, run_id: str, day: date) -> None:
    """Record the oldest day that a light run has read."""
    execute(engine, "update sync.runs set window_from = %s where run_id = %s", (day, run_id))


def record_changes(session: Session, run_id: str, changes: Sequence[Mapping[str, object]]) -> None:
    """Store what a batch did: rows of ``sync.run_changes``; what is stored already counts once."""
    if changes:
        given = {"run_id": run_id, "changes": Jsonb(changes)}
        session.execute(statement("load/run_changes"), given)


def changes_of(engine: sa.Engine, run_id: str) -> list[tuple[str, str, list[str] | None]]:
    """Return the first 1,000 changes of a run, by kind and id: activity, change and fields."""
    query = (
        "select activity_id, change, fields from sync.run_changes where run_id = %s"
        " order by change, activity_id limit 1000"
    )
    return fetch(engine, tuple_row, query, (run_id,))


def changes_by_day(
    engine: sa.Engine, run_id: str, days: Collection[date] = ()
) -> dict[date, tuple[int, int]]:
    """Return how many activities of each day a run found new and changed.

    ``days``: only from the first to the last of these; none: of all days.
    """
    given = {"run_id": run_id, "first": min(days, default=None), "last": max(days, default=None)}
    rows = fetch(engine, tuple_row, statement("load/run_changed_days"), given)
    return {day: (new, changed) for day, new, changed in rows}
