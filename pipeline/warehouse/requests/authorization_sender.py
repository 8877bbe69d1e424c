"""The one process that sends authorizations: its connection and its lock.

At most one process sends, or the same person could be asked twice. The lock belongs to the connection
that writes the states: when the connection breaks, the lock is free and the next statement fails, so
that no process sends without the lock (docs/design.md "Authorizations"). Each statement is committed at
once.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from pipeline.warehouse.database.engine import Session, open_session
from pipeline.warehouse.database.errors import WarehouseError

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
