"""The warehouse's tables as assets: one computation fills them all, a partition a day."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from pipeline.assets.columns import column_schema, comments
from pipeline.assets.metadata import daily, summary_metadata
from pipeline.assets.mirror import MirrorResource
from pipeline.assets.partitions import daily_partitions, days_of
from pipeline.assets.progress import LogProgress
from pipeline.sync.options import Progress, Summary
from pipeline.warehouse.tables import count_rows

GROUP = "warehouse"

#: One pool for everything that asks the service: its load is bounded however much is launched.
POOL = "activities_api"

#: The tables, each with those it refers to.
_TABLES: dict[str, tuple[str, ...]] = {
    "entities": (),
    "entity_social_media": ("entities",),
    "activities": ("entities",),
    "requirements": ("activities",),
    "requirement_items": ("requirements",),
    "accepted_items": ("requirements",),
    "timeline_events": ("activities",),
}


class SyncConfig(dg.Config):
    """How to run: ``full`` reads all details again; ``accept_gone`` lets the brake pass."""

    full: bool = False
    accept_gone: bool = False


def _spec(table: str, above: tuple[str, ...]) -> dg.AssetSpec:
    name = f"warehouse.{table}"
    return dg.AssetSpec(
        key=dg.AssetKey(table),
        deps=[dg.AssetKey(each) for each in above],
        description=comments()[name],
        group_name=GROUP,
        kinds={"postgres", "python"},
        owners=["team:data"],
        metadata={
            "dagster/table_name": name,
            "dagster/column_schema": column_schema(name),
        },
    )


SPECS = [_spec(table, above) for table, above in _TABLES.items()]

_CHECKS = [
    dg.AssetCheckSpec(
        "days_complete",
        asset=dg.AssetKey("activities"),
        description="Every day of the run is verified, and what it lists is stored or in quarantine.",
    ),
    dg.AssetCheckSpec(
        "quarantine_empty",
        asset=dg.AssetKey("activities"),
        description="Nothing of the run's days is in quarantine.",
    ),
]


@dg.multi_asset(
    name="sync_days",
    specs=SPECS,
    check_specs=_CHECKS,
    partitions_def=daily_partitions(),
    backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=31),
    can_subset=False,
    pool=POOL,
)
def sync_days(
    context: dg.AssetExecutionContext,
    config: SyncConfig,
    mirror: MirrorResource,
    progress: dg.ResourceParam[Any],
) -> Iterator[dg.MaterializeResult[None] | dg.AssetCheckResult]:
    """Bring the run's days up to date: walk the list, fetch what is new, changed or due, load it."""
    days = days_of(context)
    summary = mirror.run(
        lambda run: run.sync_days(context.run_id, days),
        progress_of(context, progress),
        full=config.full,
        accept_gone=config.accept_gone,
    )
    told = summary_metadata(mirror.engine, summary)
    rows = count_rows(mirror.engine)
    shown = daily(mirror.engine, days)
    for table in _TABLES:
        metadata = {"dagster/row_count": rows[f"warehouse.{table}"], **told}
        if table == "activities":
            metadata |= shown
        yield dg.MaterializeResult(asset_key=table, metadata=metadata)
    yield from _check_results(summary)


def progress_of(context: dg.AssetExecutionContext, given: Progress | None) -> Progress:
    """Return whom to tell: the command line's progress bar when there is one, else the log."""
    return given if given is not None else LogProgress(context.log)


def _check_results(summary: Summary) -> Iterator[dg.AssetCheckResult]:
    quarantined = summary.quarantined
    unfinished = [line for line in summary.problems if not line.endswith(" in quarantine")]
    yield dg.AssetCheckResult(
        check_name="days_complete",
        asset_key="activities",
        passed=not unfinished,
        severity=dg.AssetCheckSeverity.ERROR,
        description="; ".join(unfinished)
        + " - run these days again; `select * from sync.coverage` tells more"
        if unfinished
        else "every day is verified and adds up",
    )
    yield dg.AssetCheckResult(
        check_name="quarantine_empty",
        asset_key="activities",
        passed=quarantined == 0,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{quarantined} in quarantine: `pipeline quarantine list` names them with reasons;"
        " later runs try again"
        if quarantined
        else "nothing of these days is in quarantine",
        metadata={"quarantined": quarantined},
    )
