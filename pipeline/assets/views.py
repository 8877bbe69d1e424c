"""The materialised views of ``analytics`` as one asset: refreshed together, after the tables they read."""

from typing import Any

import dagster as dg

from pipeline.assets.mirror import MirrorResource
from pipeline.assets.tables import SPECS, progress_of
from pipeline.warehouse import views
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.errors import WarehouseError

#: A view that took longer than this, in seconds, is worth a line to whoever waits.
_LONG = 2.0


@dg.asset(
    name="analytics_views",
    group_name="analytics",
    kinds={"postgres", "sql"},
    owners=["team:data"],
    # Behind the due work as well, so that a night's refresh shows all of the night.
    deps=[*(spec.key for spec in SPECS), dg.AssetKey("open_activities")],
)
def analytics_views(
    context: dg.AssetExecutionContext,
    mirror: MirrorResource,
    progress: dg.ResourceParam[Any],
) -> dg.MaterializeResult[None]:
    """Bring the materialised views up to date, each while others read it.

    One asset for all of them: Dagster plans each asset of a run once a partition of its range.
    """
    told = progress_of(context, progress)
    metadata: dict[str, Any] = {}
    engine = open_engine(mirror.settings.warehouse_url)
    try:
        for view in views.materialised_views():
            context.log.info(f"refreshing analytics.{view.name}")
            done = views.refresh(engine, view)
            if done.seconds > _LONG:
                told.said(f"{view.name} refreshed in {done.seconds:.0f} s")
            metadata[f"{view.name}_rows"] = done.rows
            metadata[f"{view.name}_seconds"] = round(done.seconds, 3)
    except WarehouseError as error:
        raise dg.Failure(str(error), allow_retries=False) from None
    finally:
        engine.dispose()
    return dg.MaterializeResult(metadata=metadata)
