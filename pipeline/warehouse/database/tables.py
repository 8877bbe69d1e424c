"""Counts of rows, for people to read."""

import sqlalchemy as sa

from pipeline.warehouse.database.engine import Session, in_transaction

TABLES = (
    "warehouse.entities",
    "warehouse.entity_social_media",
    "warehouse.activities",
    "warehouse.requirements",
    "warehouse.requirement_items",
    "warehouse.accepted_items",
    "warehouse.kept_decisions",
    "warehouse.timeline_events",
)
"""The tables of the warehouse contract, parents first."""

COUNTED = 200_000
"""Tables larger than this many rows, by PostgreSQL's estimate, are not counted: the estimate is used."""


def count_rows(engine: sa.Engine) -> dict[str, int]:
    """Return the number of rows of each of `TABLES`. For a large table it is PostgreSQL's estimate."""
    return in_transaction(
        engine, lambda session: {table: count(session, table) for table in TABLES}
    )


def count(session: Session, table: str) -> int:
    """Return the number of rows of a table. For a large one it is PostgreSQL's estimate."""
    ((number,),) = session.execute(
        "select reltuples::bigint from pg_class where oid = %s::regclass", (table,)
    ).fetchall()
    if number <= COUNTED:
        ((number,),) = session.execute(f"select count(*) from {table}").fetchall()
    return int(number)
