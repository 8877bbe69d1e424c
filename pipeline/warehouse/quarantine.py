"""The quarantine: what could not be had or stored, its attempts, and its end."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.rows import Failure
from pipeline.warehouse.sql import load_statement


@dataclass(frozen=True)
class Entry:
    """One row of ``sync.quarantine``, without its payload."""

    id: int
    activity_id: str | None
    source: str
    subject: str
    reason: str
    attempts: int
    first_seen_at: datetime
    last_seen_at: datetime
    next_attempt_at: datetime
    resolved_at: datetime | None


_COLUMNS = (
    "id, activity_id, source, subject, reason, attempts,"
    " first_seen_at, last_seen_at, next_attempt_at, resolved_at"
)


def record(session: psycopg.Connection[Any], failures: Iterable[Failure]) -> None:
    """Open an entry for each failure, or count an attempt of the open one."""
    statement = load_statement("quarantine")
    for failure in failures:
        session.execute(
            statement,
            {
                "activity_id": failure.activity_id,
                "source": failure.source,
                "subject": failure.subject,
                "day": failure.day,
                "day_guessed": failure.day_guessed,
                "reason": failure.reason,
                "payload": failure.payload,
                "at": failure.at,
            },
        )


def resolve(
    session: psycopg.Connection[Any], successes: dict[str, list[tuple[str, datetime]]]
) -> list[str]:
    """Close the open entries of subjects that were had after they last failed; return these.

    ``successes``: by source the subjects, each with when it was had.
    """
    closed: list[str] = []
    if not _any_open(session):  # nearly always
        return closed
    for source, had in successes.items():
        if had:
            found = session.execute(
                "update sync.quarantine as entry set resolved_at = now()"
                " from unnest(%s::text[], %s::timestamptz[]) as had (subject, at)"
                " where entry.source = %s and entry.subject = had.subject"
                " and entry.resolved_at is null and entry.last_seen_at <= had.at"
                " returning entry.subject",
                ([subject for subject, _ in had], [at for _, at in had], source),
            )
            closed += [name for (name,) in found]
    return closed


def _any_open(session: psycopg.Connection[Any]) -> bool:
    row = session.execute(
        "select exists (select from sync.quarantine where resolved_at is null)"
    ).fetchone()
    return row is not None and row[0]


def open_entries(engine: sa.Engine, limit: int = 1000) -> list[Entry]:
    """Return the open entries, oldest first."""
    return in_transaction(
        engine,
        lambda session: [
            Entry(*row)
            for row in session.execute(
                f"select {_COLUMNS} from sync.quarantine"
                " where resolved_at is null order by id limit %s",
                (limit,),
            )
        ],
    )


def count_open(engine: sa.Engine) -> int:
    """Return how many entries are open."""

    def read(session: psycopg.Connection[Any]) -> int:
        row = session.execute(
            "select count(*) from sync.quarantine where resolved_at is null"
        ).fetchone()
        return row[0] if row is not None else 0

    return in_transaction(engine, read)


def find(engine: sa.Engine, number: int) -> tuple[Entry, bytes | None] | None:
    """Return the entry with that number and its payload, or None."""

    def read(session: psycopg.Connection[Any]) -> tuple[Entry, bytes | None] | None:
        row = session.execute(
            f"select {_COLUMNS}, payload from sync.quarantine where id = %s",
            (number,),
        ).fetchone()
        return None if row is None else (Entry(*row[:-1]), row[-1])

    return in_transaction(engine, read)


def make_due(engine: sa.Engine, numbers: list[int] | None) -> int:
    """Let the next run try these open entries (None: all) again; return how many there are."""
    return in_transaction(
        engine,
        lambda session: (
            session.execute(
                "update sync.quarantine set next_attempt_at = now()"
                " where resolved_at is null and (%(ids)s::bigint[] is null or id = any(%(ids)s))",
                {"ids": numbers},
            ).rowcount
        ),
    )
