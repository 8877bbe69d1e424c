"""The dictionary: what the database says of itself, and example questions with answers, as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from pipeline.warehouse.catalog import Catalog, Relation, read_catalog
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.questions import answer, read_questions

#: Keys that no constraint states, since codes and days are joined without one.
_JOINS = (
    ("warehouse.activities", "sync.activity_ledger", "||--||", "id = activity_id"),
    ("sync.coverage", "sync.activity_ledger", "||--o{", "day"),
)

_INTRODUCTION = """\
# What is in the warehouse

Written by `pipeline dictionary` from the database's own comments: change those, not this file.
Names are the service's own field names. Instants are `timestamptz`; days are cut in the zone that
`analytics.freshness` tells. What is personal is marked so."""


def dictionary(engine: sa.Engine) -> str:
    """Return the dictionary of a warehouse as Markdown. Raises a ``WarehouseError``."""
    catalog = read_catalog(engine)
    parts = [_INTRODUCTION, *_diagram(catalog)]
    for schema, comment in catalog.schemas.items():
        parts += [f"## Schema `{schema}`", comment]
        for relation in catalog.of_schema(schema):
            parts += _relation(relation)
        if schema == "analytics":
            for function in catalog.functions:
                parts += [f"### Function `{schema}.{function.signature}`", function.comment]
    parts += ["## Codes", "Rows of `analytics.codes`.", _codes(engine)]
    parts += ["## Questions", *_questions(engine)]
    return "\n\n".join(parts) + "\n"


def _diagram(catalog: Catalog) -> Iterator[str]:
    """Yield the tables of schema warehouse, and what coverage has to do with them, in mermaid."""
    lines = ["erDiagram"]
    drawn = catalog.of_schema("warehouse")
    for relation in drawn:
        for column in relation.columns:
            if column.refers_to:
                parent = column.refers_to.partition(".")[2]
                lines.append(f"    {parent} ||--o{{ {relation.name} : {column.name}")
    names = {relation.name for relation in drawn}
    for left, right, many, label in _JOINS:
        first, second = left.partition(".")[2], right.partition(".")[2]
        lines.append(f'    {first} {many} {second} : "{label}"')
        names |= {first, second}
    for relation in catalog.relations:
        if relation.kind != "table" or relation.name not in names:
            continue
        lines.append(f"    {relation.name} {{")
        for column in relation.columns:
            keys = [name for name, has in (("PK", column.key), ("FK", column.refers_to)) if has]
            kind = column.type.replace(" ", "_")
            lines.append(f"        {kind} {column.name} {', '.join(keys)}".rstrip())
        lines.append("    }")
    yield "## How the tables hang together"
    yield "```mermaid\n" + "\n".join(lines) + "\n```"


def _relation(relation: Relation) -> Iterator[str]:
    kind = relation.kind.capitalize()
    yield f"### {kind} `{relation.schema}.{relation.name}`"
    yield relation.comment
    rows = [
        (f"**{column.name}**" if column.key else column.name, column.type, column.comment)
        for column in relation.columns
    ]
    yield _table(("column", "type", "meaning"), rows)


def _codes(engine: sa.Engine) -> str:
    rows = in_transaction(
        engine,
        lambda session: session.execute(
            "select kind, code, label, parent_code from analytics.codes order by kind, code"
        ).fetchall(),
    )
    return _table(("kind", "code", "label", "belongs to"), rows)


def _questions(engine: sa.Engine) -> Iterator[str]:
    for question in read_questions():
        yield f"### {question.question}"
        yield f"`sql/queries/{question.name}.sql`"
        yield f"```sql\n{question.statement}\n```"
        if question.moves:
            yield "The answer moves with the clock."
            continue
        given = answer(engine, question)
        yield _table(given.columns, given.rows) if given.rows else "No rows: there are none."


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    lines += [f"| {' | '.join(_cell(value) for value in row)} |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%SZ")
    if isinstance(value, timedelta):
        # The microseconds of an average tell nobody anything.
        return str(timedelta(seconds=round(value.total_seconds())))
    return str(value).replace("|", "\\|").replace("\n", " ")
