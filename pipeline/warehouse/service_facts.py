"""What runs found out: undocumented traits of the service, and codes and fields already seen."""

from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction

ZONE = "configured_zone"
"""The fact that tells the views in which zone days are cut."""


def read_facts(engine: sa.Engine) -> dict[str, str]:
    """Return what is known of the service, by fact (``sync.service_facts``)."""
    return in_transaction(
        engine,
        lambda session: dict(
            session.execute("select fact, value from sync.service_facts").fetchall()
        ),
    )


def learn(engine: sa.Engine, fact: str, value: str) -> str | None:
    """Store a fact; return the value known before when it was another one, else None."""

    def work(session: psycopg.Connection[Any]) -> str | None:
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
    """Return the codes that are labelled, or recorded as unknown already: ``(kind, code)``."""
    return in_transaction(
        engine,
        lambda session: {
            (kind, value)
            for kind, value in session.execute(
                "select kind, code from analytics.codes"
                " union all select kind, value from sync.unknown_values"
            )
        },
    )


def final_statuses(engine: sa.Engine) -> set[str]:
    """Return the statuses that end the process."""
    return in_transaction(
        engine,
        lambda session: {
            code
            for (code,) in session.execute(
                "select code from analytics.codes where kind = 'status' and final"
            )
        },
    )
