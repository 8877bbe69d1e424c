"""The warehouse's tables as assets: one computation fills them all, a partition a day."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
import sqlalchemy as sa

from pipeline.assets.columns import column_schema, comments
from pipeline.assets.metadata import daily, summary_metadata
from pipeline.assets.mirror import MirrorResource
from pipeline.assets.partitions import daily_partitions, days_of
from pipeline.assets.progress import LogProgress
from pipeline.sync.options import Progress
from pipeline.warehouse import coverage, quarantine
from pipeline.warehouse.tables import count_rows

GROUP = "warehouse"

#: One pool for everything that asks the service: its load is bounded however much is launched.
POOL = "activities_api"

#: Days that a failing check names; the rest are counted.
_MOST_NAMED = 10

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
        description="Every day walked so far is verified, and what it lists is stored or in quarantine.",
    ),
    dg.AssetCheckSpec(
        "quarantine_empty",
        asset=dg.AssetKey("activities"),
        description="Nothing is in quarantine.",
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
    yield from _check_results(mirror.engine)


def progress_of(context: dg.AssetExecutionContext, given: Progress | None) -> Progress:
    """Return whom to tell: the command line's progress bar when there is one, else the log."""
    return given if given is not None else LogProgress(context.log)


def _check_results(engine: sa.Engine) -> Iterator[dg.AssetCheckResult]:
    """Judge the whole warehouse, not the run: a later chunk of a backfill must not hide an earlier one."""
    days = coverage.incomplete(engine)
    named = "; ".join(f"{each.day}: {each.problem}" for each in days[:_MOST_NAMED])
    more = f"; and {len(days) - _MOST_NAMED} more days" if len(days) > _MOST_NAMED else ""
    yield dg.AssetCheckResult(
        check_name="days_complete",
        asset_key="activities",
        passed=not days,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{named}{more} - materialize these days again;"
        " `select * from sync.coverage` tells more"
        if days
        else "every day is verified and adds up",
        metadata={"incomplete_days": len(days)},
    )
    quarantined = quarantine.count_open(engine)
    yield dg.AssetCheckResult(
        check_name="quarantine_empty",
        asset_key="activities",
        passed=quarantined == 0,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{quarantined} in quarantine - `pipeline quarantine list` names them with reasons;"
        " later runs try again"
        if quarantined
        else "nothing is in quarantine",
        metadata={"quarantined": quarantined},
    )
