"""Faults of PostgreSQL: killed, connections ended, deadlocks, a full disk, a read-only server."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from psycopg import errors as pg
from psycopg import sql

from pipeline.drill.child import Missed
from pipeline.drill.commits import HeldCommit, eventually
from pipeline.drill.drill import Fault
from pipeline.drill.scene import ACTIVITIES, BATCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.drill.scene import Scene

_END_OTHERS = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()
"""
_WAITS_FOR_A_LOCK = """
select true from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'
"""
_RAISE = """
create schema drill;
create function drill.fail() returns trigger language plpgsql as $body$
begin
    if (select count(*) from warehouse.activities) > {after} then
        raise exception 'made up by the drill' using errcode = '{code}';
    end if;
    return null;
end
$body$;
create trigger fail after insert or update on warehouse.activities
    for each statement execute function drill.fail();
"""


def _at_details(stage: Scene, deed: Callable[[], None]) -> str:
    """Do something while a run waits for details with a batch in and another begun."""
    return stage.while_held("details", BATCH + 5, deed, workers=1)


def _kill_server(stage: Scene) -> str:
    server = stage.databases.server
    if server is None:
        raise Missed("the server is not ours to kill")

    def kill_and_start() -> None:
        number = server.pid
        if number is None:
            raise Missed("the server did not run")
        os.kill(number, signal.SIGKILL)
        server.start()

    return _at_details(stage, kill_and_start)


def _end_connections(stage: Scene) -> str:
    def end() -> None:
        with stage.session() as session:
            session.execute(_END_OTHERS)

    return _at_details(stage, end)


def _end_in_commit(stage: Scene) -> str:
    """End the backend that is committing; the run, which lives on, must load the batch again."""
    with HeldCommit(stage.warehouse_url, after=BATCH // 2) as commit, stage.start() as child:
        commit.roll_back(commit.wait())
        return child.told()


def _deadlock(stage: Scene) -> str:
    """Lock the last row of the ledger, let a run wait for it, then want a row that the run has."""
    stage.run()
    stage.needed += ACTIVITIES
    with stage.session() as session, stage.start(full=True, workers=1) as child:
        session.execute("begin")
        session.execute(
            "select from sync.activity_ledger where activity_id ="
            " (select activity_id from sync.activity_ledger order by activity_id desc limit 1)"
            " for update"
        )
        with stage.session() as watching:
            eventually(
                lambda: watching.execute(_WAITS_FOR_A_LOCK).fetchone(), "the run did not wait"
            )
        try:
            session.execute("select from sync.activity_ledger order by activity_id for update")
            victim = "the run"
        except pg.DeadlockDetected:
            victim = "the other session"
        session.execute("rollback")
        return f"{victim} was the victim; {child.told()}"


def _read_only(stage: Scene) -> str:
    database = sql.Identifier(str(stage.value("select current_database()")))

    def set_read_only() -> None:
        with stage.session() as session:
            statement = sql.SQL("alter database {} set default_transaction_read_only = on")
            session.execute(statement.format(database))
            session.execute(_END_OTHERS)

    try:
        return _stopped(_at_details(stage, set_read_only), stage)
    finally:
        with stage.session() as session:
            statement = sql.SQL("alter database {} reset default_transaction_read_only")
            session.execute(statement.format(database))


def _raising(code: str) -> Callable[[Scene], str]:
    """Return a play in which PostgreSQL raises an error once the first batch is in."""

    def play(stage: Scene) -> str:
        with _raised(stage, code):
            return _stopped(stage.run(), stage)

    return play


@contextmanager
def _raised(stage: Scene, code: str) -> Iterator[None]:
    with stage.session() as session:
        session.execute(_RAISE.format(after=BATCH // 2, code=code).encode())
        try:
            yield
        finally:
            session.execute("drop trigger fail on warehouse.activities; drop schema drill cascade")


def _stopped(ended: str, stage: Scene) -> str:
    if not ended.startswith("stopped"):
        raise Missed(f"the run should have stopped, and ended {ended}")
    return f"{ended}; {stage.kept()}"


FAULTS = (
    Fault("postgres-killed", "kill -9 of the PostgreSQL server", _kill_server, own_server=True),
    Fault("connections-ended", "all of the run's connections are ended", _end_connections),
    Fault("backend-ended-in-commit", "the connection is lost inside a commit", _end_in_commit),
    Fault("deadlock", "a deadlock with another session", _deadlock),
    Fault("read-only", "the server turns read-only", _read_only),
    Fault("disk-full", "PostgreSQL's disk is full after the first batch", _raising("53100")),
    Fault("statement-timeout", "statements time out after the first batch", _raising("57014")),
)
