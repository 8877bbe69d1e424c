"""Coverage: for each day, how much the service lists and how much is stored (``sync.coverage``)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row, tuple_row

from pipeline.warehouse.engine import execute, fetch, in_transaction
from pipeline.warehouse.sql import id_array, statement


@dataclass(frozen=True)
class DayCoverage:
    """One row of ``sync.coverage``."""

    day: date
    listed: int
    stored: int
    quarantined: int
    gone: int
    verified_at: datetime | None
    unverified: str | None
    listed_digest: bytes

    @property
    def complete(self) -> bool:
        """Whether the day is verified and its counts add up (docs/warehouse.md 7)."""
        return (
            self.verified_at is not None
            and self.unverified is None
            and self.listed == self.stored + self.quarantined
        )

    @property
    def problem(self) -> str | None:
        """Why the day is not complete, or holds quarantined rows, in one line; None if neither."""
        if self.unverified is not None:
            return f"unverified: {self.unverified}"
        if self.verified_at is None:
            return "never verified"
        missing = self.listed - self.stored - self.quarantined
        if missing:
            return f"{self.listed} listed, {self.stored} stored, {self.quarantined} in quarantine"
        return f"{self.quarantined} in quarantine" if self.quarantined else None


@dataclass(frozen=True)
class WalkedDay:
    """What a walk found for one day. ``verified_at`` is None exactly when ``unverified`` says why."""

    day: date
    listed: int
    listed_digest: bytes
    verified_at: datetime | None
    unverified: str | None


_SELECT = f"select {', '.join(column.name for column in fields(DayCoverage))} from sync.coverage"
_INCOMPLETE = "(verified_at is null or unverified is not null or listed <> stored + quarantined)"


def between(engine: sa.Engine, first: date, last: date) -> dict[date, DayCoverage]:
    """Return the covered days from ``first`` to ``last``, both included, oldest first."""
    query = f"{_SELECT} where day between %s and %s order by day"
    return {row.day: row for row in fetch(engine, class_row(DayCoverage), query, (first, last))}


def incomplete(engine: sa.Engine, before: date = date.max) -> list[DayCoverage]:
    """Return the walked days before ``before`` that are not complete, newest first."""
    query = f"{_SELECT} where day < %s and {_INCOMPLETE} order by day desc"
    return fetch(engine, class_row(DayCoverage), query, (before,))


def newest_day(engine: sa.Engine) -> date | None:
    """Return the newest day ever walked; None if no day was."""
    days: list[date | None] = fetch(engine, scalar_row, "select max(day) from sync.coverage")
    return days[0]


def recorded_days(engine: sa.Engine, subjects: Sequence[str]) -> dict[str, date]:
    """Return the stored day of each of these subjects, as far as the warehouse knows them."""
    return dict(
        fetch(engine, tuple_row, statement("load/recorded_days"), {"subjects": list(subjects)})
    )


def mark_unlisted(
    engine: sa.Engine,
    days: Sequence[date],
    ids: Sequence[str],
    subjects: Sequence[str],
    at: datetime,
) -> list[tuple[str, date]]:
    """Mark activities of ``days`` that verified walks no longer list; return their ids and days.

    ``ids``: all activities that the walks list. ``subjects``: those, and the list rows without an id.
    Malformed list rows that are no longer listed are resolved.
    """

    # One transaction: a run that is killed in between leaves the days as they were.
    def work(session: psycopg.Connection[Any]) -> list[tuple[str, date]]:
        missing = session.execute(
            statement("load/unlisted"), {"ids": id_array(ids), "days": list(days), "at": at}
        ).fetchall()
        session.execute(
            statement("load/list_row_gone"),
            {"days": list(days), "subjects": id_array(subjects), "at": at},
        )
        return missing

    return in_transaction(engine, work)


def account(engine: sa.Engine, run_id: str, days: Sequence[WalkedDay]) -> None:
    """Write the coverage of walked days; ``stored`` and the rest are counted from the tables."""
    # The walk says what is listed. What is stored is counted by the statement, in the tables.
    if days:
        names = [column.name for column in fields(WalkedDay)]
        columns = {name: [getattr(each, name) for each in days] for name in names}
        execute(engine, statement("load/coverage"), {**columns, "run_id": run_id})


def recount(engine: sa.Engine, days: Sequence[date]) -> None:
    """Count again what the tables hold of ``days``; write only the days whose counts changed."""
    if days:
        execute(engine, statement("load/recount"), {"days": sorted(set(days))})
