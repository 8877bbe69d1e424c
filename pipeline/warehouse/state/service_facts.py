"""What runs learned about the service: undocumented traits, and codes and fields already seen."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import cast

import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse.database.engine import Session, execute, fetch, fetch_one, in_transaction
from pipeline.warehouse.database.sql import statement

ZONE = "configured_zone"
"""The fact that tells the views in which time zone days are cut."""


DATABASE = "database"
"""The fact that tells a restored database from the one that the last run saw."""


START = "start_date"
"""The fact that tells the views since which day the warehouse is meant to be complete."""


LOST = "counterparts_lost"
"""The fact that somebody removed counterparts outside a run: a trigger stores it."""


LOST_ACCESS = "lost_access"
"""The fact that names kinds of activities to which access was lost, with the nights that found it."""


def value_of(engine: sa.Engine, fact: str) -> str | None:
    """Return the value of a fact, if it is stored."""
    query = "select value from sync.service_facts where fact = %s"
    return next(iter(fetch(engine, scalar_row, query, (fact,))), None)


def forget(engine: sa.Engine, fact: str) -> None:
    """Remove a fact."""
    execute(engine, "delete from sync.service_facts where fact = %s", (fact,))


def learn(engine: sa.Engine, fact: str, value: str) -> str | None:
    """Store a fact; return its previous value if that was different, else None."""
    return in_transaction(engine, partial(_learn, fact=fact, value=value))


def learn_zone(engine: sa.Engine, zone: str) -> str | None:
    """Store the zone in which days are cut; return the previous one if that was different.

    Then every activity moves to its day in the new zone, and no day counts as walked.
    """

    # One transaction: a process that dies in between leaves both the zone and the days as they were.
    def work(session: Session) -> str | None:
        previous = _learn(session, ZONE, zone)
        if previous is not None:
            session.execute(statement("load/move_days"), {"zone": zone})
            session.execute(statement("load/move_quarantined"))
            session.execute("delete from sync.days")
        return previous

    return in_transaction(engine, work)


def identity(engine: sa.Engine) -> str:
    """Return what tells this database from any other one, and from itself before a restore.

    After a restore it is another one, until a run has noticed that, and then again.
    """
    found: str = fetch_one(engine, scalar_row, statement("load/database_identity"))
    return found if value_of(engine, DATABASE) in (None, found) else f"{found} restored"


def learn_database(engine: sa.Engine) -> str | None:
    """Return what to tell if the database was restored since the last run, else None.

    Then no day counts as walked, and no authorization request is sent without a person.
    Implements docs/upkeep.md "Back up and restore".
    """

    def work(session: Session) -> str | None:
        ((identity,),) = session.execute(statement("load/database_identity"))
        previous = _learn(session, DATABASE, identity)
        # Versions before this one stored the beginning of it.
        if previous is None or identity.startswith(f"{previous}/"):
            return None
        session.execute("delete from sync.days")
        session.execute(statement("authorizations/hold_restored"))
        return (
            "the warehouse was restored from a backup, or copied: it may be older than its last run."
            " All days are walked again; no authorization request is sent before"
            " `pipeline authorize confirm-restore` shows what was sent since"
        )

    return in_transaction(engine, work)


def _learn(session: Session, fact: str, value: str) -> str | None:
    ((previous,),) = session.execute(statement("load/learn_fact"), {"fact": fact, "value": value})
    return cast("str | None", previous)


def known_codes(engine: sa.Engine) -> set[tuple[str, str]]:
    """Return ``(kind, code)`` of all codes that have a label or are recorded as unknown."""
    query = (
        "select kind, code from analytics.codes"
        " union all select kind, value from sync.unknown_values"
    )
    return set(fetch(engine, tuple_row, query))


def record_unknown(engine: sa.Engine, kind: str, names: Sequence[str]) -> None:
    """Record fields that belong to no activity (``sync.unknown_values``); known ones stay as they are."""
    for name in names:
        at = datetime.now().astimezone()
        execute(engine, statement("load/unknown_values"), (kind, name.replace("\0", ""), None, at))


def final_statuses(engine: sa.Engine) -> set[str]:
    """Return the statuses after which an activity no longer changes."""
    query = "select code from analytics.codes where kind = 'status' and final"
    return set(fetch(engine, scalar_row, query))
