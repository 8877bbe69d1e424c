"""Reads the schema from the database itself: tables, views, columns, functions and their comments."""

from dataclasses import dataclass

import sqlalchemy as sa
from psycopg.rows import tuple_row

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import statement

SCHEMAS = ("warehouse", "analytics", "sync", "landing")
"""The schemas of the warehouse contract, in the order in which people read them."""


@dataclass(frozen=True)
class Column:
    """One column. ``key``: part of the primary key. ``refers_to``: ``schema.table`` of a foreign key."""

    name: str
    type: str
    key: bool
    refers_to: str | None
    comment: str


@dataclass(frozen=True)
class Relation:
    """A relation with its columns in order. ``kind``: table, view or stored view."""

    schema: str
    name: str
    kind: str
    comment: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Function:
    """A function of schema analytics. ``signature``: its arguments and result."""

    signature: str
    comment: str


@dataclass(frozen=True)
class Catalog:
    """The documented schemas (name to comment), relations by schema and name, and functions."""

    schemas: dict[str, str]
    relations: tuple[Relation, ...]
    functions: tuple[Function, ...]

    def of_schema(self, schema: str) -> tuple[Relation, ...]:
        """Return the relations of one schema."""
        return tuple(relation for relation in self.relations if relation.schema == schema)


def read_catalog(engine: sa.Engine) -> Catalog:
    """Read the catalog of the four schemas. Raises a ``WarehouseError``."""
    wanted = {"schemas": list(SCHEMAS)}
    columns: dict[tuple[str, str], list[Column]] = {}
    for schema, relation, *column in fetch(engine, tuple_row, statement("catalog/columns"), wanted):
        columns.setdefault((schema, relation), []).append(Column(*column))
    return Catalog(
        schemas=dict(fetch(engine, tuple_row, statement("catalog/schemas"), wanted)),
        relations=tuple(
            Relation(schema, name, kind, comment, tuple(columns[schema, name]))
            for schema, name, kind, comment in fetch(
                engine, tuple_row, statement("catalog/relations"), wanted
            )
        ),
        functions=tuple(
            Function(*row) for row in fetch(engine, tuple_row, statement("catalog/functions"))
        ),
    )
