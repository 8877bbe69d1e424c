"""Days as Dagster partitions."""

import os
from datetime import date
from zoneinfo import ZoneInfo

import dagster as dg

from pipeline.settings import parse_date, parse_timezone
from pipeline.sync.days import DayRange

#: First partition where ``ACTIVITIES_START_DATE`` is not set, so that definitions load without it;
#: a run then ends with the settings named.
_START_UNSET = date(2026, 1, 1)

#: Tags by which Dagster names the range of partitions of one run.
RANGE_START = "dagster/asset_partition_range_start"
RANGE_END = "dagster/asset_partition_range_end"


def configured_zone() -> ZoneInfo:
    """Return the zone in which days are cut. Raises ``ValueError`` for an unknown one."""
    return parse_timezone(os.environ.get("ACTIVITIES_TIMEZONE", "").strip() or "UTC")


def configured_start() -> date:
    """Return the first day. Raises ``ValueError`` for a malformed one."""
    text = os.environ.get("ACTIVITIES_START_DATE", "").strip()
    return parse_date(text) if text else _START_UNSET


def daily_partitions() -> dg.DailyPartitionsDefinition:
    """Return a partition a day from the first one, today included."""
    return dg.DailyPartitionsDefinition(
        start_date=configured_start().isoformat(), timezone=configured_zone().key, end_offset=1
    )


def range_tags(days: DayRange) -> dict[str, str]:
    """Return the tags that make one run of these days."""
    return {RANGE_START: days.first.isoformat(), RANGE_END: days.last.isoformat()}


def days_of(context: dg.AssetExecutionContext) -> DayRange:
    """Return the days a run was asked for, be it one partition or a range of them."""
    keys = context.partition_key_range
    return DayRange(date.fromisoformat(keys.start), date.fromisoformat(keys.end))
