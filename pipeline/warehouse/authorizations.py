"""The outbox of Authorizations: written, looked at, and decided by people.

What only the one sender does is in `pipeline.warehouse.authorization_sender`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import load_statement

STATES = ("queued", "sending", "sent", "linked", "rejected", "unknown", "failed")
"""The states of a request; what each means says the column's comment."""

COLUMNS = (
    "id::text, reference, description, phone_country_code, phone_number, validity_time_unit,"
    " validity_amount, requirements, state, state_reason, requested_at, sent_at, answered_at,"
    " activity_id::text, attempts, candidates, next_look_at, source, digest"
)


@dataclass(frozen=True, repr=False)
class Row:
    """One row of ``warehouse.authorization_requests``. Its repr shows nothing personal."""

    id: str
    reference: str | None
    description: str
    phone_country_code: str
    phone_number: str
    validity_time_unit: str | None
    validity_amount: Decimal | None
    requirements: Any
    state: str
    state_reason: str | None
    requested_at: datetime
    sent_at: datetime | None
    answered_at: datetime | None
    activity_id: str | None
    attempts: int
    candidates: list[dict[str, str]]
    next_look_at: datetime | None
    source: str | None
    digest: bytes | None

    def __repr__(self) -> str:
        return f"Row({self.id}, {self.state})"


def read(
    session: psycopg.Connection[Any], condition: str, parameters: Mapping[str, Any]
) -> list[Row]:
    """Return the rows that meet a condition of our own, oldest first."""
    statement = (
        f"select {COLUMNS} from warehouse.authorization_requests as request"
        f" where {condition} order by coalesce(sent_at, requested_at), requested_at, id"
    )
    with session.cursor(row_factory=class_row(Row)) as cursor:
        return cursor.execute(statement.encode(), parameters).fetchall()


def labels(engine: sa.Engine) -> set[tuple[str, str]]:
    """Return what may be asked for and has a label: ``(kind, code)``."""
    return in_transaction(
        engine,
        lambda session: set(
            session.execute(
                "select kind, code from analytics.codes"
                " where kind in ('requirement', 'item', 'time_unit')"
            ).fetchall()
        ),
    )


def stored(engine: sa.Engine, references: Sequence[str], digests: Sequence[bytes]) -> list[Row]:
    """Return the rows with one of these references, or without one and with one of these digests."""
    condition = (
        "reference = any(%(references)s) or (reference is null and digest = any(%(digests)s))"
    )
    parameters = {"references": list(references), "digests": list(digests)}
    return in_transaction(engine, lambda session: read(session, condition, parameters))


def add(engine: sa.Engine, requests: Sequence[Mapping[str, Any]]) -> int:
    """Queue requests, all or none; return how many were not there yet.

    ``requests``: business columns, ``source``, and ``digest`` in hexadecimal.
    """
    return in_transaction(
        engine,
        lambda session: (
            session.execute(
                load_statement("authorization_add"), {"requests": Jsonb(list(requests))}
            ).rowcount
        ),
    )


def counts(engine: sa.Engine) -> dict[str, int]:
    """Return how many requests there are in each state."""
    found = in_transaction(
        engine,
        lambda session: dict(
            session.execute(
                "select state, count(*) from warehouse.authorization_requests group by state"
            ).fetchall()
        ),
    )
    return {state: found.get(state, 0) for state in STATES}


def waiting(engine: sa.Engine) -> tuple[int, int]:
    """Return how many requests are to be sent, and how many to be looked for now.

    One of which a process died in the middle is among the latter.
    """

    def work(session: psycopg.Connection[Any]) -> tuple[int, int]:
        row = session.execute(load_statement("authorization_waiting")).fetchone()
        return (row[0], row[1]) if row is not None else (0, 0)

    return in_transaction(engine, work)


def sent_since(engine: sa.Engine, instant: datetime) -> int:
    """Return how many calls were begun since, but for those that surely had no effect."""
    return in_transaction(engine, lambda session: count_sent(session, instant))


def count_sent(session: psycopg.Connection[Any], instant: datetime) -> int:
    """Return the same, on a connection at hand."""
    row = session.execute(
        "select count(*) from warehouse.authorization_requests where sent_at >= %s", (instant,)
    ).fetchone()
    return int(row[0]) if row is not None else 0


def listed(engine: sa.Engine, states: Sequence[str], limit: int) -> list[Row]:
    """Return the newest ``limit`` requests in these states, oldest first."""
    condition = (
        "id in (select id from warehouse.authorization_requests where state = any(%(states)s)"
        " order by requested_at desc, id desc limit %(limit)s)"
    )
    parameters = {"states": list(states), "limit": limit}
    return in_transaction(engine, lambda session: read(session, condition, parameters))


def find(engine: sa.Engine, name: str) -> list[Row]:
    """Return the requests whose reference is ``name``, or whose id begins with it."""
    condition = "reference = %(name)s or starts_with(id::text, lower(%(name)s))"
    return in_transaction(engine, lambda session: read(session, condition, {"name": name}))


def holder(engine: sa.Engine, activity_id: str) -> str | None:
    """Return the request that an activity is linked to, if any."""

    def work(session: psycopg.Connection[Any]) -> str | None:
        row = session.execute(
            "select id::text from warehouse.authorization_requests where activity_id = %s::uuid",
            (activity_id,),
        ).fetchone()
        return row[0] if row is not None else None

    return in_transaction(engine, work)


def decide(
    engine: sa.Engine, row: Row, state: str, *, activity_id: str | None = None, reason: str
) -> bool:
    """Carry out a person's decision; return whether the request was still in the state of ``row``."""
    return in_transaction(
        engine,
        lambda session: (
            session.execute(
                load_statement("authorization_decide"),
                {
                    "id": row.id,
                    "before": row.state,
                    "state": state,
                    "activity_id": activity_id,
                    "reason": reason,
                },
            ).rowcount
            == 1
        ),
    )
