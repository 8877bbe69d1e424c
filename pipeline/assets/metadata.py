"""What a materialisation shows: counts that plot over time, and a preview without personal values."""

from typing import Any

import dagster as dg
import sqlalchemy as sa

from pipeline.sync.days import DayRange
from pipeline.sync.options import Summary
from pipeline.warehouse.tables import activities_by_day

_MOST_DAYS = 40


def summary_metadata(summary: Summary) -> dict[str, Any]:
    """Return a run's counts; numbers, so that the UI plots them."""
    return {
        **summary.counts(),
        "list_requests": summary.list_requests,
        "details_requests": summary.details_requests,
        "seconds": round(summary.seconds, 3),
        "status": summary.status,
        "problems": "; ".join(summary.problems) or "none",
        "run": dg.MetadataValue.md(f"`pipeline runs show {summary.run_id}`"),
    }


def preview(engine: sa.Engine, days: DayRange) -> dg.MarkdownMetadataValue:
    """Return a table of activities a day by status; codes and counts only."""
    rows = activities_by_day(engine, days.first, days.last)
    statuses = sorted({status for _, status, _ in rows})
    counts = {(day, status): number for day, status, number in rows}
    lines = [f"| day | {' | '.join(statuses)} |", f"|---|{'---:|' * len(statuses)}"]
    for day in sorted({day for day, _, _ in rows}, reverse=True)[:_MOST_DAYS]:
        cells = " | ".join(str(counts.get((day, status), "")) for status in statuses)
        lines.append(f"| {day} | {cells} |")
    return dg.MetadataValue.md("\n".join(lines))
