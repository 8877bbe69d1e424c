"""Faults of PostgreSQL: connections ended, deadlocks, a full disk, statements that take too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg import errors as pg

from tests.support.faults.runs import BATCH, Missed
from tests.support.faults.trial import ACTIVITIES, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.faults.play import Play
    from tests.support.faults.runs import End


_END_OTHERS = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()
"""
_WAITS_FOR_A_LOCK = """
select true from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'
"""
_LOCK_LAST_ROW = """
select from sync.activity_ledger
where activity_id = (select activity_id from sync.activity_ledger order by 1 desc limit 1)
for update
"""
_DEADLOCKS = 10
_IN_LOAD = "trigger fault after insert or update on warehouse.activities for each statement"
_RAISE = """
if (select count(*) from warehouse.activities) > {after} then
    raise exception 'made up by a test' using errcode = '{code}';
end if;
"""


def _end_connections(trial: Trial) -> str:
    def end() -> None:
        with trial.session() as session:
            session.execute(_END_OTHERS)

    return str(_while_loading(trial, end))


def _while_loading(trial: Trial, act: Callable[[], object]) -> End:
    """Act while a run waits for details, with one batch stored and the next begun."""
    return trial.while_held("details", BATCH + 5, act, workers=1)


def _deadlock(trial: Trial) -> str:
    """Play deadlocks until PostgreSQL ends the run's transaction and not the other one.

    Each side looks for a deadlock once, a second after it began to wait: which one finds it depends on
    how soon the other session asks. Raises `Missed`.
    """
    for _ in range(_DEADLOCKS):
        trial.run()
        trial.needed += ACTIVITIES
        victim, ended = _deadlocked(trial)
        if victim == "the run" or ended.status != "complete":
            return f"{victim} was the victim; {ended}"
    raise Missed(f"the other session was the victim of all {_DEADLOCKS} deadlocks")


def _deadlocked(trial: Trial) -> tuple[str, End]:
    """Lock the last row of the ledger, let a run wait for it, then ask for a row of the run's."""
    with trial.session() as session, trial.start(full=True, workers=1) as child:
        session.execute("begin")
        session.execute(_LOCK_LAST_ROW)
        trial.wait_for(_WAITS_FOR_A_LOCK)
        try:
            session.execute("select from sync.activity_ledger order by activity_id for update")
            victim = "the run"
        except pg.DeadlockDetected:
            victim = "the other session"
        session.execute("rollback")
        return victim, child.end()


def raise_in_load(code: str) -> Play:
    """Return a play in which loads fail with this SQLSTATE once the first batch is stored."""

    def play(trial: Trial) -> str:
        with trial.trigger(_IN_LOAD, _RAISE.format(after=BATCH // 2, code=code)):
            return _stopped(trial, trial.run())

    return play


def _stopped(trial: Trial, ended: End) -> str:
    if ended.status != "stopped":
        raise Missed(f"the run did not stop, and ended {ended}")
    return f"{ended}; {trial.progress()}"


FAULTS: dict[str, Play] = {
    "connections-ended": _end_connections,
    "deadlock": _deadlock,
    "disk-full": raise_in_load("53100"),
    "statement-timeout": raise_in_load("57014"),
}
