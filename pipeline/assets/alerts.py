"""Alerts: one message for each run that failed, or whose checks failed, to each configured address.

Dagster's ``run_failure_sensor`` does not serve: it does not repeat a message that an address did not
take, and it does not see checks.
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

from pipeline.assets.reasons import reason_of
from pipeline.assets.tables import DAYS_TAG
from pipeline.settings import Alerting, SettingsInvalid, load_alerting

#: Most ended runs that one tick looks at for one address. The next tick takes the others.
_AT_ONCE = 20

#: Seconds after which a tick starts no message. Dagster ends a tick after 60 and loses its cursor.
_LONGEST_TICK = 30.0

#: Most characters of a check's text that a message quotes.
_LONGEST = 600

_ENDS: Final = (DagsterEventType.RUN_FAILURE, DagsterEventType.RUN_SUCCESS)
_LAUNCH_AGAIN = "what is stored stays stored; remove the cause, then launch the same days again"
_WAIT = "nothing yet: Dagster starts the run again by itself"

# apprise may log an address, which is a secret.
logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)

#: The kinds of messages, as apprise names them.
Kind = Literal["info", "warning", "failure"]


@dataclass(frozen=True)
class Alert:
    """A message without secrets and personal values."""

    title: str
    lines: tuple[str, ...]
    kind: Kind = "failure"


#: Posted by ``pipeline doctor --test-alert``.
TEST = Alert("a test", ("Alerts of failed runs and checks arrive here.",), "info")


def post(url: str, alert: Alert) -> bool:
    """Post to one address; return whether the address took the message."""
    from apprise import Apprise, NotifyFormat, NotifyType  # most processes never post

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
    description="Posts failed runs, and runs with failed checks of severity ERROR, to the addresses in"
    " ACTIVITIES_ALERT_URLS. This setting turns the sensor on.",
)
def alerts(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    """Post what ended since the last tick. A later tick repeats what an address did not take."""
    try:
        alerting = load_alerting()
    except SettingsInvalid as error:
        raise dg.Failure(str(error)) from None
    if not alerting.urls:
        return dg.SkipReason("ACTIVITIES_ALERT_URLS is not set: there is no address to post to")
    seen: dict[str, int] = json.loads(context.cursor or "{}")
    now: dict[str, int] = {}
    posted, refused = 0, []
    deadline = time.monotonic() + _LONGEST_TICK
    for number, url in enumerate(alerting.urls, start=1):
        place = seen.get(_name(url), _newest_end(context.instance))
        for end, alert in _ended(context, alerting, place):
            if time.monotonic() > deadline:
                break
            if alert is not None and not post(url, alert):
                refused.append(str(number))
                break
            posted += alert is not None
            place = end
        now[_name(url)] = place
    context.update_cursor(json.dumps(now))
    done = f"{_count(posted, 'message')} posted"
    if refused:
        done += f"; address {', '.join(refused)} of ACTIVITIES_ALERT_URLS took no message, next try later"
        context.log.error(done)
    return dg.SkipReason(done)


def _name(url: str) -> str:
    """Return the cursor's name for an address: it tells addresses apart and does not reveal them."""
    return blake2b(url.encode(), digest_size=4).hexdigest()


def _newest_end(instance: dg.DagsterInstance) -> int:
    """Return the place of the newest end of a run. Alerts start with the runs that end after it."""
    newest = [instance.fetch_run_status_changes(kind, limit=1).records for kind in _ENDS]
    return max((record.storage_id for records in newest for record in records), default=0)


def _ended(
    context: dg.SensorEvaluationContext, alerting: Alerting, after: int
) -> Iterator[tuple[int, Alert | None]]:
    """Yield the place of each run's end after ``after``, oldest first, with its alert, if any."""
    instance = context.instance
    records: list[dg.EventLogRecord] = []
    for kind in _ENDS:
        wanted = RunStatusChangeRecordsFilter(event_type=kind, after_storage_id=after)
        found = instance.fetch_run_status_changes(wanted, limit=_AT_ONCE, ascending=True)
        records += found.records
    records.sort(key=lambda record: record.storage_id)
    for record in islice(records, _AT_ONCE):  # after these, one kind may have been cut by its limit
        run = instance.get_run_by_id(record.run_id)
        ours = run is not None and _is_ours(context, run)
        yield record.storage_id, alert_of(instance, run, alerting.ui_url) if run and ours else None


def _is_ours(context: dg.SensorEvaluationContext, run: dg.DagsterRun) -> bool:
    """Return whether a run belongs to this code location. Others may share the instance."""
    if run.remote_job_origin is None:  # started by the command line
        ours = context.repository_def
        return ours is not None and ours.has_job(run.job_name)
    origin = context.code_location_origin
    return origin is None or run.remote_job_origin.location_name == origin.location_name


def alert_of(instance: dg.DagsterInstance, run: dg.DagsterRun, ui_url: str | None) -> Alert | None:
    """Return the alert for an ended run; None: it needs none."""
    failed = _failed_checks(instance, run.run_id)
    if run.status is not dg.DagsterRunStatus.FAILURE and not failed:
        return None
    lines = [f"job: {_job(run)}", f"run: {run.run_id}", f"days: {_days(run)}"]
    kind: Kind = "failure"
    if run.status is dg.DagsterRunStatus.FAILURE:
        title = f"{_job(run)} failed"
        again = run.tags.get("dagster/will_retry") == "true"
        kind = "warning" if again else kind
        lines += [f"reason: {_reason(instance, run.run_id)}"]
        lines += [f"to do: {_WAIT if again else _LAUNCH_AGAIN}"]
    else:
        title = f"{_job(run)} finished, but {_count(len(failed), 'check')} failed"
    if failed:
        lines += [f"failed checks: {len(failed)}", *(f"- {check}" for check in failed)]
    if ui_url:
        lines += [f"{ui_url}/runs/{run.run_id}"]
    return Alert(title, tuple(lines), kind)


def _failed_checks(instance: dg.DagsterInstance, run_id: str) -> list[str]:
    """Return the failed checks of severity ERROR with their texts."""
    kind = DagsterEventType.ASSET_CHECK_EVALUATION
    failed = []
    for record in instance.get_records_for_run(run_id, of_type=kind).records:
        event = record.event_log_entry.dagster_event
        check = event.asset_check_evaluation_data if event else None
        if check and not check.passed and check.severity is dg.AssetCheckSeverity.ERROR:
            name = f"{check.check_name} of {check.asset_key.to_user_string()}"
            failed.append(f"{name}: {(check.description or 'see the run')[:_LONGEST]}")
    return failed


def _reason(instance: dg.DagsterInstance, run_id: str) -> str:
    kinds = {DagsterEventType.STEP_FAILURE, DagsterEventType.RUN_FAILURE}
    records = instance.get_records_for_run(run_id, of_type=kinds).records
    events = [record.event_log_entry.dagster_event for record in records]
    known = [event for event in events if event is not None]
    # If no event holds an error, Dagster's own message says what became of the run's process.
    said = known[-1].message if known else None
    return reason_of(known, "the run's log") or said or "see the run's log"


def _job(run: dg.DagsterRun) -> str:
    # Dagster's own name of a run of chosen assets tells a reader nothing.
    return "materialization from the UI" if run.job_name.startswith("__") else run.job_name


def _days(run: dg.DagsterRun) -> str:
    """Return a run's days; a run that died before it began may have only Dagster's own tags."""
    first = run.tags.get("dagster/asset_partition_range_start") or run.tags.get("dagster/partition")
    last = run.tags.get("dagster/asset_partition_range_end", first)
    planned = first if first == last else f"{first}..{last}"
    return run.tags.get(DAYS_TAG) or planned or "not known"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
