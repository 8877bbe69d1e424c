"""Faults of the process: killed at any moment or inside a commit, interrupted, beside other runs."""

from __future__ import annotations

import shutil
import signal
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pipeline.drill.runs import BATCH, FIRST, LAST, WORKERS, Child
from pipeline.drill.trial import ACTIVITIES, ONE_BY_ONE, Fault, Trial
from pipeline.sync.days import ONE_DAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import psycopg

    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Phase

    Play = Callable[[Trial], str]


#: Details requests just before the first batch goes to PostgreSQL, and within the second batch.
_HALF, _SECOND = BATCH // 2, BATCH + 2

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
            environment = _settings(trial) | {"DAGSTER_HOME": folder}
            with Child(*command, environment=environment, folder=folder) as child:
                wait()
                child.stop(number, code)
        trial.allow_repeats()
        return f"exit {code}, {trial.progress()}"

    return play


def _settings(trial: Trial) -> dict[str, str]:
    given = trial.job.credentials
    return {
        "ACTIVITIES_BASE_URL": trial.job.base_url,
        "ACTIVITIES_API_KEY": given.api_key,
        "ACTIVITIES_USERNAME": given.username,
        "ACTIVITIES_PASSWORD": given.password,
        "ACTIVITIES_TIMEZONE": "UTC",
        "ACTIVITIES_START_DATE": FIRST.isoformat(),
        "ACTIVITIES_MAX_CONCURRENCY": "1",
        "WAREHOUSE_URL": trial.job.warehouse_url,
    }


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


def kill_in_commit(*, passes: bool, after: int = BATCH // 2) -> Play:
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


def _three_runs(trial: Trial) -> str:
    """Start a backfill, a nightly run and a full run at once."""
    trial.needed = 3 * ACTIVITIES
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


FAULTS = (
    Fault("kill-at-login", "kill -9 during the login", kill_at("login", 1)),
    Fault("kill-at-page", "kill -9 in the middle of the list", kill_at("list", 4)),
    Fault("kill-at-first-details", "kill -9 at the first details", kill_at("details", 1)),
    Fault("kill-before-first-batch", "kill -9 with nothing stored", kill_at("details", _HALF)),
    Fault("kill-after-first-batch", "kill -9 with one batch stored", kill_at("details", _SECOND)),
    Fault("kill-in-answer", "kill -9 with half an answer", kill_at("details", 31, "body")),
    Fault(
        "kill-with-many-in-flight",
        "kill -9 with several requests in flight",
        kill_at("details", 45, workers=WORKERS),
    ),
    Fault("kill-again-and-again", "kill -9 of three runs", kill_at("details", _SECOND, times=3)),
    Fault("ctrl-c", "Ctrl-C during `pipeline sync`", _interrupt(signal.SIGINT)),
    Fault("sigterm", "SIGTERM to `pipeline sync`", _interrupt(signal.SIGTERM)),
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
    Fault("three-runs-at-once", "backfill, nightly and full run over the same days", _three_runs),
    Fault("killed-beside-another", "kill -9 of one of two runs at once", _kill_beside),
)
