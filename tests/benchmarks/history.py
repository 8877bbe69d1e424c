"""Years before what was synced: the same activities again, moved back in time, written by SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg

from tests.support.precomputed import SPREAD

if TYPE_CHECKING:
    from collections.abc import Callable

#: The tables, each with how ids in a column move: by the numbers of activities or of counterparts.
_TABLES = (
    "warehouse.entities",
    "warehouse.entity_social_media",
    "warehouse.entity_scores",
    "warehouse.activities",
    "warehouse.requirements",
    "warehouse.requirement_items",
    "warehouse.accepted_items",
    "warehouse.timeline_events",
    "landing.activity_details",
    "landing.activity_list_rows",
    "sync.activity_ledger",
    "sync.days",
)

_COLUMNS = """
select attname::text, format_type(atttypid, null)
from pg_attribute
where attrelid = %s::regclass and attnum > 0 and not attisdropped and attgenerated = ''
order by attnum
"""

#: Whole indexes are built faster than they grow.
_INDEXES = """
select owner.relname::text, index.indexrelid::regclass::text, pg_get_indexdef(index.indexrelid)
from pg_index as index
inner join pg_class as owner on owner.oid = index.indrelid
where index.indrelid = %s::regclass and not index.indisunique
"""


def lengthen(
    database: str,
    *,
    activities: int,
    per_entity: int,
    days: int,
    times: int,
    told: Callable[[str], object],
) -> None:
    """Write what ``database`` holds again, ``times`` times, each ``days`` further back.

    It holds ``activities``, ``per_entity`` a counterpart; the URL is a superuser's. Numbers and days go
    back alike, and ids with them, so that the copies are what the stand-in would have served. Bodies
    are shortened.
    """
    with psycopg.connect(database, autocommit=True) as session:
        session.execute("set session_replication_role = replica")
        session.execute("set synchronous_commit = off")
        for table in _TABLES:
            indexes = session.execute(_INDEXES, (table,)).fetchall()
            for _, index, _ in indexes:
                session.execute(f"drop index {index}".encode())
            columns = session.execute(_COLUMNS, (table,)).fetchall()
            moved = ", ".join(
                _moved(table, name, kind, activities, per_entity, days) for name, kind in columns
            )
            names = ", ".join(f'"{name}"' for name, _ in columns)
            session.execute(
                f"insert into {table} ({names}) select {moved}"
                f" from {table} as stored cross join generate_series(1, {times}) as step"
                f" order by step desc, 1".encode()
            )
            for _, _, definition in indexes:
                session.execute(definition.encode())
            told(f"{table} lengthened")
        session.execute("vacuum analyze")


def _moved(table: str, name: str, kind: str, activities: int, per_entity: int, days: int) -> str:
    column = f'stored."{name}"'
    if kind == "uuid":
        of_entity = name in ("entity_id", "cifcode") or (
            table.endswith("entities") and name == "id"
        )
        numbers = activities // per_entity if of_entity else activities
        begin = f"('x' || left({column}::text, 8))::bit(32)::bigint"
        number = f"({begin} - step * {numbers * SPREAD}) & {2**32 - 1}"
        return f"(lpad(to_hex({number}), 8, '0') || substr({column}::text, 9))::uuid"
    if kind == "date":
        return f"{column} - step * {days}"
    if kind == "timestamp with time zone" and table != "sync.days":
        return f"{column} - step * interval '{days} days'"
    if name == "body":
        return f"substring({column} for 16)"
    return column
