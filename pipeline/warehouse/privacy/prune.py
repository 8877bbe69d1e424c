"""Removes what is too old to keep, in batches and for a bounded time (docs/design.md "Prune")."""

import time
from uuid import uuid4

import sqlalchemy as sa
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from pipeline.warehouse.database.engine import execute, fetch
from pipeline.warehouse.database.sql import statement

#: A night spends at most so long; the next one goes on.
_SECONDS = 60.0
_BATCH = 10_000
_LEAST, _MOST = f"{0:032x}", "f" * 32


def prune(engine: sa.Engine, days: int, versions: int | None) -> dict[str, int]:
    """Remove what is older than ``days``, and stored bodies beyond the newest ``versions``; None: none.

    Return how much of what was removed. Raises a ``WarehouseError``.
    """
    ends = time.monotonic() + _SECONDS
    removed = {
        "changes of old runs": _remove(engine, "run_changes", days, ends),
        "resolved quarantine entries": _remove(engine, "quarantine", days, ends),
    }
    if versions is not None:
        tables = ("activity_details", "activity_list_rows")
        removed["bodies"] = sum(_empty(engine, table, versions, ends) for table in tables)
    return removed


def _remove(engine: sa.Engine, name: str, days: int, ends: float) -> int:
    removed, batch = 0, _BATCH
    while batch == _BATCH and time.monotonic() < ends:
        given = {"days": days, "limit": _BATCH}
        removed += (batch := execute(engine, statement(f"prune/{name}"), given))
    return removed


def _empty(engine: sa.Engine, table: str, keep: int, ends: float) -> int:
    # It begins anywhere, so that every activity has its turn even if no night reaches all of them.
    begin, emptied = str(uuid4()), 0
    query = SQL(statement("prune/bodies")).format(table=Identifier("landing", table)).as_string()
    for first, last in ((begin, _MOST), (_LEAST, begin)):
        after: str | None = first
        while after is not None and time.monotonic() < ends:
            given = {"after": after, "last": last, "keep": keep, "limit": _BATCH}
            ((after, number),) = fetch(engine, tuple_row, query, given)
            emptied += number
    return emptied
