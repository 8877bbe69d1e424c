"""Triggers that disturb a load: one parks it in the middle, others make its statements fail."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg

from tests.support.commands import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEY = 0x6F627374

_PARK = """
create or replace function public.park() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared({key});
    return new;
end $$;
create or replace trigger parked before insert on {table} for each row execute function public.park()
"""
# A rollback does not reset a sequence, so it counts the attempts.
_FAIL = """
create sequence public.attempts;
create function public.fail() returns trigger language plpgsql as $$
begin
    if nextval('public.attempts') <= {times} then
        raise exception 'provoked, with a value: %', new using errcode = '{state}';
    end if;
    return new;
end $$;
create trigger failing before insert on {table}
for each row when ({condition}) execute function public.fail()
"""


class Parked:
    """Holds everyone who writes to a table, until `release`."""

    def __init__(self, session: psycopg.Connection[Any]) -> None:
        self._session = session

    def wait(self) -> None:
        """Wait until a writer is held."""
        waiting = (
            "select true from pg_locks where locktype = 'advisory' and objid = %s and not granted"
            " and database = (select oid from pg_database where datname = current_database())"
        )
        eventually(lambda: self._session.execute(waiting, (_KEY,)).fetchone(), "a load is parked")

    def release(self) -> None:
        """Let all writers go on."""
        self._session.execute("select pg_advisory_unlock(%s)", (_KEY,))


@contextmanager
def parked(url: str, table: str) -> Iterator[Parked]:
    """Park the next insert into ``table``."""
    with psycopg.connect(url, autocommit=True) as session:
        session.execute("select pg_advisory_lock(%s)", (_KEY,))
        session.execute(_PARK.format(key=_KEY, table=table).encode())
        yield Parked(session)


def failing(url: str, table: str, state: str, times: int, condition: str = "true") -> None:
    """Make the next ``times`` inserts of rows with ``condition`` into ``table`` fail with ``state``."""
    script = _FAIL.format(table=table, state=state, times=times, condition=condition)
    with psycopg.connect(url) as session:
        session.execute(script.encode())


def no_longer_failing(url: str, table: str) -> None:
    """Remove the trigger."""
    with psycopg.connect(url) as session:
        session.execute(f"drop trigger failing on {table}".encode())
