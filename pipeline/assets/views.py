"""The views of ``analytics`` as assets, and the one that refreshes those of them that are stored."""

import re
from typing import Any

import dagster as dg

from pipeline.assets.mirror import MirrorResource
from pipeline.assets.tables import SPECS, progress_of
from pipeline.warehouse.catalog import Relation, read_catalog
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.refresh import Refreshed, refresh
from pipeline.warehouse.views import View, read_views, stored_views

#: A view that took longer than this, in seconds, is worth a line to whoever waits.
_LONG = 2.0

_TABLES = {spec.key.to_user_string() for spec in SPECS}
_READ = re.compile(r"\bwarehouse\.(\w+)")
_COMMENT = re.compile(r"comment on (?:table|view) analytics\.\w+ is\s+'((?:[^']|'')*)'")


def _key(name: str) -> dg.AssetKey:
    # Some views are named as the table they enrich.
    return dg.AssetKey(["analytics", name])


def _spec(view: View) -> dg.AssetSpec:
    comment = _COMMENT.search(view.text)
    tables = sorted(_TABLES & set(_READ.findall(view.text)))
    refreshed = ["analytics_views"] if view.stored else []
    return dg.AssetSpec(
        key=_key(view.name),
        deps=[*(dg.AssetKey(name) for name in (*tables, *refreshed)), *map(_key, view.depends)],
        description=comment[1].replace("''", "'") if comment else None,
        group_name="analytics",
        kinds={"postgres", "table" if view.stored else "view"},
        owners=["team:data"],
        metadata={"dagster/table_name": f"analytics.{view.name}"},
    )


#: Not run by themselves: Dagster plans each asset of a run once a partition of its range.
VIEWS = [_spec(view) for view in read_views()]


@dg.asset(
    name="analytics_views",
    group_name="analytics",
    kinds={"postgres", "sql"},
    owners=["team:data"],
    # Behind the due work as well, so that a night's refresh shows all of the night. The tables are
    # filled together: one of them stands for all.
    deps=[dg.AssetKey("activities"), dg.AssetKey("open_activities")],
)
def analytics_views(
    context: dg.AssetExecutionContext,
    mirror: MirrorResource,
    progress: dg.ResourceParam[Any],
) -> dg.MaterializeResult[None]:
    """Bring the stored views up to date where something changed, all at once, while others read them."""
    told = progress_of(context, progress)
    number = len(stored_views())
    done: dict[str, Refreshed] = {}

    def tell(view: Refreshed) -> None:
        done[view.name] = view
        left = f"{number - len(done)} to go"
        if view.written:
            what = f"{view.written} rows changed in {view.seconds:.1f} s"
            context.log.info(f"analytics.{view.name}: {what}, {left}")
        if view.seconds > _LONG:
            told.log(f"{view.name} refreshed in {view.seconds:.0f} s, {left}")

    try:
        refresh(mirror.engine, tell)
        # What is told of the views' pages changes with what they show.
        changed = any(view.written for view in done.values())
        relations = read_catalog(mirror.engine).of_schema("analytics") if changed else []
    except WarehouseError as error:
        raise dg.Failure(str(error), allow_retries=False) from None
    for relation in relations:
        if relation.kind != "table":
            context.log_event(_seen(relation, done.get(relation.name)))
    return dg.MaterializeResult(
        metadata={f"{view.name}_seconds": round(view.seconds, 3) for view in done.values()}
    )


def _seen(relation: Relation, refreshed: Refreshed | None) -> dg.AssetMaterialization:
    """Return what a view's page tells of it: columns, and for a stored one its rows."""
    columns = [
        dg.TableColumn(column.name, column.type, description=column.comment)
        for column in relation.columns
    ]
    metadata: dict[str, Any] = {"dagster/column_schema": dg.TableSchema(columns=columns)}
    if refreshed is not None:
        metadata["dagster/row_count"] = refreshed.rows
        metadata["rows_changed"] = refreshed.written
        metadata["refresh_seconds"] = round(refreshed.seconds, 3)
    return dg.AssetMaterialization(_key(relation.name), metadata=metadata)
