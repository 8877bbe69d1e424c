"""What a materialisation shows: counts that plot over time, and previews without personal values."""

from collections import Counter
from datetime import date
from typing import Any

import dagster as dg
import sqlalchemy as sa

from pipeline.assets.charts import activities_chart
from pipeline.sync.days import DayRange
from pipeline.sync.options import Summary
from pipeline.warehouse import run_changes, verifications
from pipeline.warehouse.tables import activities_by_day

_MOST_DAYS = 40


def summary_metadata(engine: sa.Engine, summary: Summary) -> dict[str, Any]:
    """Return a run's counts; numbers, so that the UI plots them. Raises a ``WarehouseError``."""
    latest = verifications.latest(engine)
    stale = {"stale_percent": latest.percent} if latest is not None else {}
    return {
        **summary.counts(),
        "list_requests": summary.list_requests,
        "details_requests": summary.details_requests,
        "seconds": round(summary.seconds, 3),
        **stale,
        "status": summary.status,
        "problems": "; ".join(summary.problems) or "none",
        "changes": changes(engine, summary.run_id),
    }


def changes(engine: sa.Engine, run_id: str) -> dg.MarkdownMetadataValue:
    """Return the run diff in short: how many activities changed how, and in which fields."""
    rows = run_changes.counted(engine, run_id)
    lines = ["| change | field | activities |", "|---|---|---:|"]
    lines += [f"| {change} | {field or ''} | {number:,} |" for change, field, number in rows]
    each = f"Activity by activity: `pipeline runs show {run_id}`"
    return dg.MetadataValue.md("\n".join([*lines, "", each]) if rows else "nothing changed")


def daily(engine: sa.Engine, days: DayRange) -> dict[str, dg.MarkdownMetadataValue]:
    """Return activities a day by status, as a chart and as a table; codes and counts only."""
    rows = activities_by_day(engine, days.first, days.last)
    return {"chart": activities_chart(rows, days.first, days.last), "preview": _table(rows)}


def _table(rows: list[tuple[date, str, int]]) -> dg.MarkdownMetadataValue:
    totals = Counter[str]()
    for _, status, number in rows:
        totals[status] += number
    statuses = [status for status, _ in totals.most_common()]
    counts = {(day, status): number for day, status, number in rows}
    lines = [f"| day | {' | '.join(statuses)} |", f"|---|{'---:|' * len(statuses)}"]
    for day in sorted({day for day, _, _ in rows}, reverse=True)[:_MOST_DAYS]:
        cells = " | ".join(str(counts.get((day, status), "")) for status in statuses)
        lines.append(f"| {day} | {cells} |")
    return dg.MetadataValue.md("\n".join(lines))
