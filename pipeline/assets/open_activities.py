"""The due work of older days, as an asset without partitions."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import dagster as dg

from pipeline.assets.facts import ACTIVITIES, covered_days, run_facts
from pipeline.assets.mirror import OpenMirror
from pipeline.assets.tables import GROUP, POOL, OpenConfig, Result, report_days
from pipeline.sync.days import day_of

_CHECK = dg.AssetCheckSpec(
    "older_days_in_order",
    asset=dg.AssetKey("open_activities"),
    description="Older days are verified and complete, and none of their activities is in quarantine.",
)

#: Warns and fails when nightly runs do not happen.
_NIGHTLY = dg.FreshnessPolicy.time_window(
    fail_window=timedelta(hours=50), warn_window=timedelta(hours=26)
)


@dg.asset(
    name="open_activities",
    group_name=GROUP,
    kinds={"postgres", "python"},
    owners=["team:data"],
    deps=[ACTIVITIES],
    pool=POOL,
    freshness_policy=_NIGHTLY,
    check_specs=[_CHECK],
)
def open_activities(
    context: dg.AssetExecutionContext, config: OpenConfig, mirror: dg.ResourceParam[OpenMirror]
) -> Iterator[Result]:
    """Check activities of older days again when they are due, until their status is final.

    A day is walked again, or its activities are fetched one by one, whichever needs fewer requests.
    """
    settings = mirror.settings
    today = day_of(datetime.now(UTC), settings.timezone)
    lookback = today - timedelta(days=settings.lookback_days - 1)
    before = covered_days(mirror.engine)
    summary = mirror.run(
        lambda run: run.sync_open(f"{context.run_id}/open", lookback),
        context.log,
        accept_gone=config.accept_gone,
    )
    report_days(context, mirror.engine, summary, before, covered_days(mirror.engine))
    yield dg.MaterializeResult(metadata=run_facts(mirror.engine, summary))
    yield dg.AssetCheckResult(
        check_name=_CHECK.name,
        passed=not summary.problems,
        severity=dg.AssetCheckSeverity.WARN,
        description="; ".join(summary.problems)
        + " - `pipeline quarantine list` and `select * from sync.coverage` show more"
        if summary.problems
        else "older days are in order",
    )
