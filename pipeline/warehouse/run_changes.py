"""What a run changed, by activity: new, changed (and in which fields), gone, returned or quarantined.

Stored in ``sync.run_changes``.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import tuple_row

from pipeline.warehouse.copying import copy_rows, stage_rows
from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import statement

Change = tuple[str, str, list[str] | None]
"""``(activity id, change, fields)``."""

_COLUMNS = ("run_id", "activity_id", "change", "fields", "recorded_at")


def record(
    session: psycopg.Connection[Any],
    run_id: str,
    changes: Sequence[tuple[str, str]],
    fields: Mapping[str, list[str]],
) -> None:
    """Store the changes of a batch; a change that is stored already counts once.

    ``changes``: activity and change; ``fields``: by activity, the top-level fields that changed.
    """
    if not changes:
        return
    now = datetime.now().astimezone()
    rows = (
        (run_id, name, change, fields.get(name) if change == "changed" else None, now)
        for name, change in changes
    )
    stage_rows(session, "sync.run_changes", _COLUMNS, rows)
    names = ", ".join(_COLUMNS)
    session.execute(
        f"insert into sync.run_changes ({names}) select {names} from stage_run_changes"
        " on conflict do nothing"
    )


def record_new(session: psycopg.Connection[Any], run_id: str, names: Sequence[str]) -> None:
    """Store that activities are new which no run has seen before."""
    if not names:
        return
    # Nothing can be stored of them yet, so they go straight into the table.
    now = datetime.now().astimezone()
    rows = ((run_id, name, "new", None, now) for name in names)
    copy_rows(session, "sync.run_changes", _COLUMNS, rows)


def of_run(engine: sa.Engine, run_id: str, limit: int = 1000) -> list[Change]:
    """Return the changes of a run, by kind and id."""
    query = (
        "select activity_id, change, fields from sync.run_changes where run_id = %s"
        " order by change, activity_id limit %s"
    )
    return fetch(engine, tuple_row, query, (run_id, limit))


def counted(engine: sa.Engine, run_id: str) -> list[tuple[str, str | None, int]]:
    """Return ``(change, field, activities)`` of a run, most first; an activity counts in each field."""
    query = statement("load/run_changed_fields")
    return fetch(engine, tuple_row, query, {"run_id": run_id})


def by_day(engine: sa.Engine, run_id: str) -> dict[date, tuple[int, int]]:
    """Return how many activities of each day a run found new and changed."""
    rows = fetch(engine, tuple_row, statement("load/run_changed_days"), {"run_id": run_id})
    return {day: (new, changed) for day, new, changed in rows}
