"""The one process that sends authorizations: its connection, its lock and its statements.

At most one process sends, or the same person could be asked twice. The lock belongs to the connection
that writes the states: when the connection breaks, the lock is free and the next statement fails, so
that no process sends without the lock (docs/design.md "Authorizations").
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.sql import SQL, Identifier, Placeholder

from pipeline.warehouse.authorizations import Row, change_state, read_rows, set_repeat_days
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

    def to_take_in(self, *, references: bool) -> list[Row]:
        """Return rows of other systems: numbers not in E.164, and queued ones without reference."""
        condition = "phone_number not like '+%%' and phone_number <> ''"
        if references:
            condition += " or state = 'queued' and message_reference is null"
        return read_rows(self._session, condition)

    def rewrite(self, row: Row, columns: Mapping[str, Any]) -> None:
        """Set columns of a row."""
        given = SQL(", ").join(
            SQL("{} = {}").format(Identifier(name), Placeholder(name)) for name in columns
        )
        query = SQL("update warehouse.authorization_requests set {} where id = %(id)s::uuid")
        self._session.execute(query.format(given), {**columns, "id": row.id})

    def set_repeat_days(self, days: int) -> None:
        """Tell the database within how many days nobody is asked again."""
        set_repeat_days(self._session, days)

    def last_call(self) -> datetime | None:
        """Return when the newest call began, by the service's clock."""
        query = "select max(sent_at) from warehouse.authorization_requests"
        row = self._session.execute(query).fetchone()
        return row[0] if row else None

    def in_states(self, states: Sequence[str]) -> list[Row]:
        """Return the requests in these states."""
        return read_rows(self._session, "state = any(%(states)s)", states=list(states))

    def change_state(self, row: Row, state: str, reason: str | None = None, **more: Any) -> bool:
        """Take a request on, as `pipeline.warehouse.authorizations.change_state` does."""
        return change_state(self._session, row, state, reason, **more)

    def open_calls(self, now: datetime, recent: datetime) -> list[Row]:
        """Return the open requests that are looked for: those of ``recent`` calls, others now and then."""
        condition = (
            "state in ('sent', 'unknown') and (sent_at > %(recent)s or next_look_at <= %(now)s)"
        )
        return read_rows(self._session, condition, now=now, recent=recent)

    def given_up(self, since: datetime) -> list[Row]:
        """Return the requests that a person gave up, though their calls may have had an effect."""
        condition = "state = 'failed' and resolved_from is not null and sent_at >= %(since)s"
        return read_rows(self._session, condition, since=since)

    def named(self, references: Sequence[str]) -> list[Row]:
        """Return the requests whose messages have one of these references."""
        condition = "message_reference = any(%(references)s)"
        return read_rows(self._session, condition, references=references)

    def linked(self, activity_ids: Sequence[str | None]) -> set[str | None]:
        """Return which of these activities are linked to a request."""
        rows = read_rows(self._session, "activity_id = any(%(ids)s::uuid[])", ids=activity_ids)
        return {row.activity_id for row in rows}

    def _execute(self, name: str, **parameters: Any) -> psycopg.Cursor[Any]:
        return self._session.execute(statement(f"authorizations/{name}"), parameters)
