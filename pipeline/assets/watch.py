"""What somebody must know although no run ended: nights that did not happen, ticks that failed.

The sensor ``alerts`` and ``pipeline status`` ask the same questions; only the command can tell that the
daemon is dead. Everything comes from Dagster's own history, so the answers need no warehouse.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import dagster as dg

#: The job whose success is a good night.
NIGHTLY = "nightly"

#: How long after a good night the next one must be over.
_OVERDUE = timedelta(hours=26)

#: The daemon's scheduler reports each half minute. Dagster itself calls it dead after half an hour.
_SILENT = timedelta(minutes=30)

#: Errors of ours in a tick, whose words may be shown to anybody.
_OURS = ("SettingsInvalid", "Failure")


def last_good_night(instance: dg.DagsterInstance) -> datetime | None:
    """Return when the newest successful nightly run ended; None if there was none."""
    wanted = dg.RunsFilter(job_name=NIGHTLY, statuses=[dg.DagsterRunStatus.SUCCESS])
    ended = [record.end_time for record in instance.get_run_records(wanted, limit=1)]
    return datetime.fromtimestamp(ended[0], UTC) if ended and ended[0] else None


def missed_night(instance: dg.DagsterInstance, now: datetime) -> str | None:
    """Return the line about a night that is overdue; None: none is, or no night was ever tried."""
    last = last_good_night(instance)
    if last is None:
        tried = instance.get_run_records(dg.RunsFilter(job_name=NIGHTLY), limit=1, ascending=True)
        if not tried or now - tried[0].create_timestamp < _OVERDUE:
            return None
    elif now - last < _OVERDUE:
        return None
    since = f"since {last:%Y-%m-%d %H:%M} UTC" if last else "ever"
    return f"no good night {since}: look at the job `nightly`; `pipeline sync` does what is missing"


def failed_ticks(instance: dg.DagsterInstance) -> Iterator[str]:
    """Yield a line for each schedule and sensor whose newest tick failed."""
    for state in instance.all_instigator_state():
        for tick in instance.get_ticks(state.instigator_origin_id, state.selector_id, limit=1):
            if tick.status.value == "FAILURE":
                kind, error = state.instigator_type.value.lower(), tick.error
                reason = f"unexpected {error.cls_name}" if error else "no reason was stored"
                if error and error.cls_name in _OURS:
                    reason = error.message.split(": ", 1)[-1].strip()
                yield f"the {kind} {state.name} could not do its work: {reason}"


def sensor_is_on(instance: dg.DagsterInstance, name: str) -> bool:
    """Return whether somebody switched on a sensor that is off by default."""
    return any(
        state.name == name and state.status.value == "RUNNING"
        for state in instance.all_instigator_state()
    )


def silent_daemon(instance: dg.DagsterInstance, now: datetime) -> str | None:
    """Return the line about a daemon that gives no sign of life; None: it works."""
    beats = [beat.timestamp for beat in instance.get_daemon_heartbeats().values()]
    seen = datetime.fromtimestamp(max(beats), UTC) if beats else None
    if seen and now - seen < _SILENT:
        return None
    said = f"no sign of life since {seen:%Y-%m-%d %H:%M} UTC" if seen else "it has never run here"
    return f"Dagster's daemon is not running ({said}): no night will happen; start it"
