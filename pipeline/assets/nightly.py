"""The jobs, and the schedule of the nightly one."""

import dagster as dg

from pipeline.assets.authorizations import settle_authorizations
from pipeline.assets.checks import invariants
from pipeline.assets.older_days import check_older_days
from pipeline.assets.rhythm import NIGHTLY, crons
from pipeline.assets.sync_days import sync_days
from pipeline.settings import DefinitionSettings
from pipeline.sync.days import nightly_days

_CHECKS = dg.AssetSelection.checks(invariants)

sync_days_job = dg.define_asset_job(
    "sync_days_job",
    selection=dg.AssetSelection.assets(sync_days) | _CHECKS,
    description="Bring chosen days up to date, then the views.",
)

nightly_job = dg.define_asset_job(
    NIGHTLY,
    selection=dg.AssetSelection.assets(sync_days, check_older_days, settle_authorizations)
    | _CHECKS,
    description="The newest days with a lookback, what is due of older days, the views, and authorizations"
    " whose activity is not known yet.",
)


@dg.schedule(
    name=NIGHTLY,
    job=nightly_job,
    cron_schedule=crons()[NIGHTLY],
    execution_timezone=DefinitionSettings().timezone.key,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Every night. A run also does the nights that were missed before it.",
)
def nightly(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Ask for one run, with the days of the lookback as its partitions. The warehouse is not asked."""
    at, settings = context.scheduled_execution_time, DefinitionSettings()
    today = at.astimezone(settings.timezone).date()
    if today < (start := settings.start_date):
        return dg.SkipReason(f"ACTIVITIES_START_DATE {start} is in the future")
    days = nightly_days(start, settings.lookback_days, today)
    return dg.RunRequest(
        run_key=at.isoformat(),
        tags={
            "dagster/asset_partition_range_start": days.first.isoformat(),
            "dagster/asset_partition_range_end": days.last.isoformat(),
        },
    )
