"""The warehouse's tables as assets. One computation fills them all; ``activities`` has a partition a day.

A run launched in the UI for days carries them as Dagster's partitions. Any other run carries them in
its config, so that Dagster does not plan each day of a long range: only days written to get an event.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import dagster as dg
import sqlalchemy as sa

from pipeline.assets.facts import (
    ACTIVITIES,
    Covered,
    covered_days,
    day_facts,
    run_facts,
    table_facts,
    written_days,
)
from pipeline.assets.mirror import OpenMirror, failure
from pipeline.settings import Settings, load_start_date, load_timezone, parse_date
from pipeline.sync.accounting import name_problems
from pipeline.sync.days import ONE_DAY, DayRange, day_of
from pipeline.sync.options import Summary
from pipeline.warehouse import coverage, quarantine

GROUP = "warehouse"

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
    the first day of the lookback, or of the nights missed before it.
    """

    full: bool = False
    first: str | None = None
    last: str | None = None


def _spec(table: str, description: str) -> dg.AssetSpec:
    key = dg.AssetKey(["warehouse", table])
    return dg.AssetSpec(
        key=key,
        deps=[] if key == ACTIVITIES else [ACTIVITIES],
        description=description,
        group_name=GROUP,
        kinds={"postgres", "python"},
        owners=["team:data"],
        metadata={"dagster/table_name": f"warehouse.{table}"},
    )


_ACTIVITIES = _spec("activities", "One row per activity. Its computation fills all tables.")

#: Filled by the computation of ``activities``. Each run reports their rows and columns.
TABLE_SPECS = [
    _spec("entities", "Counterparts: individuals and businesses, as last observed."),
    _spec("entity_social_media", "Social links of an entity, in the order received."),
    _spec("requirements", "What each activity requested, accepted and declined."),
    _spec("requirement_items", "Items of requested and declined requirements."),
    _spec("accepted_items", "Items of accepted requirements, with the values shared."),
    _spec("timeline_events", "Status changes of each activity."),
]


@dg.multi_asset(
    name="sync_days",
    specs=[_ACTIVITIES],
    check_specs=[
        dg.AssetCheckSpec(
            "days_complete",
            asset=ACTIVITIES,
            description="Every day walked so far is verified, and its listed activities are stored"
            " or in quarantine.",
        ),
        dg.AssetCheckSpec(
            "quarantine_empty", asset=ACTIVITIES, description="No activity is in quarantine."
        ),
    ],
    partitions_def=dg.DailyPartitionsDefinition(
        # The offset includes today.
        start_date=load_start_date().isoformat(),
        timezone=load_timezone().key,
        end_offset=1,
    ),
    backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=31),
    pool=POOL,
)
def sync_days(
    context: dg.AssetExecutionContext, config: SyncConfig, mirror: dg.ResourceParam[OpenMirror]
) -> Iterator[Result]:
    """Bring the run's days up to date: walk the list, fetch what is new, changed or due, load it."""
    planned = _planned_days(context)
    days = planned or _configured_days(config, mirror)
    context.instance.add_run_tags(context.run_id, {DAYS_TAG: str(days)})
    before = covered_days(mirror.engine)
    summary = mirror.run(
        lambda run: run.sync_days(context.run_id, days),
        context.log,
        full=config.full,
        accept_gone=config.accept_gone,
    )
    after = covered_days(mirror.engine)
    if planned:
        # Dagster itself writes the events of the days that it planned, with these facts.
        for day in planned:
            facts = day_facts(after[day]) if day in after else {}
            context.add_asset_metadata(facts, ACTIVITIES, str(day))
        yield dg.MaterializeResult(asset_key=ACTIVITIES)
    report_days(context, mirror.engine, summary, before, after, planned)
    tables = table_facts(mirror.engine)
    for spec in TABLE_SPECS:
        context.log_event(dg.AssetMaterialization(spec.key, metadata=tables[spec.key]))
    totals = tables[ACTIVITIES] | run_facts(mirror.engine, summary)
    if planned:
        # Not a materialization: a backfill fails on one without a partition.
        context.log_event(dg.AssetObservation(ACTIVITIES, metadata=totals))
    else:
        yield dg.MaterializeResult(asset_key=ACTIVITIES, metadata=totals)
    yield from _check_results(mirror.engine)


def report_days(
    context: dg.AssetExecutionContext,
    engine: sa.Engine,
    summary: Summary,
    before: Covered,
    after: Covered,
    planned: DayRange | None = None,
) -> None:
    """Record a materialization for each day that the run wrote to, except for ``planned`` ones."""
    for day in sorted(written_days(engine, summary.run_id, before, after)):
        if day in after and not (planned and day in planned):
            context.log_event(
                dg.AssetMaterialization(
                    ACTIVITIES, partition=str(day), metadata=day_facts(after[day])
                )
            )


def nightly_days(engine: sa.Engine, settings: Settings, last: date) -> DayRange:
    """Return the days of a nightly run: the lookback, and before it the nights that were missed.

    Raises a ``WarehouseError``. ``last``: the day of the run in the configured zone.
    """
    first = last - timedelta(days=settings.lookback_days - 1)
    newest = coverage.newest_day(engine)
    if newest is not None:
        first = min(first, newest + ONE_DAY)
    return DayRange(max(min(first, last), min(settings.start_date, last)), last)


def _planned_days(context: dg.AssetExecutionContext) -> DayRange | None:
    """Return the days of the run's partitions; None: it has no partitions."""
    if not (context.has_partition_key or context.has_partition_key_range):
        return None
    keys = context.partition_key_range
    return DayRange(date.fromisoformat(keys.start), date.fromisoformat(keys.end))


def _configured_days(config: SyncConfig, mirror: OpenMirror) -> DayRange:
    """Return the days that the run's config names. Raises ``dagster.Failure``."""
    today = day_of(datetime.now(UTC), mirror.settings.timezone)
    try:
        last = parse_date(config.last) if config.last else today
        if config.first:
            return DayRange(parse_date(config.first), last)
    except ValueError as error:
        raise failure(error) from None
    return nightly_days(mirror.engine, mirror.settings, last)


def _check_results(engine: sa.Engine) -> Iterator[dg.AssetCheckResult]:
    """Judge the whole warehouse, not the run: a later chunk of a backfill must not hide an earlier one."""
    days = coverage.incomplete(engine)
    yield dg.AssetCheckResult(
        check_name="days_complete",
        asset_key=ACTIVITIES,
        passed=not days,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{'; '.join(name_problems(days))} - materialize these days again;"
        " `select * from sync.coverage` shows more"
        if days
        else "every day is verified and complete",
        metadata={"incomplete_days": len(days)},
    )
    quarantined = quarantine.count_open(engine)
    yield dg.AssetCheckResult(
        check_name="quarantine_empty",
        asset_key=ACTIVITIES,
        passed=quarantined == 0,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{quarantined} in quarantine - `pipeline quarantine list` shows them with reasons;"
        " later runs try again"
        if quarantined
        else "nothing is in quarantine",
        metadata={"quarantined": quarantined},
    )
