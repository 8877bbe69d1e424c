"""The warehouse's tables as assets. One computation fills them all; ``activities`` has a partition a day.

A run launched in the UI for days carries them as Dagster's partitions. Any other run carries them in
its config, so that Dagster does not plan each day of a long range: only days written to get an event.
"""

from collections.abc import Collection, Iterator
from datetime import date
from functools import partial
from typing import Any

import dagster as dg
import sqlalchemy as sa

from pipeline.assets.facts import (
    ACTIVITIES,
    DAYS,
    NIGHTLY_FRESHNESS,
    OWNERS,
    SERVICE,
    judge,
    relation_spec,
    table_facts,
)
from pipeline.assets.parts import run_part
from pipeline.assets.resource import SyncResource, failure
from pipeline.assets.rhythm import NIGHTLY
from pipeline.assets.views import show_views
from pipeline.clock import today
from pipeline.configured import sync_options
from pipeline.settings import Settings, parse_date
from pipeline.sync.accounting import name_problems
from pipeline.sync.days import DayRange, nightly_days
from pipeline.sync.run import SyncRunner
from pipeline.warehouse.database.tables import TABLES
from pipeline.warehouse.state import coverage, quarantine

#: One pool for everything that calls the service: it bounds the load, however many runs are launched.
POOL = "activities_api"

#: Tag of a run with the days that it brings up to date.
DAYS_TAG = "days"

Result = dg.MaterializeResult[None] | dg.AssetCheckResult


class OpenConfig(dg.Config):
    """How to run. ``accept_gone``: mark activities as gone even where the brake would stop the run."""

    accept_gone: bool = False


class SyncConfig(OpenConfig):
    """How to run, and for which days where the run has no partitions.

    ``full``: fetch all details again. ``last``: yyyy-MM-dd, by default today. ``first``: by default
    the first day of the lookback.
    """

    full: bool = False
    first: str | None = None
    last: str | None = None


def _spec(table: str, more: str, **attributes: Any) -> dg.AssetSpec:
    above = SERVICE if table == "warehouse.activities" else ACTIVITIES
    return relation_spec(table, more, deps=[above], kinds={"postgres", "python"}, **attributes)


#: The service itself: outside of Dagster, upstream of everything. Each run is an observation of it.
SERVICE_SPEC = dg.AssetSpec(
    SERVICE,
    description="The Business Activities Service. Its observations say what each run asked and found.",
    group_name="service",
    kinds={"json"},
    owners=OWNERS,
)

_ACTIVITIES = _spec(
    "warehouse.activities",
    "Its computation fills all tables and refreshes all views.",
    freshness_policy=NIGHTLY_FRESHNESS,
)

#: Each run reports their rows.
TABLE_SPECS = [
    _spec(table, "Filled by the computation of warehouse/activities: materialize that.")
    for table in TABLES
    if table != "warehouse.activities"
]

_COMPLETE = dg.AssetCheckSpec(
    "days_complete",
    asset=ACTIVITIES,
    description="Every day walked so far is verified; its listed activities are stored or in quarantine.",
)
_QUARANTINE = dg.AssetCheckSpec(
    "quarantine_empty", asset=ACTIVITIES, description="No activity is in quarantine."
)


@dg.multi_asset(
    name="sync_days",
    specs=[_ACTIVITIES],
    check_specs=[_COMPLETE, _QUARANTINE],
    partitions_def=DAYS,
    backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=31),
    pool=POOL,
    # The newest days come before older work of the same run.
    op_tags={"dagster/priority": "1"},
)
def sync_days(
    context: dg.AssetExecutionContext, config: SyncConfig, sync: dg.ResourceParam[SyncResource]
) -> Iterator[Result]:
    """Bring the run's days up to date: walk the list, fetch what is new, changed or due, load it."""
    with sync.opened(context.op_execution_context):
        planned = _planned_days(context)
        days = planned or _configured_days(config, sync.settings)
        context.instance.add_run_tags(context.run_id, {DAYS_TAG: str(days)})
        options = sync_options(sync.settings, full=config.full, accept_gone=config.accept_gone)
        part = partial(SyncRunner.sync_days, run_id=context.run_id, days=days)
        _, unproven = run_part(context, sync, context.run_id, part, options, planned or ())
        if context.job_name != NIGHTLY:  # there, the last part shows what both have changed
            show_views(context, sync)
        tables = table_facts(sync.engine)
        for spec in TABLE_SPECS:
            context.log_event(dg.AssetMaterialization(spec.key, metadata=tables[spec.key]))
        yield from _check_results(sync.engine)
        if unproven:
            raise dg.Failure(_name(sync.engine, unproven, planned or ()), allow_retries=False)
        if planned:
            # Not in the result: Dagster would repeat it for every day.
            context.log_event(dg.AssetObservation(ACTIVITIES, metadata=tables[ACTIVITIES]))
        facts = None if planned else tables[ACTIVITIES]
        yield dg.MaterializeResult(asset_key=ACTIVITIES, metadata=facts)


def _name(engine: sa.Engine, unproven: list[date], planned: Collection[date]) -> str:
    """Return the line that names the days of a run that are not proven."""
    problems = "; ".join(name_problems([*coverage.of_days(engine, unproven).values()]))
    return (
        f"{len(unproven)} of {len(planned)} days are not proven: {problems}"
        " - the others are in; launch the failed and missing days again"
    )


def _planned_days(context: dg.AssetExecutionContext) -> DayRange | None:
    """Return the days of the run's partitions; None: it has no partitions."""
    if not (context.has_partition_key or context.has_partition_key_range):
        return None
    keys = context.partition_key_range
    return DayRange(date.fromisoformat(keys.start), date.fromisoformat(keys.end))


def _configured_days(config: SyncConfig, settings: Settings) -> DayRange:
    """Return the days that the run's config names. Raises ``dagster.Failure``."""
    try:
        last = parse_date(config.last) if config.last else today(settings.timezone)
        if config.first:
            return DayRange(parse_date(config.first), last)
    except ValueError as error:
        raise failure(error) from None
    return nightly_days(settings.start_date, settings.lookback_days, last)


def _check_results(engine: sa.Engine) -> Iterator[dg.AssetCheckResult]:
    """Judge the whole warehouse, not the run: a later chunk of a backfill must not hide an earlier one."""
    walked = coverage.between(engine).values()
    days = [day for day in reversed(walked) if not day.complete]
    problem = (
        f"{'; '.join(name_problems(days))} - materialize these days again;"
        " `select * from sync.coverage` shows more"
    )
    counts = {"incomplete_days": len(days)}
    yield judge(_COMPLETE, problem if days else None, counts, serious=True)
    number = quarantine.count_open(engine)
    problem = (
        f"{number} in quarantine - `pipeline quarantine list` shows them with reasons;"
        " later runs try again"
    )
    if many := quarantine.are_many(engine):
        problem = f"so many that one cause is likely: {problem}"
    counts = {"quarantined": number}
    yield judge(_QUARANTINE, problem if number else None, counts, serious=many)
