"""Refresh: brings the stored views of ``analytics`` up to date (docs/design.md "Views").

Triggers (``sql/functions/queue_*.sql``) write every change to ``sync.refresh_queue``, in the transaction
that makes the change. Each part of a run then refreshes (`pipeline.assets.views`). A
refresh empties the queue and computes the named rows again, in one transaction with one snapshot. When
it is killed, the queue stays as it was. What commits during a refresh stays in the queue for the next.
``is_latest`` also depends on other activities of the counterpart: it is set once the rows are written.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from psycopg import errors as pg
from psycopg.sql import SQL, Composed, Identifier, Literal

from pipeline.telemetry import step
from pipeline.warehouse.database import tables
from pipeline.warehouse.database.engine import Session, in_transaction
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.schema.views import MEMORY, ONE_AT_A_TIME, View, stored_views

#: Changed rows lie close together and are still in memory. With the default costs the planner would read
#: whole tables for a month of days.
_NEAR = "set local random_page_cost = 1"

#: Statistics from fewer rows take a fraction of the time, and serve these plans as well.
_FEW_SAMPLES = "set local default_statistics_target = 20"


@dataclass(frozen=True)
class Refreshed:
    """A stored view that was brought up to date.

    ``rows``: how many it has; for a large view PostgreSQL's estimate. ``written``: rows of changed
    activities, as they were and as they are.
    """

    name: str
    rows: int
    written: int
    seconds: float


@step("refresh")
def refresh(engine: sa.Engine) -> list[Refreshed]:
    """Bring all stored views up to date while others read them; return the result of each.

    Readers see all changes at once. Raises a ``WarehouseError``.
    """

    def work(session: Session) -> list[Refreshed]:
        # The lock comes before the first query: a refresh that waited then sees what the other one did.
        session.execute("set transaction isolation level repeatable read")
        session.execute(ONE_AT_A_TIME)
        session.execute(MEMORY)
        # Taken and computed in one transaction: a refresh that is killed leaves the queue as it was.
        ((stale,),) = session.execute(statement("refresh/take"))
        if stale is not None:
            session.execute(_NEAR)
        done = [_refresh(session, view, stale) for view in stored_views()]
        session.execute(
            "update sync.view_versions set refreshed_at = now() where refreshed_at is not null"
        )
        return done

    return in_transaction(engine, work)


def _refresh(session: Session, view: View, stale: list[UUID] | None) -> Refreshed:
    """Compute the rows of the ``stale`` activities again; None: all rows."""
    began = time.monotonic()
    written = 0
    if stale is None and _is_empty(session, view):
        written = _fill(session, view)
        if len(view.key) == 1:  # the facts are filled together: those of activities name all
            session.execute(view.note_filled())
    elif stale != []:
        *_, deleted, inserted = session.execute(_merge(view, stale)).results()
        written = deleted.rowcount + inserted.rowcount
        # Where all rows are computed again, the computation has said it.
        if view.codes and stale is not None:
            latest = SQL(statement("refresh/latest"))
            session.execute(latest.format(view=view.table, codes=_columns(view.codes)))
    if stale is None:
        # The next views read it: without statistics they would be planned for an empty table.
        session.execute(_FEW_SAMPLES)
        session.execute(SQL("analyze {}").format(view.table))
    rows = tables.count(session, f"analytics.{view.name}")
    return Refreshed(view.name, rows, written, time.monotonic() - began)


def _fill(session: Session, view: View) -> int:
    """Fill an empty table; return how many rows it has then. Its indexes are built after that.

    An index that is sorted once costs less than half of one that grows by a row at a time. The key stays:
    it is referred to.
    """
    indexes = []
    # A transaction that has read the empty table may stay open for hours: nobody must wait for that.
    with suppress(pg.LockNotAvailable), session.transaction():
        session.execute(SQL("lock table {} in access exclusive mode nowait").format(view.table))
        relation = f"analytics.{view.name}"
        indexes = session.execute(statement("catalog/indexes"), (relation,)).fetchall()
    for name, _ in indexes:
        session.execute(SQL("drop index {}").format(Identifier("analytics", name)))
    filled = session.execute(view.fill()).rowcount
    for _, definition in indexes:
        session.execute(definition.encode())
    return filled


def _is_empty(session: Session, view: View) -> bool:
    ((empty,),) = session.execute(SQL("select not exists (select from {})").format(view.table))
    return bool(empty)


def _merge(view: View, stale: list[UUID] | None) -> Composed:
    """Return the statements that compute the stale rows and write those that differ.

    The values are in the text, not parameters: so PostgreSQL plans few of them by index, many by a scan.
    """
    ids = SQL("{}::uuid[]").format(Literal(stale))
    return SQL(statement("refresh/merge")).format(
        view=view.table,
        key=_columns(view.key),
        fresh=view.fresh(ids),
        ids=ids,
    )


def _columns(names: Sequence[str]) -> Composed:
    return SQL(", ").join(map(Identifier, names))
