"""The due work of older days: an action that Dagster shows in a group of its own, not a table."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import dagster as dg

from pipeline.assets.authorizations import forget_sendings
from pipeline.assets.facts import OWNERS, SERVICE
from pipeline.assets.mirror import OpenMirror
from pipeline.assets.parts import carry_out
from pipeline.assets.tables import POOL, OpenConfig, Result
from pipeline.assets.views import show_views
from pipeline.sync.days import day_of

_ACTION = dg.AssetKey(["actions", "check_older_days"])

_CHECK = dg.AssetCheckSpec(
    "older_days_in_order",
    asset=_ACTION,
    description="Older days are verified and complete, and none of their activities is in quarantine.",
)

#: Warns and fails when nightly runs do not happen.
_NIGHTLY = dg.FreshnessPolicy.time_window(
    fail_window=timedelta(hours=50), warn_window=timedelta(hours=26)
)


@dg.multi_asset(
    name="check_older_days",
    specs=[
        dg.AssetSpec(
            _ACTION,
            deps=[SERVICE],
            description="An action, not a table: activities of older days are checked again when they are"
            " due, until their status is final.",
            group_name="actions",
            kinds={"python"},
            owners=OWNERS,
            freshness_policy=_NIGHTLY,
        )
    ],
    check_specs=[_CHECK],
    pool=POOL,
)
def check_older_days(
    context: dg.AssetExecutionContext, config: OpenConfig, mirror: dg.ResourceParam[OpenMirror]
) -> Iterator[Result]:
    """Check activities of older days again when they are due, until their status is final.

    A day is walked again, or its activities are fetched one by one, whichever needs fewer requests.
    """
    with mirror.opened(context.op_execution_context):
        settings = mirror.settings
        today = day_of(datetime.now(UTC), settings.timezone)
        lookback = today - timedelta(days=settings.lookback_days - 1)
        run_id = f"{context.run_id}/open"
        summary, _ = carry_out(
            context,
            mirror,
            run_id,
            lambda run: run.sync_open(run_id, lookback),
            accept_gone=config.accept_gone,
        )
        show_views(context, mirror)
        kept_since = datetime.now(UTC) - timedelta(days=settings.keep_days)
        if forgotten := forget_sendings(context.instance, kept_since):
            context.log.info(f"removed {forgotten} old runs of send_authorizations from Dagster")
    yield dg.MaterializeResult()
    yield dg.AssetCheckResult(
        check_name=_CHECK.name,
        passed=not summary.problems,
        severity=dg.AssetCheckSeverity.WARN,
        description="; ".join(summary.problems)
        + " - `pipeline quarantine list` and `select * from sync.coverage` show more"
        if summary.problems
        else "older days are in order",
    )
