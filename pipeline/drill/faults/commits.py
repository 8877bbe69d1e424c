"""Faults inside PostgreSQL's commit: the run is killed, or its connection ends."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pipeline.drill.runs import BATCH
from pipeline.drill.trial import ONE_BY_ONE, Fault, Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import psycopg

    from pipeline.drill.runs import Child

_KEY = 0x6472696C

# A deferred constraint trigger runs inside the commit. There it waits for a lock that we hold.
_IN_COMMIT = """
constraint trigger drill after insert or update on sync.activity_ledger
deferrable initially deferred for each row
"""
_HOLD = """
if (select count(*) from sync.activity_ledger) > {after} then
    perform pg_advisory_xact_lock({key});
end if;
"""
_HELD = """
select pid from pg_stat_activity
where datname = current_database() and wait_event = 'advisory' and upper(query) = 'COMMIT'
"""
_ROLL_BACK = "select pg_terminate_backend(%s, 30000)"
_UNLOCK = "select pg_advisory_unlock_all()"
_ENDED = "select true where not exists (select from pg_stat_activity where pid = %s)"


@contextmanager
def _held_commit(trial: Trial, after: int) -> Iterator[tuple[psycopg.Connection[Any], int, Child]]:
    """Start a run and hold its commit that brings the ledger above ``after`` rows.

    Yields a session of ours, the number of the backend that commits, and the run.
    """
    with trial.trigger(_IN_COMMIT, _HOLD.format(after=after, key=_KEY)) as session:
        session.execute("select pg_advisory_lock(%s)", (_KEY,))
        with trial.start(**ONE_BY_ONE) as child:
            (backend,) = trial.wait_for(_HELD)
            yield session, backend, child


def kill_in_commit(*, passes: bool, after: int = BATCH // 2) -> Callable[[Trial], str]:
    """Return a play that kills a run in a commit, which then passes or is rolled back."""

    def play(trial: Trial) -> str:
        with _held_commit(trial, after) as (session, backend, child):
            trial.kill(child)
            if not passes:
                session.execute(_ROLL_BACK, (backend,))
            session.execute(_UNLOCK)
            trial.wait_for(_ENDED, backend)
        return f"exit -9 inside COMMIT; {trial.progress()}"

    return play


def _end_connection(trial: Trial) -> str:
    """End the connection in a commit; the run goes on and must load the batch again."""
    with _held_commit(trial, BATCH // 2) as (session, backend, child):
        session.execute(_ROLL_BACK, (backend,))
        session.execute(_UNLOCK)
        return str(child.end())


FAULTS = (
    Fault(
        "kill-in-commit-that-holds",
        "kill -9 in a commit, which passes",
        kill_in_commit(passes=True),
    ),
    Fault(
        "kill-in-commit-that-fails",
        "kill -9 in a commit, which fails",
        kill_in_commit(passes=False),
    ),
    Fault("backend-ended-in-commit", "the connection is lost in a commit", _end_connection),
)
