"""Settling authorizations: every night, and in the job that also sends what is queued, with its sensor.

The sensor is off by default.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

import dagster as dg

from pipeline.assets.facts import action_spec, judge
from pipeline.assets.processes import why_wait
from pipeline.assets.resource import SyncResource
from pipeline.assets.sync_days import POOL, Result
from pipeline.clock import now
from pipeline.configured import authorization_run
from pipeline.settings import SettingsInvalid, load_settings
from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.requests import authorizations
from pipeline.warehouse.requests.authorization_sender import SenderBusy
from pipeline.warehouse.schema.migrate import schema_state
from pipeline.warehouse.state.service_facts import value_of

_JOB = "send_authorizations"
_ACTION = action_spec(
    "settle_authorizations",
    "finds out what calls of authorization requests created. The job send_authorizations also sends what"
    " is queued.",
)
#: How long the sensor waits after a failed run.
_PAUSE = timedelta(minutes=15)

_CHECK = dg.AssetCheckSpec(
    "authorizations_settled",
    asset=_ACTION.key,
    description="Of every authorization request that was sent, the activity is found within the settling"
    " period, or it is known that there is none.",
)


class SettleConfig(dg.Config):
    """What to do. ``send``: send what is queued, too."""

    send: bool = False


@dg.multi_asset(name="settle_authorizations", specs=[_ACTION], check_specs=[_CHECK], pool=POOL)
def settle_authorizations(
    context: dg.AssetExecutionContext, config: SettleConfig, sync: dg.ResourceParam[SyncResource]
) -> Iterator[Result]:
    """Settle the open calls, and with ``send`` send what is queued; the metadata are counts by state."""
    summary = None
    with sync.opened(context.op_execution_context):
        counts = authorizations.count_by_state(sync.engine)
        if config.send or counts["sending"] + counts["sent"] + counts["unknown"]:
            # Only now is imported what does it: it brings the numbering plans of all countries.
            run = authorization_run(sync.settings, context.log.info)
            busy = () if config.send else (SenderBusy,)  # whoever sends settles, too
            with suppress(*busy):
                summary = sync.wait_for(run.send(only=None if config.send else []))
    if summary:
        counts = summary.states | {f"{state}_now": each for state, each in summary.now.items()}
        for line in summary.problems:
            context.log.warning(line)
    yield dg.MaterializeResult(metadata=counts)
    overdue = summary.overdue if summary else 0
    problem = (
        f"{overdue} calls are not settled though the settling period is over: decide with"
        " `pipeline authorize list` and `pipeline authorize resolve`"
    )
    yield judge(_CHECK, problem if overdue else None, {"overdue": overdue}, serious=True)
    if summary and summary.stopped:
        raise dg.Failure(
            f"{summary.stopped}; the rest stays queued", metadata=counts, allow_retries=False
        )


send_authorizations = dg.define_asset_job(
    _JOB,
    selection=dg.AssetSelection.assets(settle_authorizations),
    config=dg.RunConfig(ops={"settle_authorizations": SettleConfig(send=True)}),
    description="Create the authorizations queued in warehouse.authorization_requests.",
)


@dg.sensor(
    name="authorizations_queued",
    job=send_authorizations,
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="Sends what is queued, and looks again for what unclear calls created.",
)
def authorizations_queued(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Request a run when there is something to send or to settle, one run at a time."""
    if why := why_wait(context.instance, _JOB, _PAUSE):
        return dg.SkipReason(why)
    try:
        settings = load_settings()
        with warehouse_engine(settings.warehouse_url) as engine:
            if schema_state(engine).pending:
                return dg.SkipReason("the warehouse's schema is not there yet")
            if value_of(engine, authorizations.UNCONFIRMED) is not None:
                return dg.SkipReason(
                    "the warehouse was restored: `pipeline authorize confirm-restore` first"
                )
            to_send, to_settle, calls = authorizations.count_waiting(
                engine, now(), settings.timezone.key
            )
    except (SettingsInvalid, WarehouseError) as error:
        raise dg.Failure(str(error)) from None
    if to_settle or (to_send and calls < settings.authorizations_per_day):
        return dg.RunRequest()
    return dg.SkipReason("the daily limit of calls is reached" if to_send else "nothing is queued")
