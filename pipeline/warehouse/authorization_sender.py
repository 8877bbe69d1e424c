"""The one process that sends authorizations: its connection, its lock and its statements.

At most one process sends, or the same person could be asked twice. The lock belongs to the connection
that writes the states: when the connection breaks, the lock is free and the next statement fails, so
that no process sends without the lock (docs/design.md "Authorizations").
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.types.json import Jsonb
from sqlalchemy.exc import DBAPIError

from pipeline.warehouse.authorizations import Row, change_state, read_rows
from pipeline.warehouse.engine import driver, explain
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.sql import statement

LOCK = 0x61757468
"""Key of the sender's advisory lock: one for each database."""


class SenderBusy(WarehouseError):
    """Another process is sending authorizations from this warehouse."""


@contextmanager
def open_sender_connection(engine: sa.Engine) -> Iterator["SenderConnection"]:
    """Hold the sender's lock. Raises `SenderBusy`, or another ``WarehouseError``."""
    try:
        with engine.connect() as connection:
            session = driver(connection)
            # Each statement commits at once: what a call did must survive whatever comes next.
            session.autocommit = True
            # A session's lock, not a transaction's: PostgreSQL frees it when this process dies.
            row = session.execute("select pg_try_advisory_lock(%s)", (LOCK,)).fetchone()
            if row is None or not row[0]:
                raise SenderBusy(
                    "another process is sending authorizations from this warehouse:"
                    " wait until it has ended"
                )
            try:
                yield SenderConnection(session)
            finally:
                if session.closed:
                    # It broke, and the lock is gone with it. The pool must not hand it out again.
                    connection.invalidate()
                else:
                    session.execute("select pg_advisory_unlock(%s)", (LOCK,))
                    session.autocommit = False
    except (DBAPIError, psycopg.Error) as error:
        raise explain(error, engine.url) from None


class SenderConnection:
    """The sender's statements; each is committed at once.

    Instants are by the service's clock. Raises ``psycopg.Error``, which `open_sender_connection`
    turns into a ``WarehouseError``.
    """

    def __init__(self, session: psycopg.Connection[Any]) -> None:
        self._session = session

    def recover(self, now: datetime) -> None:
        """Make every ``sending`` request ``unknown``: its process died, since we hold the lock."""
        reason = "the process that made the call died before its answer was recorded"
        for row in read_rows(self._session, "state = 'sending'"):
            self.end(row, "unknown", reason, now, timedelta())

    def next(self, limit: int, now: datetime, quiet: timedelta) -> list[Row]:
        """Return the next requests to send, at most ``limit``.

        A message waits while another call with it is open: until its ``next_look_at`` is null or,
        for a created activity that is not found, until the call is older than ``quiet``.
        """
        condition = f"id in ({statement('authorizations/next')})"
        return read_rows(self._session, condition, quiet_since=now - quiet, limit=limit)

    def count_calls(self, since: datetime) -> int:
        """Return how many calls began since then, except calls that certainly had no effect."""
        query = "select count(*) from warehouse.authorization_requests where sent_at >= %s"
        row = self._session.execute(query, (since,)).fetchone()
        return int(row[0]) if row is not None else 0

    def begin(self, row: Row, now: datetime) -> bool:
        """Make a queued request ``sending``; False when it is not queued any more."""
        return self._change("begin", row, now=now) == 1

    def end(
        self, row: Row, state: str, reason: str | None, now: datetime, look_in: timedelta | None
    ) -> None:
        """Record how a call ended. ``look_in``: when to look for its activity; None: never."""
        self._change("end", row, state=state, reason=reason, now=now, look_in=look_in)

    def change_state(
        self, row: Row, state: str, reason: str | None, activity_id: str | None = None
    ) -> bool:
        """Move a request on; False as `pipeline.warehouse.authorizations.change_state` says."""
        return change_state(self._session, row, state, reason, activity_id=activity_id)

    def keep_open(
        self, row: Row, candidates: Sequence[Mapping[str, str]], look_in: timedelta | None
    ) -> None:
        """Keep what may be the activity, and when to look again (None: a person decides)."""
        self._change("keep_open", row, candidates=Jsonb(list(candidates)), look_in=look_in)

    def open_calls(self, since: datetime) -> list[Row]:
        """Return the open requests whose call ended since then, or whose next look has a time."""
        condition = (
            "state in ('sent', 'unknown')"
            " and (answered_at >= %(since)s or next_look_at is not null)"
        )
        return read_rows(self._session, condition, since=since)

    def linked(self, activity_ids: Sequence[str]) -> set[str]:
        """Return which of these activities are linked to a request."""
        query = (
            "select activity_id::text from warehouse.authorization_requests"
            " where activity_id = any(%s::uuid[])"
        )
        found = self._session.execute(query, (list(activity_ids),))
        return {activity_id for (activity_id,) in found}

    def _change(self, name: str, row: Row, **parameters: Any) -> int:
        parameters["id"] = row.id
        return self._session.execute(statement(f"authorizations/{name}"), parameters).rowcount
