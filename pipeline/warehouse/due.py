"""What of older days is due, from the ledger (design, "Due")."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import load_statement


@dataclass(frozen=True)
class OpenDay:
    """A day with activities that are not final: how many, and how many of them are due anyway."""

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
    """Return the days before ``before`` that hold something not final.

    ``now``: the service's time; ``stale_before``: last checks before it are too old.
    """
    parameters = {"before": before, "now": now, "stale_before": stale_before}
    return in_transaction(
        engine,
        lambda session: [
            OpenDay(*row) for row in session.execute(load_statement("open_days"), parameters)
        ],
    )


def due_activities(
    engine: sa.Engine,
    before: date,
    now: datetime,
    stale_before: datetime,
    days: Sequence[date],
) -> list[DueActivity]:
    """Return what is due before the day ``before``; of ``days``, everything that is not final."""
    parameters = {"before": before, "now": now, "stale_before": stale_before, "days": list(days)}
    return in_transaction(
        engine,
        lambda session: [
            DueActivity(*row)
            for row in session.execute(load_statement("due_activities"), parameters)
        ],
    )


def held_entries(engine: sa.Engine) -> dict[tuple[str, str], datetime]:
    """Return the open quarantine entries: ``(source, subject)`` to the next attempt."""

    def read(session: psycopg.Connection[Any]) -> dict[tuple[str, str], datetime]:
        found = session.execute(
            "select source, subject, next_attempt_at from sync.quarantine where resolved_at is null"
        )
        return {(source, subject): at for source, subject, at in found}

    return in_transaction(engine, read)


def malformed_days(engine: sa.Engine, before: date) -> list[date]:
    """Return days before ``before`` with a malformed list row whose next attempt has come."""
    return in_transaction(
        engine,
        lambda session: [
            day
            for (day,) in session.execute(
                "select distinct day from sync.quarantine where resolved_at is null"
                " and source = 'list' and next_attempt_at <= now() and day < %s order by day",
                (before,),
            )
        ],
    )


def quarantined_before(engine: sa.Engine, day: date) -> int:
    """Return how many activities of days before ``day`` are in quarantine."""

    def read(session: psycopg.Connection[Any]) -> int:
        row = session.execute(
            "select count(distinct subject) from sync.quarantine"
            " where resolved_at is null and day < %s",
            (day,),
        ).fetchone()
        return int(row[0]) if row is not None else 0

    return in_transaction(engine, read)
