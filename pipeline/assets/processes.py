"""Runs whose process has ended without a word: killed, out of memory, or its machine stopped.

While a run works, its process holds a lock on a file beside Dagster's history. The system gives the lock
back however the process ends, and no other process can be taken for it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
from dagster import DagsterEventType, DagsterRunStatus

from pipeline.assets.reasons import ENDED, events_of
from pipeline.clock import now

#: The states of a run that has a process.
UNDER_WAY = [DagsterRunStatus.STARTING, DagsterRunStatus.STARTED, DagsterRunStatus.CANCELING]

#: These, and the states of one that waits for its turn.
_NOT_ENDED = [DagsterRunStatus.QUEUED, DagsterRunStatus.NOT_STARTED, *UNDER_WAY]


@contextmanager
def locked(instance: dg.DagsterInstance, run_id: str) -> Iterator[None]:
    """Hold the lock of a run. Where no file can be written, nobody can tell that the process has ended."""
    file = _file(instance, run_id)
    new = file.with_suffix(".new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        opened = new.open("w")
    except OSError:
        yield
        return
    with opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        new.replace(file)  # it is never seen unlocked
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


def ended(instance: dg.DagsterInstance, location: str | None) -> Iterator[dg.DagsterRun]:
    """Yield the runs that are under way by Dagster's history and have no process any more.

    Without a lock, only runs of the code location ``location`` and of the command line are judged.
    """
    for run in instance.get_runs(dg.RunsFilter(statuses=UNDER_WAY)):
        origin = run.remote_job_origin
        ours = origin is None or origin.location_name == location
        if is_unlocked(_file(instance, run.run_id), ours and _is_gone(instance, run)):
            yield run


def why_wait(instance: dg.DagsterInstance, job: str, rest: timedelta) -> str | None:
    """Return why no run of a job may start: one has not ended, or the last failed within ``rest``."""
    waiting = dg.RunsFilter(job_name=job, statuses=_NOT_ENDED)
    if instance.get_run_records(waiting, limit=1):
        return f"a run of {job} is under way, or waits"
    for record in instance.get_run_records(dg.RunsFilter(job_name=job), limit=1):
        since = now() - datetime.fromtimestamp(record.end_time or 0, UTC)
        if record.dagster_run.status is DagsterRunStatus.FAILURE and since < rest:
            return f"the last run failed; the next one starts {rest} after it"
    return None


def _file(instance: dg.DagsterInstance, run_id: str) -> Path:
    return Path(instance.storage_directory()) / "processes" / run_id


def is_unlocked(file: Path, without: bool) -> bool:
    """Return whether nobody holds the lock; ``without`` where there is no such file."""
    try:
        with file.open() as opened:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return without
    return True


def _is_gone(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Return whether no process has the number that the run's has told; for before and after its lock."""
    if not isinstance(instance.run_launcher, dg.DefaultRunLauncher):
        return False  # it may be on another machine
    numbers = [
        int(str(event.engine_event_data.metadata["pid"].value))
        for event in events_of(instance, run.run_id, DagsterEventType.ENGINE_EVENT)
        if "pid" in event.engine_event_data.metadata
    ]
    try:
        os.kill(numbers[-1], 0)
    except ProcessLookupError:
        return True
    except (IndexError, PermissionError):  # it has not begun yet, or is another user's
        return False
    return False


@dg.sensor(
    name="ended_processes",
    minimum_interval_seconds=15,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Fails each run whose process has ended without a word: killed, out of memory, or its"
    " machine stopped. Dagster then starts the run again, and it goes on from what is stored.",
)
def ended_processes(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    """Report the runs without a process; the daemon tries them again."""
    origin = context.code_location_origin
    found = list(ended(context.instance, origin.location_name if origin else None))
    for run in found:
        if run.status is DagsterRunStatus.CANCELING:
            context.instance.report_run_canceled(run, ENDED)
        else:
            context.instance.report_run_failed(run, ENDED)
        _file(context.instance, run.run_id).unlink(missing_ok=True)
    told = ", ".join(run.run_id for run in found)
    return dg.SkipReason(f"{ENDED}: {told}" if told else "every run under way has its process")
