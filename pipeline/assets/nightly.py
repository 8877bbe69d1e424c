"""The nightly run: the newest days with a lookback, then the due work of older ones."""

from datetime import date, datetime, timedelta

import dagster as dg

from pipeline.assets.open_activities import open_activities
from pipeline.assets.partitions import (
    configured_start,
    configured_zone,
    range_tags,
)
from pipeline.assets.tables import sync_days
from pipeline.assets.views import refresh_views
from pipeline.settings import Settings, SettingsInvalid, load_settings
from pipeline.sync.days import ONE_DAY, DayRange
from pipeline.warehouse import coverage
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.migrate import schema_state

#: Away from the hours that daylight saving skips or repeats.
CRON = "30 4 * * *"

sync_days_job = dg.define_asset_job(
    "sync_days_job",
    selection=dg.AssetSelection.assets(sync_days, refresh_views),
    description="Bring chosen days up to date, and the views with them.",
)

nightly_job = dg.define_asset_job(
    "nightly",
    selection=dg.AssetSelection.assets(sync_days, open_activities, refresh_views),
    description="The newest days with a lookback, what is due of older days, then the views.",
)


def nightly_days(settings: Settings, today: date) -> DayRange:
    """Return the days of a nightly run: the lookback, and before it the nights that were missed.

    Raises a ``WarehouseError``. ``today``: in the configured zone.
    """
    first = today - timedelta(days=settings.lookback_days - 1)
    engine = open_engine(settings.warehouse_url)
    try:
        newest = None if schema_state(engine).pending else coverage.newest_day(engine)
    finally:
        engine.dispose()
    if newest is not None:
        first = min(first, newest + ONE_DAY)
    return DayRange(max(min(first, today), min(settings.start_date, today)), today)


@dg.schedule(
    name="nightly",
    job=nightly_job,
    cron_schedule=CRON,
    execution_timezone=configured_zone().key,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Every night; missed nights are made up by the next one.",
)
def nightly(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Ask for one run over the newest days."""
    zone = configured_zone()
    at: datetime = context.scheduled_execution_time
    today = at.astimezone(zone).date()
    if today < configured_start():
        return dg.SkipReason(f"ACTIVITIES_START_DATE is {configured_start()}, still to come")
    try:
        days = nightly_days(load_settings(), today)
    except (SettingsInvalid, WarehouseError) as error:
        raise dg.Failure(str(error)) from None
    return dg.RunRequest(run_key=at.isoformat(), tags=range_tags(days))
