"""Days as Dagster partitions (docs/design.md "Dagster")."""

from datetime import date

import dagster as dg

from pipeline.settings import load_start_date, load_timezone

#: First partition while ``ACTIVITIES_START_DATE`` is not set: definitions must load without settings.
_START_UNSET = date(2026, 1, 1)

#: Tag of a run with the days that it brings up to date.
DAYS_TAG = "days"


def configured_start() -> date:
    """Return the first day. Raises ``SettingsInvalid``."""
    return load_start_date(default=_START_UNSET)


def daily_partitions() -> dg.DailyPartitionsDefinition:
    """Return one partition for each day since the first one, today included."""
    return dg.DailyPartitionsDefinition(
        start_date=configured_start().isoformat(), timezone=load_timezone().key, end_offset=1
    )
