"""Rules of the stored data that no constraint can express, and the rows that break them."""

from dataclasses import dataclass

import sqlalchemy as sa
from psycopg.rows import tuple_row

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import statement


@dataclass(frozen=True)
class Invariant:
    """A rule for a table. ``sql/checks/<name>.sql`` selects the rows that break it, as one text column."""

    name: str
    table: str
    promise: str
    remedy: str


_LOOK = "the service sent it like that: see landing.activity_details"

INVARIANTS = (
    Invariant(
        "newest_day_fresh",
        "activities",
        "The newest complete day is no older than two days.",
        "run the nightly job (pipeline sync); analytics.freshness shows where coverage ends",
    ),
    Invariant(
        "no_unknown_values",
        "activities",
        "No code or field was first seen within the last week.",
        "look in sync.unknown_values; add a label to analytics.codes if the code is valid",
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
    """Return the number of rows that break the rule, and up to five examples."""
    rows = fetch(engine, tuple_row, statement(f"checks/{invariant.name}"))
    return len(rows), [str(row[0]) for row in rows[:5]]
