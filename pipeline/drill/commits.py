"""Holds a commit while PostgreSQL is in the middle of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self, TypeVar

import psycopg

from pipeline.drill.child import Missed

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_KEY = 0x6472696C
_POLL_SECONDS = 0.01

# A deferred constraint trigger runs inside the commit, where it waits for a lock that we hold.
_SETUP = """
create schema drill;
create function drill.hold() returns trigger language plpgsql as $body$
begin
    if (select count(*) from sync.activity_ledger) > {after} then
        perform pg_advisory_xact_lock({key});
    end if;
    return null;
end
$body$;
create constraint trigger hold after insert or update on sync.activity_ledger
    deferrable initially deferred for each row execute function drill.hold();
"""
_REMOVE = "drop trigger hold on sync.activity_ledger; drop schema drill cascade;"
_HELD = """
select pid from pg_stat_activity
where datname = current_database() and wait_event = 'advisory' and upper(query) = 'COMMIT'
"""


class HeldCommit:
    """Holds the commit of the first batch that brings the ledger above ``after`` rows.

    A context manager; the commit goes on when it is released or left.
    """

    def __init__(self, warehouse_url: str, after: int) -> None:
        self._session: psycopg.Connection[Any] = psycopg.connect(warehouse_url, autocommit=True)
        self._session.execute(_SETUP.format(after=int(after), key=_KEY).encode())
        self._session.execute("select pg_advisory_lock(%s)", (_KEY,))
        self._locked = True

    def wait(self) -> int:
        """Wait until the commit is held; return the number of its backend. Raises `Missed`."""

        def held() -> int | None:
            row = self._session.execute(_HELD).fetchone()
            return None if row is None else int(row[0])

        return eventually(held, "no commit came to be held")

    def roll_back(self, backend: int) -> None:
        """End the backend in the middle of its commit, which then never happened."""
        self._session.execute("select pg_terminate_backend(%s, 30000)", (backend,))
        self.release()

    def release(self) -> None:
        """Let the commit go on."""
        if self._locked:
            self._locked = False
            self._session.execute("select pg_advisory_unlock(%s)", (_KEY,))

    def settled(self, backend: int) -> None:
        """Wait until a backend whose client is dead has ended, its commit done. Raises `Missed`."""
        gone = "select true where not exists (select from pg_stat_activity where pid = %s)"
        eventually(
            lambda: self._session.execute(gone, (backend,)).fetchone(), "the commit did not end"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        self._session.execute(_REMOVE)
        self._session.close()


def eventually(look: Callable[[], T | None], otherwise: str, seconds: float = 30.0) -> T:
    """Return what ``look`` finds as soon as it is neither None nor False. Raises `Missed`."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found is not None and found is not False:
            return found
        if time.monotonic() > deadline:
            raise Missed(f"{otherwise} within {seconds:g} s")
        time.sleep(_POLL_SECONDS)
