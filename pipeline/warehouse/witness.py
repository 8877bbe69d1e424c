"""Witnesses: digests of what the tables hold, by which rows changed outside of a run are found.

Implements docs/design.md "Witnesses". ``sync.activity_digests`` and ``sync.entity_digests`` compute a
digest of all rows of each activity and each counterpart. Whoever writes rows seals them: the digest is
stored in ``sync.activity_ledger`` or ``sync.entity_ledger``, in the same transaction. Rows whose digest
is another one later were altered by somebody else.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Literal, TypeAlias

import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse import ledger
from pipeline.warehouse.engine import Session, execute, fetch, in_transaction
from pipeline.warehouse.sql import id_array, statement

Kind: TypeAlias = Literal["activity", "entity"]

Altered: TypeAlias = tuple[str, date | None]
"""An activity and its day; None if the ledger does not know the activity."""


def seal(session: Session, kind: Kind, ids: Collection[str]) -> None:
    """Store the digests of rows just written. Call in the transaction that wrote all of them."""
    if ids:
        session.execute(statement(f"witness/seal_{kind}"), {"ids": id_array(ids)})


def intact(session: Session, kind: Kind, ids: Collection[str]) -> dict[str, bool]:
    """Return for each of ``ids`` that has rows whether they are as they were sealed."""
    if not ids:
        return {}
    found = session.execute(
        f"select {kind}_id::text, coalesce(held.digest = known.rows_digest, false)"
        f" from sync.{kind}_digests as held left join sync.{kind}_ledger as known using ({kind}_id)"
        f" where {kind}_id = any(%s::uuid[])",
        (id_array(ids),),
    )
    return dict(found.fetchall())


def altered(engine: sa.Engine) -> list[Altered]:
    """Return all activities with rows that are not as sealed. Reads every row of all tables."""
    return fetch(engine, tuple_row, statement("witness/altered"))


def altered_on(engine: sa.Engine, days: Sequence[date]) -> list[Altered]:
    """Return the activities of ``days`` that `altered` finds, and all unknown to the ledger."""
    return fetch(engine, tuple_row, statement("witness/altered_on"), {"days": list(days)})


def unlanded(engine: sa.Engine, days: Iterable[date] | None) -> list[Altered]:
    """Return the activities of ``days``, None: of all, of which ``landing`` has lost every response."""
    given = {"days": None if days is None else list(days)}
    return fetch(engine, tuple_row, statement("witness/unlanded"), given)


def altered_entities(engine: sa.Engine) -> set[str]:
    """Return the counterparts with rows that are not as sealed."""
    return set(fetch(engine, scalar_row, statement("witness/altered_entities")))


def give_up(engine: sa.Engine, ids: Sequence[str]) -> int:
    """Distrust those of ``ids`` that are still altered; return how many.

    The next walk fetches them from the service again. What the ledger does not know is removed.
    """

    def work(session: Session) -> int:
        # A run may load one of them right now: judge behind its lock.
        ledger.lock(session, list(ids))
        whole = intact(session, "activity", ids)
        left = {"ids": id_array(name for name in ids if not whole.get(name))}
        session.execute(statement("witness/remove_unknown"), left)
        return session.execute(statement("witness/distrust"), left).rowcount

    return in_transaction(engine, work)


def distrust(engine: sa.Engine, ids: Sequence[str]) -> None:
    """Let the next walk fetch these from the service again; their rows stay until then."""
    execute(engine, statement("witness/distrust"), {"ids": id_array(ids)})


def give_up_entities(engine: sa.Engine, ids: Collection[str]) -> None:
    """Distrust the altered ones among ``ids``, counterparts that no stored response carries.

    Those of them that nobody names are removed.
    """

    def work(session: Session) -> None:
        # What a run wrote may have come with a response whose body was emptied since.
        whole = intact(session, "entity", ids)
        left = id_array(name for name in ids if not whole.get(name))
        session.execute(statement("load/unknown_entities"), {"ids": left})

    in_transaction(engine, work)
