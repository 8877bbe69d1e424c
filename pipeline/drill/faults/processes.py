"""Faults of the process: killed at any moment or inside a commit, interrupted, beside other runs."""

from __future__ import annotations

import shutil
import signal
import tempfile
from typing import TYPE_CHECKING, Any, Literal

from pipeline.drill.runs import BATCH, FIRST, LAST, WORKERS, Child
from pipeline.drill.trial import ACTIVITIES, ONE_BY_ONE, Fault, Trial
from pipeline.sync.days import ONE_DAY

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Phase

    Play = Callable[[Trial], str]


#: Details requests just before the first batch goes to PostgreSQL, and within the second batch.
_HALF, _SECOND = BATCH // 2, BATCH + 2

# A deferred constraint trigger runs inside the commit. There it waits for a lock that we hold.
_IN_COMMIT = """
constraint trigger drill after insert or update on sync.activity_ledger
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


def kill_at(
    operation: Operation, number: int, phase: Phase = "before", times: int = 1, **changes: Any
) -> Play:
    """Return a play that kills ``times`` runs, each at its ``number``-th request of an operation."""

    def play(trial: Trial) -> str:
        for _ in range(times):
            with (
                trial.hold(operation, number, phase) as wait,
                trial.start(**(changes or ONE_BY_ONE)) as child,
            ):
                wait()
                trial.kill(child)
        often = f"{times} times " if times > 1 else ""
        return f"{often}exit -9 at {operation} request {number}, {trial.progress()}"

    return play


def _interrupt(number: signal.Signals) -> Play:
    """Return a play that sends a signal to the real ``pipeline sync`` at its 26th details request."""
    code = 128 + number

    def play(trial: Trial) -> str:
        with trial.hold("details", 26) as wait, tempfile.TemporaryDirectory() as folder:
            # Dagster's history of this run is of no use to anyone.
            shutil.copy(trial.project / "dagster.yaml", folder)
            command = ("pipeline", "sync", "--from", f"{FIRST}", "--to", f"{LAST}")
            environment = {
                **trial.state.settings.environment(trial.job.base_url, trial.state.clock.now()),
                "ACTIVITIES_MAX_CONCURRENCY": "1",
                "WAREHOUSE_URL": trial.job.warehouse_url,
                "DAGSTER_HOME": folder,
            }
            with Child(*command, environment=environment, folder=folder) as child:
                wait()
                child.stop(number, code)
        trial.allow_repeats()
        return f"exit {code}, {trial.progress()}"

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


def _three_runs(trial: Trial) -> str:
    """Start a backfill, a nightly run and a full run at once."""
    # A run asks again where another one has stored the row of the list after it asked.
    trial.needed = 2 * 3 * ACTIVITIES
    with (
        trial.start() as backfill,
        trial.start(first=LAST - 2 * ONE_DAY, nightly=True) as nightly,
        trial.start(full=True) as full,
    ):
        ended = [str(child.end()) for child in (backfill, nightly, full)]
    return f"{', '.join(ended)}; {trial.progress()}"


def _kill_beside(trial: Trial) -> str:
    """Kill one of two runs over the same days; the other one is not disturbed."""
    trial.needed = 2 * ACTIVITIES
    with trial.hold("details", ACTIVITIES // 2) as wait, trial.start() as killed:
        wait()
        ended = trial.run()
        trial.kill(killed)
    return f"the other one {ended}; {trial.progress()}"


_KILL_MANY = kill_at("details", 45, workers=WORKERS)
_KILL_THEN_PASS = in_commit(kills=True, passes=True)
_KILL_THEN_FAIL = in_commit(kills=True, passes=False)
# The run goes on and must load the batch again.
_END_CONNECTION = in_commit(kills=False, passes=False)

FAULTS = (
    Fault("kill-at-login", "kill -9 during the login", kill_at("login", 1)),
    Fault("kill-at-page", "kill -9 in the middle of the list", kill_at("list", 4)),
    Fault("kill-at-first-details", "kill -9 at the first details", kill_at("details", 1)),
    Fault("kill-before-first-batch", "kill -9 with nothing stored", kill_at("details", _HALF)),
    Fault("kill-after-first-batch", "kill -9 with one batch stored", kill_at("details", _SECOND)),
    Fault("kill-in-answer", "kill -9 with half an answer", kill_at("details", 31, "body")),
    Fault("kill-with-many-in-flight", "kill -9 with several requests in flight", _KILL_MANY),
    Fault("kill-again-and-again", "kill -9 of three runs", kill_at("details", _SECOND, times=3)),
    Fault("ctrl-c", "Ctrl-C during `pipeline sync`", _interrupt(signal.SIGINT)),
    Fault("sigterm", "SIGTERM to `pipeline sync`", _interrupt(signal.SIGTERM)),
    Fault("kill-in-commit-that-holds", "kill -9 in a commit, which passes", _KILL_THEN_PASS),
    Fault("kill-in-commit-that-fails", "kill -9 in a commit, which fails", _KILL_THEN_FAIL),
    Fault("backend-ended-in-commit", "the connection is lost in a commit", _END_CONNECTION),
    Fault("three-runs-at-once", "backfill, nightly and full run over the same days", _three_runs),
    Fault("killed-beside-another", "kill -9 of one of two runs at once", _kill_beside),
)
