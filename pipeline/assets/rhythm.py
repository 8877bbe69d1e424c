"""When nights and light runs start, by the settings, and what that means for what is overdue."""

from datetime import datetime, timedelta

import dagster as dg

from pipeline.settings import DefinitionSettings

#: The job whose success is a good night, and the one that looks at the newest days between two nights.
NIGHTLY, RECENT = "nightly", "recent"

#: So long a run may take before it is missed.
GRACE = timedelta(hours=2)

#: Pauses of a schedule that are looked at: enough for a week of working days.
_PAUSES = 10


def crons() -> dict[str, str]:
    """Return the cron schedules of the jobs that the settings start."""
    settings = DefinitionSettings()
    found = {NIGHTLY: settings.schedule, RECENT: settings.recent_schedule}
    return {job: cron for job, cron in found.items() if cron}


def longest_pause(cron: str, before: datetime) -> timedelta:
    """Return the longest of the latest pauses between two runs."""
    found = timedelta(0)
    for _ in range(_PAUSES):
        pause = newest_pause(cron, before)
        found, before = max(found, pause.end - pause.start), pause.start
    return found


def newest_pause(cron: str, before: datetime) -> dg.TimeWindow:
    """Return the newest pause that ended, with the start of a run, at ``before`` or earlier."""
    zone = DefinitionSettings().timezone.key
    pauses = dg.TimeWindowPartitionsDefinition(
        cron_schedule=cron, start="2000-01-01", fmt="%Y-%m-%d", timezone=zone
    )
    found = pauses.get_prev_partition_window(before)
    assert found is not None  # noqa: S101 - since 2000 there were many
    return found
