"""The materialised views of ``analytics`` as assets: refreshed together, after the tables they read."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from pipeline.assets.mirror import MirrorResource
from pipeline.assets.tables import progress_of
from pipeline.warehouse import views
from pipeline.warehouse.catalog import read_columns
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.errors import WarehouseError

#: Views that took longer than this, in seconds, are worth a line to whoever waits.
_LONG = 2.0


def _spec(view: views.View) -> dg.AssetSpec:
    return dg.AssetSpec(
        key=dg.AssetKey(view.name),
        # Behind the due work as well, so that a night's refresh shows all of the night.
        deps=[dg.AssetKey(name) for name in (*view.tables, "open_activities")],
        description=view.comment,
        group_name="analytics",
        kinds={"postgres", "sql"},
        owners=["team:data"],
        metadata={"dagster/table_name": f"analytics.{view.name}"},
    )


@dg.multi_asset(
    name="refresh_views",
    specs=[_spec(view) for view in views.materialised_views()],
    can_subset=True,
)
def refresh_views(
    context: dg.AssetExecutionContext,
    mirror: MirrorResource,
    progress: dg.ResourceParam[Any],
) -> Iterator[dg.MaterializeResult[None]]:
    """Bring the materialised views up to date, each while others read it."""
    told = progress_of(context, progress)
    chosen = {key.path[-1] for key in context.selected_asset_keys}
    engine = open_engine(mirror.settings.warehouse_url)
    try:
        for view in views.materialised_views():
            if view.name not in chosen:
                continue
            context.log.info(f"refreshing analytics.{view.name}")
            done = views.refresh(engine, view)
            if done.seconds > _LONG:
                told.said(f"{view.name} refreshed in {done.seconds:.0f} s")
            yield dg.MaterializeResult(
                asset_key=view.name,
                metadata={
                    "dagster/row_count": done.rows,
                    "dagster/column_schema": _columns(engine, view.name),
                    "seconds": round(done.seconds, 3),
                },
            )
    except WarehouseError as error:
        raise dg.Failure(str(error), allow_retries=False) from None
    finally:
        engine.dispose()


def _columns(engine: Any, name: str) -> dg.TableSchema:
    return dg.TableSchema(
        columns=[
            dg.TableColumn(column.name, column.type, description=column.comment)
            for column in read_columns(engine, "analytics", name)
        ]
    )
