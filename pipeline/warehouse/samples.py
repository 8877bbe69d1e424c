"""Activities picked to try something on."""

from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import load_statement


def sample_activity(engine: sa.Engine, zone: str) -> tuple[str, datetime] | None:
    """Return id and creation of a listed activity; best one whose day in ``zone`` isn't that in UTC.

    None: the warehouse holds none.
    """

    def read(session: psycopg.Connection[Any]) -> tuple[str, datetime] | None:
        return session.execute(load_statement("sample_activity"), {"zone": zone}).fetchone()

    return in_transaction(engine, read)
