"""What Dagster shows of the assets: names that cannot be confused, and who and what they belong to."""

from __future__ import annotations

import re

import dagster as dg

from pipeline.assets.facts import OWNERS, SERVICE
from pipeline.definitions import defs

SPECS = {spec.key: spec for spec in defs.resolve_all_asset_specs()}

#: The groups, and the kinds that their assets may have.
KINDS = {
    "warehouse": {"postgres", "python"},
    "analytics": {"postgres", "table", "view"},
    "actions": {"python"},
}


def test_each_asset_has_a_prefix_a_group_kinds_and_a_description() -> None:
    ours = {key: spec for key, spec in SPECS.items() if key != SERVICE}
    assert len(ours) > 25
    for key, spec in ours.items():
        assert len(key.path) == 2, key
        assert spec.group_name == key.path[0], key
        assert spec.kinds, key
        assert spec.kinds <= KINDS[spec.group_name], key
        assert spec.description, key
        assert list(spec.owners) == list(OWNERS), key


def test_everything_comes_from_the_service() -> None:
    def sources(key: dg.AssetKey) -> set[dg.AssetKey]:
        above = {dep.asset_key for dep in SPECS[key].deps}
        return above.union(*map(sources, above)) if above else set()

    assert [str(key) for key in SPECS if key != SERVICE and SERVICE not in sources(key)] == []


def test_tables_and_views_have_columns_freshness_source_and_who_fills_them() -> None:
    shown = {key: spec for key, spec in SPECS.items() if key.path[0] in ("warehouse", "analytics")}
    assert len(shown) > 30
    for key, spec in shown.items():
        columns = spec.metadata["dagster/column_schema"].columns
        assert all(column.type != "string" and column.description for column in columns), key
        assert re.search("materialize|Materialize|fills all", spec.description or ""), key
        fresh = key.path[0] == "analytics" or key.path[-1] == "activities"
        assert (spec.freshness_policy is not None) == fresh, key
        assert ("dagster/code_references" in spec.metadata) == fresh, key
    message = SPECS[dg.AssetKey(["warehouse", "activities"])].metadata["dagster/column_schema"]
    (text,) = [each.description for each in message.columns if each.name == "description"]
    assert (text or "").endswith("[message]")


def test_views_can_be_materialized_by_hand() -> None:
    graph = defs.resolve_asset_graph()
    assert all(graph.get(key).is_materializable for key in SPECS if key.path[0] == "analytics")
