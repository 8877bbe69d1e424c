"""The rows that the product stored, written to files in batches for the floor to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg

from tests.benchmarks.precomputed import PER_ENTITY, activity_id, entity_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Activities in a batch, as the product loads them.
BATCH = 250

#: The tables, parents first, each with the column that tells whose a row is.
_TABLES = {
    "warehouse.entities": "id",
    "warehouse.entity_social_media": "entity_id",
    "sync.activity_ledger": "activity_id",
    "warehouse.activities": "id",
    "warehouse.requirements": "activity_id",
    "warehouse.requirement_items": "activity_id",
    "warehouse.accepted_items": "activity_id",
    "warehouse.timeline_events": "activity_id",
    "landing.activity_details": "activity_id",
    "landing.activity_list_rows": "activity_id",
    "sync.run_changes": "activity_id",
    "analytics.activities": "activity_id",
    "analytics.status_changes": "activity_id",
    "analytics.requirements": "activity_id",
    "analytics.items": "activity_id",
}


def save(database: str, folder: Path, number: int) -> None:
    """Write what a warehouse holds of activities 0 to ``number`` into files."""
    with psycopg.connect(database) as session:
        _save(session, "sync.runs", "true", folder / "0" / "00-sync.runs")
        for place, (table, key) in enumerate(_TABLES.items(), start=1):
            for batch, begin in enumerate(range(0, number, BATCH)):
                numbers = range(begin, min(begin + BATCH, number))
                if "entit" in table:
                    ids = [entity_id(who) for who in sorted({n // PER_ENTITY for n in numbers})]
                else:
                    ids = [activity_id(each) for each in numbers]
                which = f"{key} = any('{{{','.join(ids)}}}')"
                _save(session, table, which, folder / str(batch) / f"{place:02}-{table}")


def _save(session: psycopg.Connection, table: str, which: str, target: Path) -> None:
    columns = ", ".join(columns_of(session, table))
    target.parent.mkdir(parents=True, exist_ok=True)
    query = f"copy (select {columns} from {table} where {which} order by 1, 2) to stdout"
    with target.open("wb") as file, session.cursor().copy(query.encode()) as copy:
        file.write(columns.encode() + b"\n")
        for piece in copy:
            file.write(piece)


def columns_of(session: psycopg.Connection, table: str) -> dict[str, str]:
    """Return the type of each column that can be written."""
    found = session.execute(
        "select quote_ident(attname), atttypid::regtype::text from pg_attribute"
        " where attrelid = %s::regclass and attnum > 0 and not attisdropped and attgenerated = ''"
        " order by attnum",
        (table,),
    )
    return dict(found.fetchall())


def batch_files(folder: Path, batch: int) -> Iterator[tuple[str, str, bytes]]:
    """Yield table, columns and rows, as COPY wants them, of one batch."""
    for file in sorted((folder / str(batch)).iterdir()):
        columns, _, rows = file.read_bytes().partition(b"\n")
        yield file.name.split("-", 1)[1], columns.decode(), rows
