"""What Dagster shows of a run: facts of each day, of each table, and of the run itself.

Facts are counts, dates and codes; never a personal value or a secret.
"""

import re
from collections.abc import Mapping
from typing import Any

import dagster as dg
import sqlalchemy as sa

from pipeline.sync.options import Summary
from pipeline.warehouse import run_changes, verifications
from pipeline.warehouse.catalog import Relation, read_relations
from pipeline.warehouse.coverage import DayCoverage
from pipeline.warehouse.tables import TABLES, count_rows

ACTIVITIES = dg.AssetKey(["warehouse", "activities"])

#: Upstream of everything; not ours, so Dagster only observes it: what each run asked and found.
SERVICE = dg.AssetKey(["service", "business_activities"])

#: Of all our assets. `Definitions.map_asset_specs` sets others.
OWNERS = ["team:data"]


def day_facts(day: DayCoverage, new: int, changed: int) -> dict[str, Any]:
    """Return the facts of one day: its coverage, and what the run found ``new`` and ``changed``."""
    return {
        "dagster/partition_row_count": day.stored,
        "listed": day.listed,
        "new": new,
        "changed": changed,
        "gone": day.gone,
        "quarantined": day.quarantined,
        "verified_at": day.verified_at and dg.MetadataValue.timestamp(day.verified_at),
    }


def run_facts(engine: sa.Engine, summary: Summary) -> dict[str, Any]:
    """Return the facts of one part of a run. Numbers are plotted by the UI. Raises a ``WarehouseError``."""
    bound = verifications.so_far(engine).stale_upper_bound
    return {
        **summary.counts(),
        "list_requests": summary.list_requests,
        "details_requests": summary.details_requests,
        "seconds": round(summary.seconds, 3),
        "stale_percent_at_most": round(100 * bound, 3),
        "status": summary.status,
        "problems": "; ".join(summary.problems) or "none",
        "changes": _changes(engine, summary.run_id),
    }


def table_facts(engine: sa.Engine) -> dict[dg.AssetKey, dict[str, Any]]:
    """Return rows and columns of each table, as the database states them. Raises a ``WarehouseError``."""
    rows = count_rows(engine)
    relations = read_relations(engine, "warehouse")
    return {
        dg.AssetKey(["warehouse", each.name]): {
            "dagster/row_count": rows[f"warehouse.{each.name}"],
            "dagster/column_schema": column_schema(each),
        }
        for each in relations
        if f"warehouse.{each.name}" in TABLES
    }


def judge(
    check: dg.AssetCheckSpec,
    problem: str | None,
    counts: Mapping[str, int] | None = None,
    severity: dg.AssetCheckSeverity = dg.AssetCheckSeverity.WARN,
) -> dg.AssetCheckResult:
    """Return the result of a check: it fails with the text ``problem``, or shows what it promises."""
    return dg.AssetCheckResult(
        asset_key=check.asset_key,
        check_name=check.name,
        passed=problem is None,
        severity=severity,
        description=problem or check.description,
        metadata=counts,
    )


_COMMENT = re.compile(r"^comment on (?:table|view) (\S+) is\s+'((?:[^']|'')*)'", re.MULTILINE)


def comments(text: str) -> dict[str, str]:
    """Return the comments on tables and views that a file of SQL makes, by name with schema."""
    return {name: comment.replace("''", "'") for name, comment in _COMMENT.findall(text)}


def column_schema(relation: Relation) -> dg.TableSchema:
    """Return the columns of a table or view with types and comments."""
    return dg.TableSchema(
        [
            dg.TableColumn(column.name, column.type, description=column.comment)
            for column in relation.columns
        ]
    )


def _changes(engine: sa.Engine, run_id: str) -> dg.MarkdownMetadataValue:
    """Return how many activities a run changed how, and in which fields."""
    rows = run_changes.counted(engine, run_id)
    lines = ["| change | field | activities |", "|---|---|---:|"]
    lines += [f"| {change} | {field or ''} | {number:,} |" for change, field, number in rows]
    each = f"Activity by activity: `pipeline runs show {run_id}`"
    return dg.MetadataValue.md("\n".join([*lines, "", each]) if rows else "nothing changed")
