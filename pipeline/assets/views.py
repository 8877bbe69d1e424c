"""The views of ``analytics`` as assets. Each part of a run refreshes the stored ones."""

import re
from collections.abc import Iterator
from typing import Any

import dagster as dg

from pipeline.assets.facts import ACTIVITIES, NIGHTLY_FRESHNESS, relation_spec
from pipeline.assets.resource import SyncResource
from pipeline.warehouse.database.tables import TABLES
from pipeline.warehouse.schema.refresh import Refreshed, refresh
from pipeline.warehouse.schema.views import View, read_views

_READ = re.compile(rf"\b(?:{'|'.join(map(re.escape, TABLES))})\b")


def _key(name: str) -> dg.AssetKey:
    return dg.AssetKey(["analytics", name])


def _spec(view: View) -> dg.AssetSpec:
    tables = sorted(set(_READ.findall(view.text)))
    above = [*(dg.AssetKey(name.split(".")) for name in tables), *map(_key, view.depends)]
    return relation_spec(
        f"analytics.{view.name}",
        "Refreshed by each run that changes what it reads: nights, backfills and `pipeline sync`."
        " It needs no automation of Dagster's. Materialize refreshes it at once.",
        deps=above or [ACTIVITIES],  # what runs recorded about themselves comes with the activities
        kinds={"postgres", "table" if view.stored else "view"},
        freshness_policy=NIGHTLY_FRESHNESS,
    )


@dg.multi_asset(name="views", specs=[_spec(view) for view in read_views()], can_subset=True)
def views(
    context: dg.AssetExecutionContext, sync: dg.ResourceParam[SyncResource]
) -> Iterator[dg.MaterializeResult[None]]:
    """Refresh all views by hand. Runs that bring days up to date do it by themselves."""
    with sync.opened(context.op_execution_context):
        refresh_views(sync)
        for view in read_views():  # Dagster wants each after those that it reads
            if (key := _key(view.name)) in context.selected_asset_keys:
                facts = _facts(sync.refreshed.get(view.name))
                yield dg.MaterializeResult(asset_key=key, metadata=facts)


def refresh_views(sync: SyncResource) -> None:
    """Refresh the stored views where something changed, all in one transaction, while others read them.

    Notes the results in ``sync``, for `show_views`. Raises a ``WarehouseError``.
    """
    for view in refresh(sync.engine):
        if view.written or view.name not in sync.refreshed:
            sync.refreshed[view.name] = view


def show_views(
    context: dg.AssetExecutionContext | dg.OpExecutionContext,
    sync: SyncResource,
    *,
    quiet: bool = False,
) -> None:
    """Show the views with new rows: the stored ones that were written, and those computed when read.

    Call it once a run, since an event costs as much CPU as ten requests. ``quiet``: show the others too, so
    that a night without news keeps them fresh.
    """
    refreshed, sync.refreshed = sync.refreshed, {}
    written = {view.name for view in refreshed.values() if view.written}
    for view in read_views() if written or quiet else ():
        if quiet or view.name in written or not view.stored:
            facts = _facts(refreshed.get(view.name))
            context.log_event(dg.AssetMaterialization(_key(view.name), metadata=facts))


def _facts(refreshed: Refreshed | None) -> dict[str, Any]:
    """Return the rows of a stored view."""
    if refreshed is None:
        return {}
    return {
        "dagster/row_count": refreshed.rows,
        "rows_changed": refreshed.written,
        "seconds": round(refreshed.seconds, 3),
    }
