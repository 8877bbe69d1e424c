"""The due work of older days: an action that Dagster shows in a group of its own, not a table."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import dagster as dg

from pipeline.assets.facts import NIGHTLY_FRESHNESS, action_spec, judge
from pipeline.assets.forget import forget_runs
from pipeline.assets.parts import run_part
from pipeline.assets.resource import SyncResource
from pipeline.assets.sync_days import POOL, OpenConfig, Result
from pipeline.assets.views import show_views
from pipeline.clock import now, today
from pipeline.configured import sync_options
from pipeline.sync.run import SyncRunner

_ACTION = action_spec(
    "check_older_days",
    "activities of older days are checked again when they are due, until their status is final.",
    freshness_policy=NIGHTLY_FRESHNESS,
)

_CHECK = dg.AssetCheckSpec(
    "older_days_in_order",
    asset=_ACTION.key,
    description="Older days are verified and complete, and none of their activities is in quarantine.",
)


@dg.multi_asset(name="check_older_days", specs=[_ACTION], check_specs=[_CHECK], pool=POOL)
def check_older_days(
    context: dg.AssetExecutionContext, config: OpenConfig, sync: dg.ResourceParam[SyncResource]
) -> Iterator[Result]:
    """Check activities of older days again when they are due, until their status is final.

    A day is walked again, or its activities are fetched one by one, whichever needs fewer requests.
    """
    with sync.opened(context.op_execution_context):
        settings = sync.settings
        lookback = today(settings.timezone) - timedelta(days=settings.lookback_days - 1)
        run_id = f"{context.run_id}/open"
        options = sync_options(settings, accept_gone=config.accept_gone)
        part = partial(SyncRunner.sync_open, run_id=run_id, before=lookback)
        summary, _ = run_part(context, sync, run_id, part, options)
        show_views(context, sync, quiet=True)
        keep = timedelta(days=settings.keep_run_days)
        if forgotten := forget_runs(context.instance, now(), keep):
            context.log.info(f"removed {forgotten} old runs from Dagster's history")
    yield dg.MaterializeResult()
    problems = "; ".join(summary.problems)
    more = "`pipeline quarantine list` and `select * from sync.coverage` show more"
    yield judge(_CHECK, f"{problems} - {more}" if problems else None)
