"""The figures of ``pipeline report``: counts, codes and times out of ``analytics``, nothing personal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import dict_row

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import report_statement

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Figures:
    """What the page shows of the days from ``first`` to ``last``; rows as ``sql/report`` names them.

    ``standing``: as of now, whatever the days. Times are in hours.
    """

    first: date
    last: date
    standing: Mapping[str, Any]
    outcomes: Mapping[str, Any]
    weeks: Rows = field(repr=False)
    decision_times: Rows = field(repr=False)
    requirement_outcomes: Rows = field(repr=False)
    days: Rows = field(repr=False)
    quarantine: Rows = field(repr=False)
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())


def read_figures(engine: sa.Engine, days: int) -> Figures | None:
    """Return the figures of the newest ``days`` days; None: no day was ever walked.

    All in one snapshot. Raises a ``WarehouseError``.
    """

    def work(session: psycopg.Connection[Any]) -> Figures | None:
        session.execute("set transaction isolation level repeatable read, read only")
        cursor = session.cursor(row_factory=dict_row)
        (standing,) = cursor.execute(report_statement("standing")).fetchall()
        last = standing["newest_day"]
        if last is None:
            return None
        first = max(last - timedelta(days=days - 1), standing["covered_from"])

        def read(name: str) -> Rows:
            parameters = {"first": first, "last": last}
            return cursor.execute(report_statement(name), parameters).fetchall()

        return Figures(
            first=first,
            last=last,
            standing=standing,
            outcomes=read("outcomes")[0],
            weeks=read("weeks"),
            decision_times=read("decision_times"),
            requirement_outcomes=read("requirement_outcomes"),
            days=read("days"),
            quarantine=read("quarantine"),
        )

    return in_transaction(engine, work)
