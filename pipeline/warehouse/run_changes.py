"""What a run changed, by activity: new, changed (and in which fields), gone, returned or quarantined.

Stored in ``sync.run_changes``.
"""

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse.copying import copy_rows, stage_rows
from pipeline.warehouse.engine import fetch
from pipeline.warehouse.rows import DetailsObservation
from pipeline.warehouse.sql import statement

Change = tuple[str, str, list[str] | None]
"""``(activity id, change, fields)``."""

_COLUMNS = ("run_id", "activity_id", "change", "fields", "recorded_at")


def describe(
    session: psycopg.Connection[Any],
    changes: Sequence[tuple[str, str]],
    details: Sequence[DetailsObservation],
) -> list[Change]:
    """Add to each ``changed`` the names of the top-level fields that differ from the stored version.

    Must be called before the new version is in ``landing``.
    """
    changed = [name for name, change in changes if change == "changed"]
    fields: dict[str, list[str] | None] = {}
    if changed:
        bodies = {each.activity_id: each.body for each in details}
        stored = session.execute(
            "select distinct on (activity_id) activity_id::text, body"
            " from landing.activity_details where activity_id = any(%s::uuid[])"
            " order by activity_id, first_seen_at desc",
            (changed,),
        )
        fields = {name: differing_fields(body, bodies[name]) for name, body in stored}
    return [
        (name, change, fields.get(name) if change == "changed" else None)
        for name, change in changes
    ]


def differing_fields(before: bytes, after: bytes) -> list[str] | None:
    """Return the sorted names of the top-level fields that differ; None when one can't be read."""
    try:
        old, new = (json.loads(body.decode("utf-8", "replace")) for body in (before, after))
    except (ValueError, RecursionError):
        return None
    if not isinstance(old, dict) or not isinstance(new, dict):
        return None
    missing = object()
    names = old.keys() | new.keys()
    return sorted(name for name in names if old.get(name, missing) != new.get(name, missing))


def record(session: psycopg.Connection[Any], run_id: str, changes: Sequence[Change]) -> None:
    """Store the changes of a batch; a change that is stored already counts once."""
    if not changes:
        return
    now = datetime.now().astimezone()
    rows = ((run_id, name, change, fields, now) for name, change, fields in changes)
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


def days(engine: sa.Engine, run_id: str) -> set[date]:
    """Return the days of the activities that a run changed."""
    query = statement("load/run_changed_days")
    return set(fetch(engine, scalar_row, query, {"run_id": run_id}))
