"""Coverage: per day what the service lists and what is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import id_array, load_statement


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
        """Whether the day is verified and adds up (warehouse contract, rule 7)."""
        return (
            self.verified_at is not None
            and self.unverified is None
            and self.listed == self.stored + self.quarantined
        )

    @property
    def problem(self) -> str | None:
        """What keeps the day from being complete and clean, in one line; None: nothing."""
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
    """What a walk found of one day. ``verified_at`` is None exactly when ``unverified`` says why."""

    day: date
    listed: int
    listed_digest: bytes
    verified_at: datetime | None
    unverified: str | None


_SELECT = (
    "select day, listed, stored, quarantined, gone, verified_at, unverified, listed_digest"
    " from sync.coverage"
)

_INCOMPLETE = "(verified_at is null or unverified is not null or listed <> stored + quarantined)"


def between(engine: sa.Engine, first: date, last: date) -> dict[date, DayCoverage]:
    """Return the covered days from ``first`` to ``last``, both included."""
    return in_transaction(
        engine,
        lambda session: {
            row[0]: DayCoverage(*row)
            for row in session.execute(
                f"{_SELECT} where day between %s and %s order by day", (first, last)
            )
        },
    )


def incomplete(engine: sa.Engine, before: date = date.max) -> list[DayCoverage]:
    """Return the walked days before ``before`` that are not complete, newest first."""
    return in_transaction(
        engine,
        lambda session: [
            DayCoverage(*row)
            for row in session.execute(
                f"{_SELECT} where day < %s and {_INCOMPLETE} order by day desc", (before,)
            )
        ],
    )


def newest_day(engine: sa.Engine) -> date | None:
    """Return the newest day ever walked; None: none yet."""

    def read(session: psycopg.Connection[Any]) -> date | None:
        row = session.execute("select max(day) from sync.coverage").fetchone()
        return row[0] if row else None

    return in_transaction(engine, read)


def recorded_days(engine: sa.Engine, subjects: Sequence[str]) -> dict[str, date]:
    """Return the day under which each of these subjects is recorded; where it can, as stored."""
    return in_transaction(
        engine,
        lambda session: dict(
            session.execute(
                load_statement("recorded_days"), {"subjects": list(subjects)}
            ).fetchall()
        ),
    )


def mark_unlisted(
    engine: sa.Engine,
    days: Sequence[date],
    ids: Sequence[str],
    subjects: Sequence[str],
    at: datetime,
) -> list[tuple[str, date]]:
    """Settle what verified walks of ``days`` no longer list; return ids newly missing, with days.

    ``ids``: all activities they list; ``subjects``: the same, and the list rows that name none.
    """

    def work(session: psycopg.Connection[Any]) -> list[tuple[str, date]]:
        missing = session.execute(
            load_statement("unlisted"), {"ids": id_array(ids), "days": list(days), "at": at}
        ).fetchall()
        session.execute(
            load_statement("list_row_gone"),
            {"days": list(days), "subjects": id_array(subjects), "at": at},
        )
        return missing

    return in_transaction(engine, work)


def account(engine: sa.Engine, run_id: str, days: Sequence[WalkedDay]) -> None:
    """Write the coverage of walked days; ``stored`` and the rest are counted from the tables."""
    if not days:
        return
    parameters = {
        "run_id": run_id,
        "days": [each.day for each in days],
        "listed": [each.listed for each in days],
        "verified_at": [each.verified_at for each in days],
        "unverified": [each.unverified for each in days],
        "listed_digest": [each.listed_digest for each in days],
    }
    in_transaction(
        engine, lambda session: session.execute(load_statement("coverage"), parameters).rowcount
    )


def recount(engine: sa.Engine, days: Sequence[date]) -> None:
    """Count days anew of which single activities were fetched."""
    if days:
        in_transaction(
            engine,
            lambda session: (
                session.execute(load_statement("recount"), {"days": sorted(set(days))}).rowcount
            ),
        )
