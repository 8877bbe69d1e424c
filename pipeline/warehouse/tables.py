"""Counting what the tables hold, for people to see."""

from datetime import date
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction

TABLES = (
    "warehouse.entities",
    "warehouse.entity_social_media",
    "warehouse.activities",
    "warehouse.requirements",
    "warehouse.requirement_items",
    "warehouse.accepted_items",
    "warehouse.timeline_events",
)
"""The tables of the warehouse contract, parents first."""

COUNTED = 200_000
"""Tables that PostgreSQL believes larger than this many rows are not counted, but estimated."""


def count_rows(engine: sa.Engine) -> dict[str, int]:
    """Return how many rows each of `TABLES` holds; a large table's number is PostgreSQL's estimate."""

    def work(session: psycopg.Connection[Any]) -> dict[str, int]:
        return {table: count(session, table) for table in TABLES}

    return in_transaction(engine, work)


def count(session: psycopg.Connection[Any], table: str) -> int:
    """Return how many rows a table holds; of a large one PostgreSQL's estimate."""
    estimate = session.execute(
        "select reltuples::bigint from pg_class where oid = %s::regclass", (table,)
    ).fetchone()
    if estimate is not None and estimate[0] > COUNTED:
        return int(estimate[0])
    exact = session.execute(f"select count(*) from {table}").fetchone()
    return int(exact[0]) if exact is not None else 0


def activities_by_day(engine: sa.Engine, first: date, last: date) -> list[tuple[date, str, int]]:
    """Return ``(day, status, number)`` of the activities of these days, by the ledger's days."""
    return in_transaction(
        engine,
        lambda session: session.execute(
            "select ledger.day, coalesce(activity.status, '(none)'), count(*)"
            " from sync.activity_ledger as ledger"
            " inner join warehouse.activities as activity on activity.id = ledger.activity_id"
            " where ledger.day between %s and %s group by 1, 2",
            (first, last),
        ).fetchall(),
    )
