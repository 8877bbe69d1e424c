"""What only the one sender of the outbox does, on the very connection that makes it the only one.

A request is committed as ``sending`` before its call and is moved on after it. When the connection
breaks, so does the lock, and the next statement fails: nobody sends without being the only one.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.types.json import Jsonb
from sqlalchemy.exc import DBAPIError

from pipeline.warehouse.authorizations import Row, count_sent, read
from pipeline.warehouse.engine import driver, explain
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.sql import load_statement

LOCK = 0x61757468
"""Key of the advisory lock that the sender holds: one for a database."""


class OutboxBusy(WarehouseError):
    """Another process is sending from this outbox."""


@contextmanager
def only_sender(engine: sa.Engine) -> Iterator["Desk"]:
    """Be the only sender of this database. Raises `OutboxBusy`, or another ``WarehouseError``."""
    try:
        with engine.connect() as connection:
            session = driver(connection)
            session.autocommit = True
            row = session.execute("select pg_try_advisory_lock(%s)", (LOCK,)).fetchone()
            if row is None or not row[0]:
                raise OutboxBusy("another process is sending authorizations from this warehouse")
            try:
                yield Desk(session)
            finally:
                if session.closed:
                    connection.invalidate()  # lost, and the lock with it
                else:
                    session.execute("select pg_advisory_unlock(%s)", (LOCK,))
                    session.autocommit = False
    except (DBAPIError, psycopg.Error) as error:
        raise explain(error, engine.url) from None


class Desk:
    """The sender's hands in the outbox. Every method is one statement, committed at once.

    Instants are the service's clock. Raises ``psycopg.Error``, which `only_sender` explains.
    """

    def __init__(self, session: psycopg.Connection[Any]) -> None:
        self._session = session

    def recover(self, now: datetime) -> int:
        """Take every call in the middle of which a process died for one of unknown outcome."""
        return self._change("authorization_recover", {"now": now})

    def next(self, limit: int, now: datetime, quiet: timedelta) -> list[Row]:
        """Return the next requests to send, at most ``limit``.

        A message waits while another request with it was called and is not settled: until
        ``next_look_at`` says so, or it was created within the last ``quiet`` and is not found.
        """
        parameters = {"quiet_since": now - quiet, "limit": limit}
        found = self._session.execute(load_statement("authorization_next"), parameters)
        ids = [name for (name,) in found]
        return read(self._session, "id = any(%(ids)s::uuid[])", {"ids": ids})

    def sent_since(self, instant: datetime) -> int:
        """Return how many calls were begun since, but for those that surely had no effect."""
        return count_sent(self._session, instant)

    def begin(self, request_id: str, now: datetime) -> bool:
        """Mark a queued request as being sent; False when it is queued no more."""
        return self._change("authorization_begin", {"id": request_id, "now": now}) == 1

    def end(
        self,
        request_id: str,
        state: str,
        reason: str | None,
        now: datetime,
        look_in: timedelta | None,
    ) -> None:
        """Record how a call ended: ``sent``, ``rejected``, ``failed``, ``unknown`` or ``queued`` again.

        ``look_in``: after which time a run should look for its activity; None: not at all.
        """
        parameters = {
            "id": request_id,
            "state": state,
            "reason": reason,
            "now": now,
            "look_in": look_in,
        }
        self._change("authorization_end", parameters)

    def refuse(self, request_id: str, reason: str) -> None:
        """Take a queued request that is not valid out of the queue."""
        self._change("authorization_refuse", {"id": request_id, "reason": reason})

    def open_calls(self, since: datetime) -> list[Row]:
        """Return the calls whose activity is to be found: all that ended since, and those due."""
        condition = (
            "state in ('sent', 'unknown')"
            " and (answered_at >= %(since)s or next_look_at is not null)"
        )
        return read(self._session, condition, {"since": since})

    def linked(self, activity_ids: Sequence[str]) -> set[str]:
        """Return which of these activities are linked to a request."""
        found = self._session.execute(
            "select activity_id::text from warehouse.authorization_requests"
            " where activity_id = any(%s::uuid[])",
            (list(activity_ids),),
        )
        return {name for (name,) in found}

    def link(self, request_id: str, activity_id: str) -> bool:
        """Link a request to the activity it created; False when somebody else was faster."""
        return (
            self._change("authorization_link", {"id": request_id, "activity_id": activity_id}) == 1
        )

    def requeue(self, request_id: str, most_attempts: int) -> None:
        """Queue a request again whose call had no effect; after ``most_attempts`` it has failed."""
        self._change("authorization_requeue", {"id": request_id, "most_attempts": most_attempts})

    def leave(
        self, request_id: str, candidates: Sequence[Mapping[str, str]], look_in: timedelta | None
    ) -> None:
        """Keep what may be the activity, and when to look again (None: a person decides)."""
        self._change(
            "authorization_leave",
            {"id": request_id, "candidates": Jsonb(list(candidates)), "look_in": look_in},
        )

    def _change(self, name: str, parameters: Mapping[str, Any]) -> int:
        return self._session.execute(load_statement(name), parameters).rowcount
