"""The job that sends queued authorizations, and the sensor that starts it; off until it is switched on."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import dagster as dg

from pipeline.assets.loop import LoopThread
from pipeline.assets.mirror import CLEAR_ERRORS
from pipeline.assets.tables import POOL
from pipeline.service.client import ServiceClient
from pipeline.settings import Settings, SettingsInvalid, load_settings
from pipeline.sync.days import day_of, start_of
from pipeline.warehouse import authorizations
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.migrate import migrate, schema_state

if TYPE_CHECKING:
    from pipeline.authorizations.run import Summary

_JOB = "send_authorizations"
#: After a run that failed the sensor waits this long.
_PAUSE = timedelta(minutes=15)
_SECONDS_BETWEEN_LINES = 10.0

_UNDER_WAY = [
    status
    for status in dg.DagsterRunStatus
    if status.name not in ("SUCCESS", "FAILURE", "CANCELED")
]


class _Log:
    """A run's progress in its log: counts only."""

    def __init__(self, log: dg.DagsterLogManager) -> None:
        self._log = log
        self._told = datetime.now(UTC)

    def moved(self, done: int, total: int) -> None:
        """Log now and then how far the sending is."""
        now = datetime.now(UTC)
        if done == total or (now - self._told).total_seconds() >= _SECONDS_BETWEEN_LINES:
            self._told = now
            self._log.info(f"{done} of {total} sent")

    def said(self, message: str) -> None:
        """Log it."""
        self._log.info(message)


@dg.op(pool=POOL, out=dg.Out(dg.Nothing), description="Send what is queued, each once.")
def send_queued_authorizations(context: dg.OpExecutionContext) -> None:
    """Send what is queued, settle what is open; metadata are counts by state."""
    try:
        summary = _send(load_settings(), _Log(context.log))
    except CLEAR_ERRORS as error:
        raise dg.Failure(str(error), allow_retries=False) from None
    for problem in summary.problems:
        context.log.warning(problem)
    counts = {
        "linked_now": summary.linked,
        "queued_again_now": summary.requeued,
        **{f"{state}_now": number for state, number in summary.ended.items()},
        **summary.states,
    }
    context.add_output_metadata(counts)
    if summary.stopped:
        raise dg.Failure(
            f"{summary.stopped}; what is left stays queued", metadata=counts, allow_retries=False
        )


@dg.job(
    name=_JOB, description="Create the authorizations queued in warehouse.authorization_requests."
)
def send_authorizations() -> None:
    """Run the one op."""
    send_queued_authorizations()


@dg.sensor(
    name="authorizations_queued",
    job=send_authorizations,
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="Sends what is queued, and looks again for what a call without an answer created.",
)
def authorizations_queued(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Ask for a run when there is something to send or to look for, one at a time."""
    newest = context.instance.get_run_records(dg.RunsFilter(job_name=_JOB), limit=1)
    if newest:
        status, ended = newest[0].dagster_run.status, newest[0].end_time
        if status in _UNDER_WAY:
            return dg.SkipReason("a run is under way")
        since = datetime.now(UTC) - datetime.fromtimestamp(ended or 0, UTC)
        if status == dg.DagsterRunStatus.FAILURE and since < _PAUSE:
            return dg.SkipReason(f"the last run failed; the next one starts {_PAUSE} after it")
    try:
        reason = _nothing_to_do(load_settings())
    except (SettingsInvalid, WarehouseError) as error:
        raise dg.Failure(str(error)) from None
    return dg.SkipReason(reason) if reason else dg.RunRequest()


def _nothing_to_do(settings: Settings) -> str | None:
    engine = open_engine(settings.warehouse_url)
    try:
        if schema_state(engine).pending:
            return "the warehouse's schema is not there yet"
        to_send, to_look_for = authorizations.waiting(engine)
        today = start_of(day_of(datetime.now(UTC), settings.timezone), settings.timezone)
        if to_look_for or (
            to_send and authorizations.sent_since(engine, today) < settings.authorizations_per_day
        ):
            return None
        return "the day's calls are used up" if to_send else "nothing is queued"
    finally:
        engine.dispose()


def _send(settings: Settings, progress: _Log) -> "Summary":
    from pipeline.authorizations.run import (
        AuthorizationRun,  # with the numbering plans of all countries
    )

    migrate(settings.warehouse_url)
    engine = open_engine(settings.warehouse_url)

    async def run() -> "Summary":
        async with ServiceClient(settings.service_config()) as client:
            made = AuthorizationRun(
                client, engine, settings.timezone, settings.rules(), settings.page_size
            )
            return await made.send(progress)

    try:
        with LoopThread() as loop:
            return loop.run(run())
    finally:
        engine.dispose()
