"""Refreshing: the stored views of ``analytics`` brought up to date where something changed.

Triggers queue in ``sync.refresh_queue`` what changed, in the transaction that changes it. A refresh
takes all out of the queue and computes anew what it names, in one transaction that sees the warehouse
as of one instant: killed, it leaves the queue as it was; what commits meanwhile stays in the queue.
"""

import time
from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

import psycopg
import sqlalchemy as sa
from psycopg.sql import SQL, Composed, Identifier, Literal

from pipeline.warehouse import tables
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import refresh_statement
from pipeline.warehouse.views import MEMORY, ONE_AT_A_TIME, View, stored_views

#: What changed together lies together, and was just written: by default a walk through an index counts
#: as if heads had to move, and for a month of days everything would be read.
_NEAR = "set local random_page_cost = 1"


@dataclass(frozen=True)
class Refreshed:
    """A stored view that was brought up to date.

    ``rows``: how many it holds, of a large one PostgreSQL's estimate. ``written``: how many were removed
    or added.
    """

    name: str
    rows: int
    written: int
    seconds: float


@dataclass(frozen=True)
class _Stale:
    """What is to be computed anew; None: all. ``days`` may hold None: activities without a day."""

    days: Sequence[date | None] | None
    entities: Sequence[UUID] | None
    another_day: bool

    def of(self, view: View) -> Sequence[date | UUID | None] | None:
        """Return the stale values of the view's key; empty: the view is up to date; None: all is stale."""
        if view.key is None:
            return None if self.another_day or self.days != [] else []
        if view.key == "entity_id":
            return self.entities
        if view.key == "month" and self.days is not None:
            return _whole_months(self.days)
        return self.days


def refresh(
    engine: sa.Engine, told: Callable[[Refreshed], object] = lambda _: None
) -> list[Refreshed]:
    """Bring all stored views up to date while others read them; return what was done to each.

    ``told`` hears of each view as it is done, again where the transaction is tried again. Readers see
    all of it at once. Raises a ``WarehouseError``.
    """

    def work(session: psycopg.Connection[Any]) -> list[Refreshed]:
        # The lock comes before the first look: a refresh that waited for another sees what it did.
        session.execute("set transaction isolation level repeatable read")
        session.execute(ONE_AT_A_TIME)
        session.execute(MEMORY)
        session.execute(_NEAR)
        stale = _take(session)
        done = []
        for view in stored_views():
            done.append(_refresh(session, view, stale.of(view)))
            told(done[-1])
        session.execute(
            "update sync.view_versions set refreshed_at = now() where refreshed_at is not null"
        )
        return done

    return in_transaction(engine, work)


def queue(session: psycopg.Connection[Any], ids: Sequence[str]) -> None:
    """Queue activities of which only children were written, for the next refresh."""
    if ids:
        session.execute(refresh_statement("queue"), {"ids": list(ids)})


def _take(session: psycopg.Connection[Any]) -> _Stale:
    row = session.execute(refresh_statement("take")).fetchone()
    if row is None:
        raise AssertionError("the statement returns one row")
    return _Stale(*row)


def _refresh(
    session: psycopg.Connection[Any], view: View, stale: Sequence[date | UUID | None] | None
) -> Refreshed:
    began = time.monotonic()
    written = 0
    if stale is None or stale:
        cursor = session.execute(_merge(view, stale))
        while cursor.nextset():
            written += cursor.rowcount
    rows = tables.count(session, f"analytics.{view.name}")
    return Refreshed(view.name, rows, written, time.monotonic() - began)


def _merge(view: View, stale: Sequence[date | UUID | None] | None) -> Composed:
    """Return the statements that compute the stale rows anew and write those that differ.

    The values stand in the text, so that each is planned for its own: few by index, all by reading all.
    """
    keys = is_stale = None
    if stale is not None:
        kind = SQL("uuid[]" if view.key == "entity_id" else "date[]")
        keys = SQL("{}::{}").format(Literal(list(stale)), kind)
        column = Identifier("stored", view.key or "")
        is_stale = SQL("({column} = any({keys})").format(column=column, keys=keys)
        is_stale += SQL(" or {column} is null)" if None in stale else ")").format(column=column)
    return SQL(refresh_statement("merge")).format(
        view=view.table,
        staged=Identifier(f"staged_{view.name}"),
        fresh=view.fresh(keys),
        is_stale=is_stale or SQL("true"),
    )


def _whole_months(days: Sequence[date | None]) -> list[date | None]:
    months = sorted({day.replace(day=1) for day in days if day is not None})
    whole: list[date | None] = [
        month.replace(day=number + 1)
        for month in months
        for number in range(monthrange(month.year, month.month)[1])
    ]
    return [*whole, None] if None in days else whole
