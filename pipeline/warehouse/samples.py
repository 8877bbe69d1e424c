"""Activities picked to ask the service about them again."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import statement


def sample_activity(engine: sa.Engine, zone: str) -> tuple[str, datetime] | None:
    """Return id and creation of one listed activity; None if the warehouse holds none.

    Prefers an activity whose day in ``zone`` differs from its day in UTC: it shows which of the two
    the service uses.
    """
    found: list[Any] = fetch(engine, tuple_row, statement("load/sample_activity"), {"zone": zone})
    return found[0] if found else None


def sample_listed(engine: sa.Engine, sample: int) -> list[str]:
    """Return ``sample`` random ids of listed activities stored with details, or all there are."""
    return fetch(engine, scalar_row, statement("load/sample_listed"), {"sample": sample})
