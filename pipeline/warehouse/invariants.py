"""What holds of stored data beyond what constraints can say, and how to find where it does not."""

from dataclasses import dataclass
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import sql_root


@dataclass(frozen=True)
class Invariant:
    """One promise about a table; ``sql/checks/<name>.sql`` selects what breaks it, one text column."""

    name: str
    table: str
    promise: str
    remedy: str


_LOOK = "the service itself says so; see the activity's details in landing.activity_details"

INVARIANTS = (
    Invariant(
        "newest_day_fresh",
        "activities",
        "The newest complete day is no older than two days.",
        "run the nightly job; `select * from analytics.freshness` tells where coverage ends",
    ),
    Invariant(
        "no_unknown_values",
        "activities",
        "No code or field was first seen within the last week.",
        "see sync.unknown_values; add a label to analytics.codes if it is legitimate",
    ),
    Invariant(
        "timeline_ends_in_status",
        "timeline_events",
        "The last event of each timeline has the activity's status.",
        _LOOK,
    ),
    Invariant(
        "accepted_were_requested",
        "requirements",
        "Every accepted requirement was requested.",
        _LOOK,
    ),
    Invariant(
        "instants_in_order",
        "activities",
        "created_at <= attended_at <= completed_at.",
        _LOOK,
    ),
)


def violations(engine: sa.Engine, invariant: Invariant) -> tuple[int, list[str]]:
    """Return how many rows break the promise, and up to five examples."""
    text = (sql_root() / "checks" / f"{invariant.name}.sql").read_text(encoding="utf-8")

    def find(session: psycopg.Connection[Any]) -> tuple[int, list[str]]:
        rows = session.execute(text.encode()).fetchall()
        return len(rows), [str(row[0]) for row in rows[:5]]

    return in_transaction(engine, find)
