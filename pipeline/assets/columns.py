"""Descriptions of tables and columns for the UI: the comments that the migrations give the database."""

import re
from functools import cache

import dagster as dg

from pipeline.warehouse.sql import sql_root

_COMMENT = re.compile(
    r"comment on (table|column) (warehouse\.[\w.]+) is\s+'((?:[^']|'')*)';", re.IGNORECASE
)
_COLUMN = re.compile(
    r"^    (\w+) ((?:timestamptz|text|uuid|numeric|boolean|integer|jsonb|bytea))\b", re.M
)
_TABLE = re.compile(r"create table (warehouse\.\w+) \((.*?)\n\);", re.DOTALL)


@cache
def _migrations() -> str:
    files = sorted((sql_root() / "migrations").glob("*.sql"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@cache
def comments() -> dict[str, str]:
    """Return the comments by qualified name, ``warehouse.activities`` or ``warehouse.activities.id``."""
    return {name: text.replace("''", "'") for _, name, text in _COMMENT.findall(_migrations())}


def column_schema(table: str) -> dg.TableSchema:
    """Return the columns of a table such as ``warehouse.activities``, with types and descriptions."""
    body = dict(_TABLE.findall(_migrations()))[table]
    return dg.TableSchema(
        columns=[
            dg.TableColumn(name, kind, description=comments().get(f"{table}.{name}"))
            for name, kind in _COLUMN.findall(body)
        ]
    )
