"""Alerts: one message for each run that failed or whose checks did, to each address of the settings.

A sensor of our own instead of ``run_failure_sensor``: that one takes an event as done when posting it
failed, and knows nothing of checks.
"""

import json
import logging
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Final, Literal

import dagster as dg
from dagster import DagsterEventType, RunStatusChangeRecordsFilter

from pipeline.assets.partitions import RANGE_END, RANGE_START
from pipeline.assets.reasons import reason_of
from pipeline.settings import Alerting, SettingsInvalid, load_alerting

#: Ended runs looked at by one tick and address; what is left is the next tick's.
_AT_ONCE = 20

#: Seconds after which a tick begins no message: Dagster ends one after 60, and forgets what it posted.
_LONGEST_TICK = 30.0

#: Characters of a check's text that a message quotes.
_LONGEST = 600

_ENDS: Final = (DagsterEventType.RUN_FAILURE, DagsterEventType.RUN_SUCCESS)
_ANYWHERE = "what is stored stays stored; when the cause is gone, launch the same days again"
_BY_ITSELF = "nothing yet: Dagster starts the run again by itself"

# What apprise logs may quote an address, which is a secret.
logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)

#: The kinds of messages, as apprise names them.
Kind = Literal["info", "warning", "failure"]


@dataclass(frozen=True)
class Alert:
    """A message: no secret and no personal value in it."""

    title: str
    lines: tuple[str, ...]
    kind: Kind = "failure"


#: Posted by ``pipeline doctor --test-alert``.
TEST = Alert("a test", ("Alerts of failed runs and checks arrive here.",), "info")


def post(url: str, alert: Alert) -> bool:
    """Post to one address; returns whether it was taken."""
    from apprise import Apprise, NotifyFormat, NotifyType  # of no use to most processes

    notifier = Apprise()
    notifier.add(url)
    return bool(
        notifier.notify(
            title=f"activity-warehouse: {alert.title}",
            body="\n".join(alert.lines),
            notify_type=NotifyType(alert.kind),
            body_format=NotifyFormat.TEXT,
        )
    )


@dg.sensor(
    name="alerts",
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING
    if os.environ.get("ACTIVITIES_ALERT_URLS", "").strip()
    else dg.DefaultSensorStatus.STOPPED,
    description="Posts runs that failed, or whose checks of severity ERROR did, to the addresses in"
    " ACTIVITIES_ALERT_URLS; switched on by that setting.",
)
def alerts(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    """Post what ended since the last tick; what an address did not take is posted by a later tick."""
    try:
        alerting = load_alerting()
    except SettingsInvalid as error:
        raise dg.Failure(str(error)) from None
    if not alerting.urls:
        return dg.SkipReason("ACTIVITIES_ALERT_URLS is not set: nobody to tell")
    seen: dict[str, int] = json.loads(context.cursor or "{}")
    now: dict[str, int] = {}
    posted, deaf = 0, []
    deadline = time.monotonic() + _LONGEST_TICK
    for number, url in enumerate(alerting.urls, start=1):
        place = seen.get(_name(url), _newest_end(context.instance))
        for end, alert in _ended(context, alerting, place):
            if time.monotonic() > deadline:
                break
            if alert is not None and not post(url, alert):
                deaf.append(str(number))
                break
            posted += alert is not None
            place = end
        now[_name(url)] = place
    context.update_cursor(json.dumps(now))
    told = f"{posted} messages posted"
    if deaf:
        told += f"; address {', '.join(deaf)} of ACTIVITIES_ALERT_URLS took none, tried again later"
        context.log.error(told)
    return dg.SkipReason(told)


def _name(url: str) -> str:
    """Return what the cursor calls an address: enough to tell it from others, too little to guess it."""
    return blake2b(url.encode(), digest_size=4).hexdigest()


def _newest_end(instance: dg.DagsterInstance) -> int:
    """Return the place of the newest end of a run: alerts begin with what ends after it."""
    newest = [instance.fetch_run_status_changes(kind, limit=1).records for kind in _ENDS]
    return max((record.storage_id for records in newest for record in records), default=0)


def _ended(
    context: dg.SensorEvaluationContext, alerting: Alerting, after: int
) -> Iterator[tuple[int, Alert | None]]:
    """Yield the ends of runs after a place, oldest first: each one's place, and what is to be told."""
    instance = context.instance
    records: list[dg.EventLogRecord] = []
    for kind in _ENDS:
        wanted = RunStatusChangeRecordsFilter(event_type=kind, after_storage_id=after)
        found = instance.fetch_run_status_changes(wanted, limit=_AT_ONCE, ascending=True)
        records += found.records
    records.sort(key=lambda record: record.storage_id)
    for record in islice(records, _AT_ONCE):  # beyond, the other kind's may be missing
        run = instance.get_run_by_id(record.run_id)
        told = run is not None and _is_ours(context, run)
        yield record.storage_id, alert_of(instance, run, alerting.ui_url) if run and told else None


def _is_ours(context: dg.SensorEvaluationContext, run: dg.DagsterRun) -> bool:
    """Return whether a run is of this code location: others may share the instance."""
    if run.remote_job_origin is None:  # run by the command line
        ours = context.repository_def
        return ours is not None and ours.has_job(run.job_name)
    origin = context.code_location_origin
    return origin is None or run.remote_job_origin.location_name == origin.location_name


def alert_of(instance: dg.DagsterInstance, run: dg.DagsterRun, ui_url: str | None) -> Alert | None:
    """Return what is to be told of an ended run; None: nothing."""
    failed, warned = _failed_checks(instance, run.run_id)
    if run.status is not dg.DagsterRunStatus.FAILURE and not failed:
        return None
    lines = [f"job: {_job(run)}", f"run: {run.run_id}", f"days: {_days(run)}"]
    kind: Kind = "failure"
    if run.status is dg.DagsterRunStatus.FAILURE:
        title = f"{_job(run)} failed"
        again = run.tags.get("dagster/will_retry") == "true"
        kind = "warning" if again else kind
        lines += [f"reason: {_reason(instance, run.run_id)}"]
        lines += [f"to do: {_BY_ITSELF if again else _ANYWHERE}"]
    else:
        title = f"{_job(run)} finished, but {_count(len(failed), 'check')} failed"
    if failed:
        lines += [f"failed checks: {len(failed)}", *(f"- {check}" for check in failed)]
    if warned:
        lines += [f"warnings: {len(warned)} ({', '.join(warned)})"]
    if ui_url:
        lines += [f"{ui_url}/runs/{run.run_id}"]
    return Alert(title, tuple(lines), kind)


def _failed_checks(instance: dg.DagsterInstance, run_id: str) -> tuple[list[str], list[str]]:
    """Return the failed checks of severity ERROR with what they say, and the names of the others."""
    kind = DagsterEventType.ASSET_CHECK_EVALUATION
    failed, warned = [], []
    for record in instance.get_records_for_run(run_id, of_type=kind).records:
        event = record.event_log_entry.dagster_event
        if event is None or event.asset_check_evaluation_data.passed:
            continue
        check = event.asset_check_evaluation_data
        name = f"{check.check_name} of {check.asset_key.to_user_string()}"
        if check.severity is dg.AssetCheckSeverity.ERROR:
            failed.append(f"{name}: {(check.description or 'see the run')[:_LONGEST]}")
        else:
            warned.append(name)
    return failed, warned


def _reason(instance: dg.DagsterInstance, run_id: str) -> str:
    kinds = {DagsterEventType.STEP_FAILURE, DagsterEventType.RUN_FAILURE}
    records = instance.get_records_for_run(run_id, of_type=kinds).records
    events = [record.event_log_entry.dagster_event for record in records]
    known = [event for event in events if event is not None]
    stated, unexpected = reason_of(known)
    if stated is not None:
        return stated
    if unexpected is not None:
        return f"an unexpected {unexpected}; the run's log tells where"
    # Nothing of the run itself was heard: what Dagster says of its process.
    return (known[-1].message if known else None) or "the run's log tells"


def _job(run: dg.DagsterRun) -> str:
    if not run.job_name.startswith("__"):
        return run.job_name
    backfill = run.tags.get("dagster/backfill")
    return f"backfill {backfill}" if backfill else "materialization from the UI"


def _days(run: dg.DagsterRun) -> str:
    first = run.tags.get(RANGE_START) or run.tags.get("dagster/partition")
    last = run.tags.get(RANGE_END) or first
    if first is None:
        return "older days"
    return first if first == last else f"{first} to {last}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
