"""Faults of the process: killed at any moment or inside a commit, beside other runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from tests.support.faults.runs import BATCH
from tests.support.faults.trial import ACTIVITIES, ONE_BY_ONE, Trial

if TYPE_CHECKING:
    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Phase
    from tests.support.faults.play import Play


# A deferred constraint trigger runs inside the commit. There it waits for a lock that we hold.
_IN_COMMIT = """
constraint trigger fault after insert or update on sync.activity_ledger
deferrable initially deferred for each row
"""
_HOLD = """
if (select count({column}) from sync.activity_ledger) > {after} then
    perform pg_advisory_xact_lock(1);
end if;
"""
_HELD = """
select pid from pg_stat_activity
where datname = current_database() and wait_event = 'advisory' and upper(query) = 'COMMIT'
"""
_ENDED = "select true where not exists (select from pg_stat_activity where pid = %s)"


def kill_at(operation: Operation, number: int, phase: Phase = "before", **changes: Any) -> Play:
    """Return a play that kills a run at its ``number``-th request of an operation."""

    def play(trial: Trial) -> str:
        with (
            trial.hold(operation, number, phase) as wait,
            trial.start(**(changes or ONE_BY_ONE)) as child,
        ):
            wait()
            trial.kill(child)
        return f"exit -9 at {operation} request {number}, {trial.progress()}"

    return play


def in_commit(
    *,
    kills: bool,
    passes: bool,
    after: int = BATCH // 2,
    column: Literal["listed", "details"] = "details",
) -> Play:
    """Return a play that holds the commit that stores more than ``after`` rows of the list, or details.

    ``kills``: the run is killed in this commit; otherwise it goes on. ``passes``: the commit passes;
    otherwise its connection is ended, so it is rolled back.
    """

    def play(trial: Trial) -> str:
        with trial.trigger(_IN_COMMIT, _HOLD.format(column=column, after=after)) as session:
            session.execute("select pg_advisory_lock(1)")
            with trial.start(**ONE_BY_ONE) as child:
                (backend,) = trial.wait_for(_HELD)
                if kills:
                    trial.kill(child)
                if not passes:
                    session.execute("select pg_terminate_backend(%s, 30000)", (backend,))
                session.execute("select pg_advisory_unlock_all()")
                trial.wait_for(_ENDED, backend)
                ended = "exit -9 inside COMMIT" if kills else str(child.end())
        return f"{ended}; {trial.progress()}"

    return play


def _kill_beside(trial: Trial) -> str:
    """Kill one of two runs over the same days; the other one is not disturbed."""
    trial.needed = 2 * ACTIVITIES
    with trial.hold("details", ACTIVITIES // 2) as wait, trial.start() as killed:
        wait()
        ended = trial.run()
        trial.kill(killed)
    return f"the other one {ended}; {trial.progress()}"


FAULTS: dict[str, Play] = {
    # The run goes on and must load the batch again.
    "connection-lost-in-commit": in_commit(kills=False, passes=False),
    "killed-beside-another": _kill_beside,
}
