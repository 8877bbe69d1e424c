"""What the database says of itself: schemas, tables, views, columns, functions, and their comments."""

from dataclasses import dataclass
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import sql_root

SCHEMAS = ("warehouse", "analytics", "sync", "landing")
"""The schemas of the warehouse contract, in the order in which people read them."""


@dataclass(frozen=True)
class Column:
    """One column; ``key``: it belongs to the primary key; ``refers_to``: ``schema.table``, if any."""

    name: str
    type: str
    key: bool
    refers_to: str | None
    comment: str


@dataclass(frozen=True)
class Relation:
    """A table, view or stored view (``kind``), with its columns in order."""

    schema: str
    name: str
    kind: str
    comment: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Function:
    """A function that analysts call; ``signature`` holds arguments and result."""

    signature: str
    comment: str


@dataclass(frozen=True)
class Catalog:
    """Everything documented: comments by schema, relations by schema and name, functions."""

    schemas: dict[str, str]
    relations: tuple[Relation, ...]
    functions: tuple[Function, ...]

    def of_schema(self, schema: str) -> tuple[Relation, ...]:
        """Return the relations of one schema."""
        return tuple(relation for relation in self.relations if relation.schema == schema)


def read_catalog(engine: sa.Engine) -> Catalog:
    """Read the catalog of the four schemas. Raises a ``WarehouseError``."""
    return in_transaction(engine, _read)


def _read(session: psycopg.Connection[Any]) -> Catalog:
    columns = _columns(session)
    schemas = session.execute(_text("schemas"), {"schemas": list(SCHEMAS)}).fetchall()
    relations = session.execute(_text("relations"), {"schemas": list(SCHEMAS)}).fetchall()
    functions = session.execute(_text("functions")).fetchall()
    return Catalog(
        schemas=dict(schemas),
        relations=tuple(
            Relation(schema, name, kind, comment, columns[schema, name])
            for schema, name, kind, comment in relations
        ),
        functions=tuple(Function(*row) for row in functions),
    )


def _columns(session: psycopg.Connection[Any]) -> dict[tuple[str, str], tuple[Column, ...]]:
    found: dict[tuple[str, str], tuple[Column, ...]] = {}
    rows = session.execute(_text("columns"), {"schemas": list(SCHEMAS)})
    for schema, relation, *column in rows:
        found[schema, relation] = (*found.get((schema, relation), ()), Column(*column))
    return found


def _text(name: str) -> bytes:
    return (sql_root() / "catalog" / f"{name}.sql").read_bytes()
