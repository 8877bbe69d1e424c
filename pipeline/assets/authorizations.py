"""The job that sends queued authorizations, and the sensor that starts it; the sensor is off by default."""

from datetime import UTC, datetime, timedelta

import dagster as dg

from pipeline.assets.loop import LoopThread
from pipeline.assets.mirror import CLEAR_ERRORS
from pipeline.assets.tables import POOL
from pipeline.settings import Settings, SettingsInvalid, load_settings
from pipeline.sync.days import day_of, start_of
from pipeline.warehouse import authorizations
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.migrate import migrate, schema_state

_JOB = "send_authorizations"
#: How long the sensor waits after a failed run.
_PAUSE = timedelta(minutes=15)


@dg.op(pool=POOL, out=dg.Out(dg.Nothing), description="Send what is queued, each once.")
def send_queued_authorizations(context: dg.OpExecutionContext) -> None:
    """Settle the open calls and send what is queued; the metadata are counts by state."""
    # Imported here: it brings the numbering plans of all countries, which only this job needs.
    from pipeline.authorizations.run import AuthorizationRun

    try:
        settings = load_settings()
        migrate(settings.warehouse_url)
        service, rules = settings.service_config(), settings.rules()
        run = AuthorizationRun(service, settings.warehouse_url, rules, context.log.info)
        with LoopThread() as loop:
            summary = loop.run(run.send())
    except CLEAR_ERRORS as error:
        raise dg.Failure(str(error), allow_retries=False) from None
    for problem in summary.problems:
        context.log.warning(problem)
    counts = {f"{state}_now": number for state, number in summary.now.items()} | summary.states
    context.add_output_metadata(counts)
    if summary.stopped:
        raise dg.Failure(
            f"{summary.stopped}; the rest stays queued", metadata=counts, allow_retries=False
        )
    if summary.overdue:
        raise dg.Failure(
            f"{summary.overdue} calls are not settled though the settling period is over:"
            " decide with `pipeline authorize list` and `pipeline authorize resolve`",
            metadata=counts,
            allow_retries=False,
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
    description="Sends what is queued, and looks again for what unclear calls created.",
)
def authorizations_queued(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Request a run when there is something to send or to settle, one run at a time."""
    for record in context.instance.get_run_records(dg.RunsFilter(job_name=_JOB), limit=1):
        if not record.dagster_run.is_finished:
            return dg.SkipReason("a run is under way")
        since = datetime.now(UTC) - datetime.fromtimestamp(record.end_time or 0, UTC)
        if record.dagster_run.status == dg.DagsterRunStatus.FAILURE and since < _PAUSE:
            return dg.SkipReason(f"the last run failed; the next one starts {_PAUSE} after it")
    try:
        reason = _nothing_to_do(load_settings())
    except (SettingsInvalid, WarehouseError) as error:
        raise dg.Failure(str(error)) from None
    return dg.SkipReason(reason) if reason else dg.RunRequest()


def _nothing_to_do(settings: Settings) -> str | None:
    """Return why no run is needed; None when there is something to do."""
    engine = open_engine(settings.warehouse_url)
    try:
        if schema_state(engine).pending:
            return "the warehouse's schema is not there yet"
        today = start_of(day_of(datetime.now(UTC), settings.timezone), settings.timezone)
        to_send, to_settle, calls = authorizations.count_waiting(engine, today)
    finally:
        engine.dispose()
    if to_settle or (to_send and calls < settings.authorizations_per_day):
        return None
    return "the daily limit of calls is reached" if to_send else "nothing is queued"
