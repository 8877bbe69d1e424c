"""What Dagster shows of a run: facts of each day, of each table, and of the run itself.

Facts are counts, dates and codes; never a personal value or a secret.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

import dagster as dg
import msgspec
import sqlalchemy as sa

from pipeline.assets.rhythm import GRACE, NIGHTLY, crons, longest_pause
from pipeline.settings import DefinitionSettings
from pipeline.sync.options import Summary
from pipeline.warehouse.database.sql import shipped
from pipeline.warehouse.database.tables import count_rows
from pipeline.warehouse.state import service_facts
from pipeline.warehouse.state.coverage import DayCoverage

ACTIVITIES = dg.AssetKey(["warehouse", "activities"])

#: Upstream of everything; not ours, so Dagster only observes it: what each run asked and found.
SERVICE = dg.AssetKey(["service", "business_activities"])

#: The fact of an observation of the service that names the warehouse (`pipeline.assets.history`).
WAREHOUSE = "warehouse"

#: Of all our assets. `Definitions.map_asset_specs` sets others.
OWNERS = [each.strip() for each in DefinitionSettings().owners.split(",")]

#: The partitions of ``warehouse/activities``. The offset includes today.
DAYS = dg.DailyPartitionsDefinition(
    start_date=DefinitionSettings().start_date.isoformat(),
    timezone=DefinitionSettings().timezone.key,
    end_offset=1,
)

#: Warns and fails when nights do not happen, or do not bring this.
_PAUSE = longest_pause(crons()[NIGHTLY], datetime.now(UTC))
NIGHTLY_FRESHNESS = dg.FreshnessPolicy.time_window(
    fail_window=2 * _PAUSE + GRACE, warn_window=_PAUSE + GRACE
)


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
    return {
        **summary.counts(),
        "list_requests": summary.list_requests,
        "details_requests": summary.details_requests,
        "seconds": round(summary.seconds, 3),
        "status": summary.status,
        "problems": "; ".join(summary.problems) or "none",
        WAREHOUSE: service_facts.identity(engine),
    }


def table_facts(engine: sa.Engine) -> dict[dg.AssetKey, dict[str, Any]]:
    """Return the number of rows of each table. Raises a ``WarehouseError``."""
    return {
        dg.AssetKey(name.split(".")): {"dagster/row_count": rows}
        for name, rows in count_rows(engine).items()
    }


def judge(
    check: dg.AssetCheckSpec,
    problem: str | None,
    counts: Mapping[str, float] | None = None,
    *,
    serious: bool = False,
    found: str | None = None,
) -> dg.AssetCheckResult:
    """Return the result of a check: it fails with the text ``problem``, or shows ``found``.

    ``found``: by default what the check promises. ``serious``: alerts tell of a failure.
    """
    return dg.AssetCheckResult(
        asset_key=check.asset_key,
        check_name=check.name,
        passed=problem is None,
        severity=dg.AssetCheckSeverity.ERROR if serious else dg.AssetCheckSeverity.WARN,
        description=problem or found or check.description,
        metadata=counts,
    )


@cache
def described() -> dict[str, tuple[str, dg.TableSchema]]:
    """Return the meaning and the columns of each table and view, by ``sql/sources.yml``."""
    text = (shipped("sql") / "sources.yml").read_text(encoding="utf-8")
    found = {}
    for schema in msgspec.yaml.decode(text)["sources"]:
        for table in schema["tables"]:
            columns = [
                dg.TableColumn(each["name"], each["data_type"], each["description"])
                for each in table["columns"]
            ]
            name = f"{schema['name']}.{table['name']}"
            found[name] = (table["description"], dg.TableSchema(columns))
    return found


def action_spec(name: str, description: str, **attributes: Any) -> dg.AssetSpec:
    """Return the spec of an action: what asks the service, and fills no table of its own."""
    return dg.AssetSpec(
        ["actions", name],
        deps=[SERVICE],
        description=f"An action, not a table: {description}",
        group_name="actions",
        kinds={"python"},
        owners=OWNERS,
        **attributes,
    )


def relation_spec(name: str, more: str, **attributes: Any) -> dg.AssetSpec:
    """Return the spec of a table or view. ``more``: who fills or refreshes it."""
    meaning, columns = described()[name]
    return dg.AssetSpec(
        key=name.split("."),
        description=f"{meaning} {more}",
        group_name=name.split(".")[0],
        owners=OWNERS,
        metadata={"dagster/table_name": name, "dagster/column_schema": columns},
        **attributes,
    )
