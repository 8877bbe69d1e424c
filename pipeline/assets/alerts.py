"""Alerts: one message for each run that failed, recovered, or whose checks failed, to each address.

Nights that did not happen and ticks that failed are reported once, too. After each good night the
heartbeat's address is requested, so that somebody outside notices when all of this is dead.

Dagster's ``run_failure_sensor`` does not serve: it does not repeat a message that an address did not
take, and it does not see checks.
"""

import json
import time
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final

import dagster as dg
from dagster import DagsterEventType, RunStatusChangeRecordsFilter

from pipeline.assets.posting import Alert, Kind, ping, post
from pipeline.assets.reasons import ENDED, events_of, reason_of, why_failed
from pipeline.assets.rhythm import NIGHTLY, RECENT
from pipeline.assets.sync_days import DAYS_TAG
from pipeline.assets.watch import job_name, missed_night, standing_still, switches
from pipeline.environment import environment
from pipeline.settings import Alerting, SettingsInvalid, load_alerting

#: Most ended runs that one tick looks at for one address. The next tick takes the others.
_AT_ONCE = 20

#: Seconds after which a tick starts no message. Dagster ends a tick after 60 and loses its cursor.
_LONGEST_TICK = 30.0

#: Most characters of a check's text that a message quotes.
_LONGEST = 600

#: Each of these settings turns the sensor on.
_SWITCHES = ("ACTIVITIES_ALERT_URLS", "ACTIVITIES_HEARTBEAT_URL")

_ENDS: Final = (DagsterEventType.RUN_FAILURE, DagsterEventType.RUN_SUCCESS)
_LAUNCH_AGAIN = "what is stored stays stored; remove the cause, then launch the same days again"


@dg.sensor(
    name="alerts",
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING
    if any(environment().get(name, "").strip() for name in _SWITCHES)
    else dg.DefaultSensorStatus.STOPPED,
    description="Posts runs that failed or recovered, failed checks of severity ERROR, missed nights and"
    " failed ticks to ACTIVITIES_ALERT_URLS, and requests ACTIVITIES_HEARTBEAT_URL after each good night."
    " These settings turn the sensor on.",
)
def alerts(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    """Post what ended since the last tick. A later tick repeats what an address did not take."""
    try:
        alerting = load_alerting()
    except SettingsInvalid as error:
        raise dg.Failure(str(error)) from None
    instance = context.instance
    targets = [url for url in (*alerting.alert_urls, alerting.heartbeat_url) if url]
    if not targets:
        return dg.SkipReason("ACTIVITIES_ALERT_URLS is not set: there is no address to post to")
    # By the name of each address: the last event that it needs no more, and the problems it knows.
    cursor: dict[str, Any] = {"told": {}} | json.loads(context.cursor or "{}")
    deadline = time.monotonic() + _LONGEST_TICK
    posted, refused = 0, []
    for number, url in enumerate(targets, start=1):
        place = cursor.get(_name(url), _newest_end(instance))
        for end in _ended(instance, place):
            if time.monotonic() > deadline:
                break
            taken = _deliver(context, alerting, url, end.run_id)
            if taken is False:
                refused.append(str(number))
                break
            posted += taken is True
            place = end.storage_id
        cursor[_name(url)] = place
    posted += _post_problems(instance, alerting, cursor)
    context.update_cursor(json.dumps(cursor))
    done = f"{_count(posted, 'message')} posted"
    if refused:
        done += f"; address {', '.join(refused)} of ACTIVITIES_ALERT_URLS took no message, next try later"
        context.log.error(done)
    return dg.SkipReason(done)


def _deliver(
    context: dg.SensorEvaluationContext, alerting: Alerting, url: str, run_id: str
) -> bool | None:
    """Return whether the address took the message about an ended run; None: no message is needed."""
    run = context.instance.get_run_by_id(run_id)
    if run is None or not _is_ours(context, run):
        return None
    if url == alerting.heartbeat_url:
        good = run.job_name == NIGHTLY and run.status is dg.DagsterRunStatus.SUCCESS
        # Of what is in quarantine, only very much fails with severity ERROR.
        good = good and not any(
            check.startswith("quarantine_empty ")
            for check in _failed_checks(context.instance, run_id)
        )
        return ping(url) if good else None
    alert = alert_of(context.instance, run, alerting.ui_url)
    return None if alert is None else post(url, alert)


def _post_problems(instance: dg.DagsterInstance, alerting: Alerting, cursor: dict[str, Any]) -> int:
    """Post each problem that is new to an address; return how many messages were taken."""
    now = datetime.now(UTC)
    still = [line for line in standing_still(instance, now) if ENDED not in line]
    problems = [*missed_night(instance, now), *switches(instance), *still]
    posted = 0
    for url in alerting.alert_urls:
        known = [line for line in cursor["told"].get(_name(url), []) if line in problems]
        new = [line for line in problems if line not in known]
        if new and post(url, Alert("the nights need attention", tuple(new))):
            known, posted = problems, posted + 1
        cursor["told"][_name(url)] = known
    return posted


def _name(url: str) -> str:
    """Return the cursor's name for an address: it tells addresses apart and does not reveal them."""
    return blake2b(url.encode(), digest_size=4).hexdigest()


def _newest_end(instance: dg.DagsterInstance) -> int:
    """Return the place of the newest end of a run. Alerts start with the runs that end after it."""
    newest = [instance.fetch_run_status_changes(kind, limit=1).records for kind in _ENDS]
    return max((record.storage_id for records in newest for record in records), default=0)


def _ended(instance: dg.DagsterInstance, after: int) -> list[dg.EventLogRecord]:
    """Return the ends of runs after the place ``after``, oldest first."""
    records: list[dg.EventLogRecord] = []
    for kind in _ENDS:
        wanted = RunStatusChangeRecordsFilter(event_type=kind, after_storage_id=after)
        found = instance.fetch_run_status_changes(wanted, limit=_AT_ONCE, ascending=True)
        records += found.records
    records.sort(key=lambda record: record.storage_id)
    return records[:_AT_ONCE]  # after these, one kind may have been cut by its limit


def _is_ours(context: dg.SensorEvaluationContext, run: dg.DagsterRun) -> bool:
    """Return whether a run belongs to this code location. Others may share the instance."""
    if run.remote_job_origin is None:  # started by the command line
        ours = context.repository_def
        return ours is not None and ours.has_job(run.job_name)
    origin = context.code_location_origin
    return origin is None or run.remote_job_origin.location_name == origin.location_name


def alert_of(instance: dg.DagsterInstance, run: dg.DagsterRun, ui_url: str | None) -> Alert | None:
    """Return the alert for an ended run; None: it needs none, or Dagster starts the run again by itself."""
    died = run.status is dg.DagsterRunStatus.FAILURE
    if died and run.tags.get("dagster/will_retry") == "true":
        return None  # the run that is started in its place says how it ended
    if died and run.job_name == RECENT and _failed_before(instance, run):
        return None  # there may be hundreds a day: the first one has told it
    failed = _failed_checks(instance, run.run_id)
    first_reason = None if died else _overcome(instance, run)
    if not (died or failed or first_reason):
        return None
    lines = [f"job: {job_name(run)}", f"run: {run.run_id}", f"days: {_days(run)}"]
    kind: Kind = "failure"
    if died:
        title = f"{job_name(run)} failed"
        lines += [f"reason: {why_failed(instance, run.run_id)}", f"to do: {_LAUNCH_AGAIN}"]
    elif failed:
        title = f"{job_name(run)} finished, but {_count(len(failed), 'check')} failed"
    else:
        title, kind = f"{job_name(run)} recovered", "info"
    if first_reason:
        lines += [f"tried again, because at first: {first_reason}"]
    if failed:
        lines += [f"failed checks: {len(failed)}", *(f"- {check}" for check in failed)]
    if ui_url:
        lines += [f"{ui_url}/runs/{run.run_id}"]
    return Alert(title, tuple(lines), kind)


def _failed_before(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Return whether the run of the same job before this one failed, too."""
    record = instance.get_run_record_by_id(run.run_id)
    created = record.create_timestamp if record else None
    before = dg.RunsFilter(job_name=run.job_name, created_before=created)
    return any(
        each.dagster_run.status is dg.DagsterRunStatus.FAILURE
        for each in instance.get_run_records(before, limit=1)
    )


def _overcome(instance: dg.DagsterInstance, run: dg.DagsterRun) -> str | None:
    """Return why a run that succeeded had to be tried again; None: it succeeded at once."""
    if run.parent_run_id and "dagster/retry_number" in run.tags:
        return why_failed(instance, run.parent_run_id)
    tries = events_of(instance, run.run_id, DagsterEventType.STEP_UP_FOR_RETRY)
    return reason_of(tries, "the run's log")


def _failed_checks(instance: dg.DagsterInstance, run_id: str) -> list[str]:
    """Return the failed checks of severity ERROR with their texts."""
    failed = []
    for event in events_of(instance, run_id, DagsterEventType.ASSET_CHECK_EVALUATION):
        check = event.asset_check_evaluation_data
        if not check.passed and check.severity is dg.AssetCheckSeverity.ERROR:
            name = f"{check.check_name} of {check.asset_key.to_user_string()}"
            failed.append(f"{name}: {(check.description or 'see the run')[:_LONGEST]}")
    return failed


def _days(run: dg.DagsterRun) -> str:
    """Return a run's days; a run that died before it began may have only Dagster's own tags."""
    first = run.tags.get("dagster/asset_partition_range_start") or run.tags.get("dagster/partition")
    last = run.tags.get("dagster/asset_partition_range_end", first)
    planned = first if first == last else f"{first}..{last}"
    return run.tags.get(DAYS_TAG) or planned or "not known"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
