"""Rules of the stored data that no constraint can express: ``sql/checks``, one file each.

A file selects the rows that break its rule, as one text column. Its first lines say the table, the
promise and the remedy.
"""

from dataclasses import dataclass

import sqlalchemy as sa
from psycopg.rows import scalar_row

from pipeline.warehouse.database.engine import fetch
from pipeline.warehouse.database.sql import headers, sql_files


@dataclass(frozen=True)
class Invariant:
    """A rule for a table."""

    name: str
    text: str
    table: str
    promise: str
    remedy: str


INVARIANTS = [Invariant(name, text, **headers(text)) for name, text in sql_files("checks").items()]


def violations(engine: sa.Engine, invariant: Invariant) -> tuple[int, list[str]]:
    """Return the number of rows that break the rule, and up to five examples."""
    rows: list[str] = fetch(engine, scalar_row, invariant.text)
    return len(rows), rows[:5]
