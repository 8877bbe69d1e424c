"""The figures of ``pipeline report``: counts, codes and times from ``analytics``, nothing personal."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa
from psycopg.rows import dict_row

from pipeline.warehouse.database.engine import Rows, open_session
from pipeline.warehouse.database.sql import sql_files, statement


@dataclass(frozen=True)
class Figures:
    """The page's data for the days from ``first`` to ``last``.

    ``standing``: the one row of ``sql/report/standing``, as of now. ``rows``: the rows of the other files
    of ``sql/report`` by file name, with the columns that a table shows.
    """

    first: date
    last: date
    standing: dict[str, Any]
    rows: dict[str, Rows] = field(repr=False)


def read_figures(engine: sa.Engine, days: int) -> Figures | None:
    """Return the figures of the newest ``days`` days, all of one snapshot. None: no day was ever walked.

    Raises a ``WarehouseError``.
    """
    with open_session(engine) as session:
        session.execute("set transaction isolation level repeatable read, read only")
        cursor = session.cursor(row_factory=dict_row)
        (standing,) = cursor.execute(statement("report/standing").encode()).fetchall()
        last = standing["newest_day"]
        if last is None:
            return None
        first = max(last - timedelta(days=days - 1), standing["covered_from"])
        asked = {"first": first, "last": last}
        rows = {
            name: cursor.execute(text.encode(), asked).fetchall()
            for name, text in sql_files("report").items()
            if name != "standing"
        }
        return Figures(first, last, standing, rows)
