"""The warehouse as dbt's sources, from the same comments as the dictionary."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
import yaml

from pipeline.warehouse.catalog import Catalog, Column, Relation, read_catalog
from pipeline.warehouse.sensitivity import SENSITIVE, classified

#: The schemas that analysts may read.
_SCHEMAS = ("warehouse", "analytics")

#: Nights are one day apart: a night that is late is a warning, a missed one an error.
_FRESH = {
    "loaded_at_field": "newest_verification",
    "freshness": {
        "warn_after": {"count": 26, "period": "hour"},
        "error_after": {"count": 50, "period": "hour"},
    },
}


def sources(engine: sa.Engine) -> str:
    """Return a ``sources.yml`` for dbt 1.10 or newer: descriptions, freshness, tests of keys and relations.

    Sensitive columns have their kind as a tag (`pipeline.warehouse.sensitivity`).
    Raises a ``WarehouseError``.
    """
    catalog = read_catalog(engine)
    found = {
        "version": 2,
        "sources": [
            {
                "name": schema,
                "schema": schema,
                "description": catalog.schemas[schema],
                "tables": [_table(catalog, relation) for relation in catalog.of_schema(schema)],
            }
            for schema in _SCHEMAS
        ],
    }
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True, width=100)


def _table(catalog: Catalog, relation: Relation) -> dict[str, Any]:
    fresh = {"config": _FRESH} if relation.name == "freshness" else {}
    return {
        "name": relation.name,
        "description": relation.comment,
        **fresh,
        "columns": [_column(catalog, relation, column) for column in relation.columns],
    }


def _column(catalog: Catalog, relation: Relation, column: Column) -> dict[str, Any]:
    tests = list(_tests(catalog, relation, column))
    described = {"name": column.name, "description": column.comment, "data_type": column.type}
    kind = classified().get(f"{relation.schema}.{relation.name}", {}).get(column.name)
    tagged = {"config": {"tags": [kind]}} if kind in SENSITIVE else {}
    return described | tagged | ({"data_tests": tests} if tests else {})


def _tests(catalog: Catalog, relation: Relation, column: Column) -> Iterator[str | dict[str, Any]]:
    if column.key:
        yield "not_null"
        if _keys(relation) == [column.name]:
            yield "unique"
    for parent in catalog.relations:
        # dbt tests one column at a time, so it can't test a reference of several columns.
        keys = _keys(parent)
        if column.refers_to == f"{parent.schema}.{parent.name}" and len(keys) == 1:
            to = f"source('{parent.schema}', '{parent.name}')"
            yield {"relationships": {"arguments": {"to": to, "field": keys[0]}}}


def _keys(relation: Relation) -> list[str]:
    return [column.name for column in relation.columns if column.key]
