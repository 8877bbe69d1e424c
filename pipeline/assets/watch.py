"""What somebody must know: nights that failed or did not happen, what is stopped, what stands still.

The sensor ``alerts`` and ``pipeline status`` ask the same questions; only the command can tell that the
daemon is dead. Everything comes from Dagster's own history, so the answers need no warehouse.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
from dagster import DagsterRunStatus

from pipeline.assets.processes import UNDER_WAY, ended, is_unlocked
from pipeline.assets.reasons import ENDED, why_failed
from pipeline.assets.rhythm import GRACE, NIGHTLY, crons, newest_pause
from pipeline.times import shown

#: `pipeline ui` and `daemon` hold a lock on it, and so do the programs that they start.
DAEMON_LOCK = ".daemon.lock"

#: The daemon's scheduler reports each half minute. Dagster itself calls it dead after half an hour.
_SILENT = timedelta(minutes=30)

#: Errors of ours in a tick, whose words may be shown to anybody.
_OURS = ("SettingsInvalid", "Failure")

#: Without these nobody starts a night, or finds a run whose process has ended.
_NEEDED = (NIGHTLY, "ended_processes")

#: A run says something each ten seconds, but for the wait before it tries a failed step again: 15 minutes.
_STILL = timedelta(minutes=20)

#: How long a run may wait although no other one is under way.
_WAITING = timedelta(minutes=10)


def last_good(instance: dg.DagsterInstance, job: str = NIGHTLY) -> datetime | None:
    """Return when the newest successful run of a job ended, by default a night's; None: there was none."""
    wanted = dg.RunsFilter(job_name=job, statuses=[DagsterRunStatus.SUCCESS])
    ended = [record.end_time for record in instance.get_run_records(wanted, limit=1)]
    return datetime.fromtimestamp(ended[0], UTC) if ended and ended[0] else None


def missed_night(instance: dg.DagsterInstance, now: datetime) -> Iterator[str]:
    """Yield a line about a night, or a light run, that is overdue since the last good one or the first try.

    A night does what light runs do.
    """
    night = last_good(instance, NIGHTLY)
    for job, cron in crons().items():
        last = max(filter(None, (night, last_good(instance, job))), default=None)
        tried = instance.get_run_records(dg.RunsFilter(job_name=job), limit=1, ascending=True)
        since = last or (tried[0].create_timestamp if tried else now)
        if since <= newest_pause(cron, now - GRACE).end:
            what = "night" if job == NIGHTLY else f"run of `{job}`"
            said = f"no good {what} {f'since {shown(last)}' if last else 'ever'}"
            yield f"{said}: look at the job `{job}`; `pipeline sync` does what is missing"


def failed_night(instance: dg.DagsterInstance) -> Iterator[str]:
    """Yield the line about the newest night that ended, unless it did well or is tried again."""
    over = [DagsterRunStatus.SUCCESS, DagsterRunStatus.FAILURE, DagsterRunStatus.CANCELED]
    wanted = dg.RunsFilter(job_name=NIGHTLY, statuses=over)
    for record in instance.get_run_records(wanted, limit=1):
        run, when = record.dagster_run, shown(record.create_timestamp)
        if run.status is DagsterRunStatus.CANCELED:
            yield f"the night of {when} was canceled: `pipeline sync` does what is missing"
        if run.status is DagsterRunStatus.FAILURE and run.tags.get("dagster/will_retry") != "true":
            reason = why_failed(instance, run.run_id)
            yield f"the night of {when} failed: {reason} - `pipeline sync` does what is missing"


def switches(instance: dg.DagsterInstance, *wanted: str) -> Iterator[str]:
    """Yield a line for each schedule and sensor whose newest tick failed, or that is off though needed.

    Nights need some of them; others are ``wanted``.
    """
    for state in instance.all_instigator_state():
        name = f"the {state.instigator_type.value.lower()} {state.name}"
        if state.name in (*_NEEDED, *wanted) and state.status.value == "STOPPED":
            yield f"{name} is switched off: switch it on under Automation of `pipeline ui`"
        for tick in instance.get_ticks(state.instigator_origin_id, state.selector_id, limit=1):
            if tick.status.value == "FAILURE":
                error = tick.error
                reason = f"unexpected {error.cls_name}" if error else "no reason was stored"
                if error and error.cls_name in _OURS:
                    reason = error.message.split(": ", 1)[-1].strip()
                yield f"{name} could not do its work: {reason}; `pipeline doctor` says more"


def standing_still(instance: dg.DagsterInstance, now: datetime) -> Iterator[str]:
    """Yield a line for each run that is dead or stands still, and for a queue that does not move."""
    dead = {run.run_id for run in ended(instance, "pipeline")}
    records = instance.get_run_records(dg.RunsFilter(statuses=UNDER_WAY))
    for record in records:
        run = record.dagster_run
        name = f"the run {run.run_id[:8]} of {job_name(run)}"
        newest = instance.get_records_for_run(run.run_id, limit=1, ascending=False).records
        said = newest[0].timestamp if newest else record.create_timestamp.timestamp()
        if run.run_id in dead:
            yield f"{name}: {ENDED}; the daemon starts it again within a minute"
        elif now - (when := datetime.fromtimestamp(said, UTC)) > _STILL:
            yield f"{name} stands still since {shown(when)}: terminate it in the UI, then `pipeline sync`"
    queued = dg.RunsFilter(statuses=[DagsterRunStatus.QUEUED])
    for record in () if records else instance.get_run_records(queued, limit=1, ascending=True):
        if now - record.create_timestamp > _WAITING:
            since = shown(record.create_timestamp)
            yield f"runs wait since {since} although none is under way: restart the daemon, `pipeline ui`"


def job_name(run: dg.DagsterRun) -> str:
    """Return the name of a run's job; Dagster's own name of a run of chosen assets tells nothing."""
    return "materialization from the UI" if run.job_name.startswith("__") else run.job_name


def silent_daemon(instance: dg.DagsterInstance, now: datetime) -> Iterator[str]:
    """Yield the line about a daemon that has ended, as its lock shows, or gives no sign of life."""
    beats = [beat.timestamp for beat in instance.get_daemon_heartbeats().values()]
    seen = datetime.fromtimestamp(max(beats), UTC) if beats else None
    gone = is_unlocked(Path(instance.root_directory) / DAEMON_LOCK, without=False)
    if gone or seen is None or now - seen >= _SILENT:
        said = f"no sign of life since {shown(seen)}" if seen else "it has never run here"
        yield (
            f"Dagster's daemon is not running ({said}): no night will happen; start it by `pipeline ui`,"
            " or `systemctl start pipeline-daemon`"
        )
