"""The jobs, and the schedule of the nightly one."""

import dagster as dg

from pipeline.assets.checks import invariants
from pipeline.assets.open_activities import open_activities
from pipeline.assets.tables import sync_days
from pipeline.assets.views import analytics_views
from pipeline.settings import load_start_date, load_timezone

#: Outside the hours that daylight saving skips or repeats.
CRON = "30 4 * * *"

_CHECKS = dg.AssetSelection.checks(invariants)

sync_days_job = dg.define_asset_job(
    "sync_days_job",
    selection=dg.AssetSelection.assets(sync_days, analytics_views) | _CHECKS,
    description="Bring chosen days up to date, then the views.",
)

nightly_job = dg.define_asset_job(
    "nightly",
    selection=dg.AssetSelection.assets(sync_days, open_activities, analytics_views) | _CHECKS,
    description="The newest days with a lookback, what is due of older days, then the views.",
)


@dg.schedule(
    name="nightly",
    job=nightly_job,
    cron_schedule=CRON,
    execution_timezone=load_timezone().key,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Every night. A run also does the nights that were missed before it.",
)
def nightly(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Ask for one run. The run itself finds its first day in the warehouse."""
    at = context.scheduled_execution_time
    today = at.astimezone(load_timezone()).date()
    if today < load_start_date():
        return dg.SkipReason(f"ACTIVITIES_START_DATE {load_start_date()} is in the future")
    config = {"ops": {"sync_days": {"config": {"last": today.isoformat()}}}}
    return dg.RunRequest(run_key=at.isoformat(), run_config=config)
