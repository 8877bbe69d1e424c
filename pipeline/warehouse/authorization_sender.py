"""The one process that sends authorizations: its connection, its lock and its statements.

At most one process sends, or the same person could be asked twice. The lock belongs to the connection
that writes the states: when the connection breaks, the lock is free and the next statement fails, so
that no process sends without the lock (docs/design.md "Authorizations").
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.authorizations import Row, change_state, read_rows
from pipeline.warehouse.engine import open_session
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.sql import statement

LOCK = 0x61757468
"""Key of the sender's advisory lock: one for each database."""


class SenderBusy(WarehouseError):
    """Another process is sending authorizations from this warehouse."""


@contextmanager
def open_sender_connection(engine: sa.Engine) -> Iterator["SenderConnection"]:
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
            yield SenderConnection(session)
        finally:
            # At once: a connection that we close ends a moment later, and the next sender must not wait.
            if not session.closed:
                session.execute("select pg_advisory_unlock(%s)", (LOCK,))


class SenderConnection:
    """The sender's statements; each is committed at once.

    Instants are by the service's clock. Raises ``psycopg.Error``, which `open_sender_connection`
    turns into a ``WarehouseError``.
    """

    def __init__(self, session: psycopg.Connection[Any]) -> None:
        self._session = session

    def recover(self, now: datetime) -> None:
        """Make every ``sending`` request ``unknown``: its process died, since we hold the lock."""
        self._execute("recover", now=now)

    def next(self, limit: int, only: Sequence[str] | None, refused: Sequence[str]) -> list[Row]:
        """Return the next requests to send, at most ``limit``, after refusing people who were erased.

        ``only``: ids of the requests that may be sent, None for all. ``refused``: ids to leave out.
        """
        self._execute("refuse_erased")
        condition = f"id in ({statement('authorizations/next')})"
        return read_rows(self._session, condition, limit=limit, only=only, refused=refused)

    def sent(self, since: datetime) -> list[Row]:
        """Return the requests whose calls since then were answered 201, their activities not found."""
        return read_rows(self._session, "state = 'sent' and sent_at >= %(since)s", since=since)

    def count_refusals(self, ids: Sequence[str], most: int) -> int:
        """Count a call for queued requests that were refused; return how many failed with ``most``."""
        return sum(failed for (failed,) in self._execute("count_refusals", ids=ids, most=most))

    def rewrite_numbers(self, in_e164: Callable[[Row], str]) -> None:
        """Rewrite the numbers that other systems wrote in another form, except wrong ones (ValueError)."""
        query = "update warehouse.authorization_requests set phone_number = %s where id = %s::uuid"
        for row in read_rows(self._session, "phone_number not like '+%%'"):
            with suppress(ValueError):
                self._session.execute(query, (in_e164(row), row.id))

    def learn(self) -> None:
        """Keep as facts what the calls that were recognised show of the service."""
        for fact, value in self._execute("facts").fetchall():
            learned = {"fact": fact, "value": value}
            self._session.execute(statement("load/learn_fact"), learned)

    def last_clock(self) -> float | None:
        """Return the seconds that the newest call's sender added to its clock; None: no such call."""
        newest = self._execute("newest").fetchone()
        return newest[0] if newest else None

    def change_state(self, row: Row, state: str, reason: str | None = None, **more: Any) -> bool:
        """Take a request on, as `pipeline.warehouse.authorizations.change_state` does."""
        return change_state(self._session, row, state, reason, **more)

    def recognized(self, ids: Sequence[str]) -> list[Row]:
        """Return the newest recognised requests, of calls by the clocks and at the time of these."""
        condition = f"id in ({statement('authorizations/recognized')})"
        return read_rows(self._session, condition, ids=ids)

    def owners(self, counterparts: Collection[str | None]) -> dict[str, list[str]]:
        """Return counterparts, each with the numbers that it is known by."""
        return dict(self._execute("owners", counterparts=list(counterparts)).fetchall())

    def open_calls(self) -> list[Row]:
        """Return the open requests that runs still look for."""
        return read_rows(self._session, "state in ('sent', 'unknown') and next_look_at is not null")

    def linked(self, activity_ids: Sequence[str | None]) -> set[str | None]:
        """Return which of these activities are linked to a request."""
        rows = read_rows(self._session, "activity_id = any(%(ids)s::uuid[])", ids=activity_ids)
        return {row.activity_id for row in rows}

    def _execute(self, name: str, **parameters: Any) -> psycopg.Cursor[Any]:
        return self._session.execute(statement(f"authorizations/{name}"), parameters)
