"""What is due in older days, from the ledger and the quarantine (docs/design.md "Plan")."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row, tuple_row

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import statement


@dataclass(frozen=True)
class OpenDay:
    """A day with activities that are not final: how many, and how many of these are due anyway."""

    day: date
    open: int
    due: int


@dataclass(frozen=True)
class DueActivity:
    """One activity whose details are due. ``unlisted``: a verified walk no longer lists it."""

    activity_id: str
    day: date
    unlisted: bool


def open_days(
    engine: sa.Engine, before: date, now: datetime, stale_before: datetime
) -> list[OpenDay]:
    """Return the days before ``before`` that hold activities that are not final.

    ``now``: the service's time. ``stale_before``: activities last checked before it are due.
    """
    parameters = {"before": before, "now": now, "stale_before": stale_before}
    return fetch(engine, class_row(OpenDay), statement("load/open_days"), parameters)


def due_activities(
    engine: sa.Engine,
    before: date,
    now: datetime,
    stale_before: datetime,
    days: Sequence[date],
) -> list[DueActivity]:
    """Return the due activities before the day ``before``; of ``days``, all that are not final."""
    parameters = {"before": before, "now": now, "stale_before": stale_before, "days": list(days)}
    return fetch(engine, class_row(DueActivity), statement("load/due_activities"), parameters)


def held_entries(engine: sa.Engine) -> dict[tuple[str, str], datetime]:
    """Return the open quarantine entries: ``(source, subject)`` and the time of the next attempt."""
    query = "select source, subject, next_attempt_at from sync.quarantine where resolved_at is null"
    return {(source, subject): at for source, subject, at in fetch(engine, tuple_row, query)}


def malformed_days(engine: sa.Engine, before: date) -> list[date]:
    """Return the days before ``before`` with a malformed list row whose next attempt is due."""
    query = (
        "select distinct day from sync.quarantine where resolved_at is null"
        " and source = 'list' and next_attempt_at <= now() and day < %s order by day"
    )
    return fetch(engine, scalar_row, query, (before,))


def quarantined_before(engine: sa.Engine, day: date) -> int:
    """Return how many activities of days before ``day`` are in quarantine."""
    query = (
        "select count(distinct subject) from sync.quarantine where resolved_at is null and day < %s"
    )
    counts: list[int] = fetch(engine, scalar_row, query, (day,))
    return counts[0]
