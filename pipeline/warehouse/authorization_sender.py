"""The one process that sends authorizations: its connection, its lock and its statements.

At most one process sends, or the same person could be asked twice. The lock belongs to the connection
that writes the states: when the connection breaks, the lock is free and the next statement fails, so
that no process sends without the lock (docs/design.md "Authorizations"). Each statement is committed at
once. Instants are by the service's clock.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

import sqlalchemy as sa

from pipeline.warehouse.authorizations import MOST_CALLS, Row
from pipeline.warehouse.engine import Session, open_session
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.sql import statement

LOCK = 0x61757468
"""Key of the sender's advisory lock: one for each database."""


class SenderBusy(WarehouseError):
    """Another process is sending authorizations from this warehouse."""


@contextmanager
def open_sender(engine: sa.Engine) -> Iterator[Session]:
    """Hold the sender's lock. Raises `SenderBusy`, or another ``WarehouseError``."""
    # Each statement commits at once: what a call did must survive whatever comes next.
    with open_session(engine, autocommit=True) as session:
        # A session's lock, not a transaction's: PostgreSQL frees it when this process dies.
        if session.execute("select pg_try_advisory_lock(%s)", (LOCK,)).fetchone() != (True,):
            raise SenderBusy(
                "another process is sending authorizations from this warehouse:"
                " wait until it has ended"
            )
        try:
            yield session
        finally:
            # At once: a connection that we close ends a moment later, and the next sender must not wait.
            if not session.closed:
                session.execute("select pg_advisory_unlock(%s)", (LOCK,))


def recover(session: Session, now: datetime) -> None:
    """Make every ``sending`` request ``unknown``: its process died, since we hold the lock."""
    session.execute(statement("authorizations/recover"), {"now": now})


def store_taken_in(session: Session, row: Row, number: str, reference: str | None) -> None:
    """Store the number of a row in E.164, and the reference of its message.

    A queued request fails if the data of its person were erased.
    """
    given = {"id": row.id, "number": number, "reference": reference}
    session.execute(statement("authorizations/take_in"), given)


def count_refusals(session: Session, ids: Sequence[str]) -> int:
    """Count a call for queued requests that were refused; return how many failed with their last one."""
    given = {"ids": ids, "most": MOST_CALLS}
    return sum(
        failed for (failed,) in session.execute(statement("authorizations/count_refusals"), given)
    )
