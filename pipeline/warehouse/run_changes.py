"""What a run changed, by activity: new, changed (and in which fields), gone, returned or quarantined.

Stored in ``sync.run_changes``.
"""

from collections.abc import Mapping, Sequence
from datetime import date

import sqlalchemy as sa
from psycopg.rows import tuple_row
from psycopg.types.json import Jsonb

from pipeline.warehouse.engine import Session, fetch
from pipeline.warehouse.sql import statement

Change = tuple[str, str, list[str] | None]
"""``(activity id, change, fields)``."""


def record(
    session: Session,
    run_id: str,
    changes: Sequence[tuple[str, str]],
    fields: Mapping[str, list[str]],
) -> None:
    """Store the changes of a batch; a change that is stored already counts once.

    ``changes``: activity and change; ``fields``: by activity, the top-level fields that changed.
    """
    rows = [
        {"activity_id": name, "change": change, "fields": fields.get(name)}
        for name, change in changes
    ]
    if rows:
        session.execute(statement("load/run_changes"), {"run_id": run_id, "changes": Jsonb(rows)})


def of_run(engine: sa.Engine, run_id: str) -> list[Change]:
    """Return the first 1,000 changes of a run, by kind and id."""
    query = (
        "select activity_id, change, fields from sync.run_changes where run_id = %s"
        " order by change, activity_id limit 1000"
    )
    return fetch(engine, tuple_row, query, (run_id,))


def by_day(engine: sa.Engine, run_id: str) -> dict[date, tuple[int, int]]:
    """Return how many activities of each day a run found new and changed."""
    rows = fetch(engine, tuple_row, statement("load/run_changed_days"), {"run_id": run_id})
    return {day: (new, changed) for day, new, changed in rows}
