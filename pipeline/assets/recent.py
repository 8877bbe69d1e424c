"""The light job `recent`: what is new in the newest days and in a few older ones, between two nights."""

from datetime import timedelta
from functools import partial

import dagster as dg

from pipeline.assets.parts import run_part
from pipeline.assets.processes import why_wait
from pipeline.assets.resource import SyncResource
from pipeline.assets.rhythm import NIGHTLY, RECENT, crons
from pipeline.assets.sync_days import POOL
from pipeline.assets.views import show_views
from pipeline.clock import today
from pipeline.configured import sync_options
from pipeline.settings import DefinitionSettings
from pipeline.sync.run import SyncRunner

#: After a run that failed: a wrong password must lock no account, and a service that fails needs a rest.
_REST = timedelta(hours=1)


@dg.op(pool=POOL, description="Reads a few pages of the list, and the details of what is news.")
def read_newest_days(context: dg.OpExecutionContext, sync: dg.ResourceParam[SyncResource]) -> None:
    """Read the newest days, and a few older ones. Days without news get no event."""
    with sync.opened(context):
        settings = sync.settings
        part = partial(
            SyncRunner.sync_recent,
            run_id=context.run_id,
            today=today(settings.timezone),
            requests=settings.recent_requests,
        )
        run_part(context, sync, context.run_id, part, sync_options(settings))
        show_views(context, sync)


@dg.job(name=RECENT, description="What is new since the last run: a login and a few requests.")
def recent_job() -> None:
    """Read what is new."""
    read_newest_days()


@dg.schedule(
    name=RECENT,
    job=recent_job,
    cron_schedule=crons().get(RECENT, "*/5 * * * *"),
    execution_timezone=DefinitionSettings().timezone.key,
    default_status=dg.DefaultScheduleStatus.RUNNING
    if RECENT in crons()
    else dg.DefaultScheduleStatus.STOPPED,
    description="Between nights, as ACTIVITIES_RECENT_SCHEDULE says, which turns it on.",
)
def recent(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Ask for a run, unless one or a night is under way or waits, or the last one has just failed."""
    for job, rest in ((RECENT, _REST), (NIGHTLY, timedelta(0))):
        if why := why_wait(context.instance, job, rest):
            return dg.SkipReason(why)
    return dg.RunRequest()
