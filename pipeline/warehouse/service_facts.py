"""What runs learned about the service: undocumented traits, and codes and fields already seen."""

from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse.engine import fetch, in_transaction

ZONE = "configured_zone"
"""The fact that tells the views in which time zone days are cut."""


def read_facts(engine: sa.Engine) -> dict[str, str]:
    """Return all stored facts with their values (``sync.service_facts``)."""
    return dict(fetch(engine, tuple_row, "select fact, value from sync.service_facts"))


def learn(engine: sa.Engine, fact: str, value: str) -> str | None:
    """Store a fact; return its previous value if that was different, else None."""

    def work(session: psycopg.Connection[Any]) -> str | None:
        # Two runs may learn the same fact: the lock makes the second one see the first one's value.
        row = session.execute(
            "select value from sync.service_facts where fact = %s for update", (fact,)
        ).fetchone()
        session.execute(
            "insert into sync.service_facts as known (fact, value, learned_at)"
            " values (%s, %s, now()) on conflict (fact) do update set"
            " value = excluded.value, learned_at = excluded.learned_at,"
            " previous_value = case when known.value = excluded.value"
            " then known.previous_value else known.value end,"
            " changed_at = case when known.value = excluded.value"
            " then known.changed_at else now() end",
            (fact, value),
        )
        return row[0] if row is not None and row[0] != value else None

    return in_transaction(engine, work)


def known_codes(engine: sa.Engine) -> set[tuple[str, str]]:
    """Return ``(kind, code)`` of all codes that have a label or are recorded as unknown."""
    query = (
        "select kind, code from analytics.codes"
        " union all select kind, value from sync.unknown_values"
    )
    return {(kind, code) for kind, code in fetch(engine, tuple_row, query)}


def final_statuses(engine: sa.Engine) -> set[str]:
    """Return the statuses after which an activity no longer changes."""
    query = "select code from analytics.codes where kind = 'status' and final"
    return set(fetch(engine, scalar_row, query))
