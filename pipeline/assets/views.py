"""The views of ``analytics`` as assets. Each part of a run refreshes the stored ones."""

import re
from typing import Any

import dagster as dg

from pipeline.assets.facts import ACTIVITIES, OWNERS, column_schema, comments
from pipeline.assets.mirror import OpenMirror
from pipeline.warehouse.catalog import Relation, read_relations
from pipeline.warehouse.refresh import Refreshed, refresh
from pipeline.warehouse.tables import TABLES
from pipeline.warehouse.views import View, read_views

#: A view whose refresh took more seconds than this gets a line on the terminal.
_LONG = 2.0

_READ = re.compile(rf"\b(?:{'|'.join(map(re.escape, TABLES))})\b")


def _key(name: str) -> dg.AssetKey:
    return dg.AssetKey(["analytics", name])


def _spec(view: View) -> dg.AssetSpec:
    tables = sorted(set(_READ.findall(view.text)))
    above = [*(dg.AssetKey(name.split(".")) for name in tables), *map(_key, view.depends)]
    return dg.AssetSpec(
        key=_key(view.name),
        deps=above or [ACTIVITIES],  # what runs recorded about themselves comes with the activities
        description=comments(view.text).get(f"analytics.{view.name}"),
        group_name="analytics",
        kinds={"postgres", "table" if view.stored else "view"},
        owners=OWNERS,
        metadata={"dagster/table_name": f"analytics.{view.name}"},
    )


#: Not computed by themselves: `refresh_views` refreshes them, `show_views` shows them.
VIEWS = [_spec(view) for view in read_views()]


def refresh_views(context: dg.AssetExecutionContext, mirror: OpenMirror) -> None:
    """Refresh the stored views where something changed, all in one transaction, while others read them.

    Notes in ``mirror`` which rows were written, for `show_views`. Raises a ``WarehouseError``.
    """
    progress = mirror.progress(context.log)

    def tell(view: Refreshed) -> None:
        if view.seconds > _LONG:
            progress.log(f"{view.name} refreshed in {view.seconds:.0f} s")

    done = refresh(mirror.engine, tell)
    mirror.written_views |= {view.name: view for view in done if view.written}


def show_views(context: dg.AssetExecutionContext, mirror: OpenMirror) -> None:
    """Show the views with new rows: the stored ones that were written, and those computed when read.

    Call it once a run, since an event costs as much CPU as ten requests. Raises a ``WarehouseError``.
    """
    written = mirror.written_views
    new = {view.name for view in read_views() if view.name in written or not view.stored}
    for relation in read_relations(mirror.engine, "analytics") if written else ():
        if relation.name in new:
            facts = _facts(relation, written.get(relation.name))
            context.log_event(dg.AssetMaterialization(_key(relation.name), metadata=facts))
    mirror.written_views = {}


def _facts(relation: Relation, refreshed: Refreshed | None) -> dict[str, Any]:
    """Return the columns of a view, and the rows of a stored one."""
    facts: dict[str, Any] = {"dagster/column_schema": column_schema(relation)}
    if refreshed is not None:
        facts["dagster/row_count"] = refreshed.rows
        facts["rows_changed"] = refreshed.written
        facts["seconds"] = round(refreshed.seconds, 3)
    return facts
