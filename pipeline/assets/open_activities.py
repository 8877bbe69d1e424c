"""The due work of older days, as an asset without partitions."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import dagster as dg

from pipeline.assets.metadata import summary_metadata
from pipeline.assets.mirror import MirrorResource
from pipeline.assets.tables import GROUP, POOL, SyncConfig, progress_of

_CHECK = dg.AssetCheckSpec(
    "older_days_in_order",
    asset=dg.AssetKey("open_activities"),
    description="Nothing of older days is quarantined, unverified or incomplete.",
)

#: Judges that nights happen; that the days are fresh is judged by the check newest_day_fresh.
_NIGHTLY = dg.FreshnessPolicy.time_window(
    fail_window=timedelta(hours=50), warn_window=timedelta(hours=26)
)


@dg.asset(
    name="open_activities",
    group_name=GROUP,
    kinds={"postgres", "python"},
    owners=["team:data"],
    deps=[dg.AssetKey("activities")],
    pool=POOL,
    freshness_policy=_NIGHTLY,
    check_specs=[_CHECK],
)
def open_activities(
    context: dg.AssetExecutionContext,
    config: SyncConfig,
    mirror: MirrorResource,
    progress: dg.ResourceParam[Any],
) -> Iterator[dg.MaterializeResult[None] | dg.AssetCheckResult]:
    """Re-examine activities of older days until they are final, the moment they are due.

    Days are revisited by the cheaper of walking them again or fetching what is not final one by one.
    """
    settings = mirror.settings
    today = datetime.now(settings.timezone).date()
    before = today - timedelta(days=settings.lookback_days - 1)
    summary = mirror.run(
        lambda run: run.sync_open(f"{context.run_id}/open", before),
        progress_of(context, progress),
        full=False,
        accept_gone=config.accept_gone,
    )
    yield dg.MaterializeResult(metadata=summary_metadata(mirror.engine, summary))
    yield dg.AssetCheckResult(
        check_name=_CHECK.name,
        passed=not summary.problems,
        severity=dg.AssetCheckSeverity.WARN,
        description="; ".join(summary.problems)
        + " - `pipeline quarantine list` and `select * from sync.coverage` tell more"
        if summary.problems
        else "older days are in order",
    )
