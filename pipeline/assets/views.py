"""The views of ``analytics`` as assets, and the asset that refreshes the stored ones."""

import re
from typing import Any

import dagster as dg

from pipeline.assets.facts import ACTIVITIES, column_schema
from pipeline.assets.mirror import OpenMirror, failure
from pipeline.assets.tables import TABLE_SPECS
from pipeline.warehouse.catalog import Relation, read_catalog
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.refresh import Refreshed, refresh
from pipeline.warehouse.views import View, read_views, stored_views

#: A view whose refresh took more seconds than this gets a line on the terminal.
_LONG = 2.0

_TABLES = {key.path[-1]: key for key in (ACTIVITIES, *(spec.key for spec in TABLE_SPECS))}
_READ = re.compile(r"\bwarehouse\.(\w+)")
_COMMENT = re.compile(r"comment on (?:table|view) analytics\.\w+ is\s+'((?:[^']|'')*)'")


def _key(name: str) -> dg.AssetKey:
    return dg.AssetKey(["analytics", name])


def _spec(view: View) -> dg.AssetSpec:
    comment = _COMMENT.search(view.text)
    tables = sorted(_TABLES.keys() & set(_READ.findall(view.text)))
    refreshed = ["analytics_views"] if view.stored else []
    return dg.AssetSpec(
        key=_key(view.name),
        deps=[*(_TABLES[name] for name in tables), *refreshed, *map(_key, view.depends)],
        description=comment[1].replace("''", "'") if comment else None,
        group_name="analytics",
        kinds={"postgres", "table" if view.stored else "view"},
        owners=["team:data"],
        metadata={"dagster/table_name": f"analytics.{view.name}"},
    )


#: Not computed by themselves: `analytics_views` refreshes and reports them.
VIEWS = [_spec(view) for view in read_views()]


@dg.asset(
    name="analytics_views",
    group_name="analytics",
    kinds={"postgres", "sql"},
    owners=["team:data"],
    # After the due work too, so that the refresh of a night shows all of the night.
    deps=[ACTIVITIES, dg.AssetKey("open_activities")],
)
def analytics_views(
    context: dg.AssetExecutionContext, mirror: dg.ResourceParam[OpenMirror]
) -> dg.MaterializeResult[None]:
    """Refresh the stored views where something changed, all in one transaction, while others read them."""
    progress = mirror.progress(context.log)
    done: dict[str, Refreshed] = {}

    def tell(view: Refreshed) -> None:
        done[view.name] = view
        if view.seconds > _LONG:
            left = f"{len(stored_views()) - len(done)} to go"
            progress.log(f"{view.name} refreshed in {view.seconds:.0f} s, {left}")

    try:
        refresh(mirror.engine, tell)
        # The facts of the views change only when their rows change.
        changed = any(view.written for view in done.values())
        relations = read_catalog(mirror.engine).of_schema("analytics") if changed else []
    except WarehouseError as error:
        raise failure(error) from None
    for relation in relations:
        if relation.kind != "table":
            metadata = _facts(relation, done.get(relation.name))
            context.log_event(dg.AssetMaterialization(_key(relation.name), metadata=metadata))
    return dg.MaterializeResult(
        metadata={f"{view.name}_seconds": round(view.seconds, 3) for view in done.values()}
    )


def _facts(relation: Relation, refreshed: Refreshed | None) -> dict[str, Any]:
    """Return the columns of a view, and the rows of a stored one."""
    facts: dict[str, Any] = {"dagster/column_schema": column_schema(relation)}
    if refreshed is not None:
        facts["dagster/row_count"] = refreshed.rows
        facts["rows_changed"] = refreshed.written
    return facts
