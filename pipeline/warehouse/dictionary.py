"""What the database says of itself: tables, views, columns and functions with their comments.

``sql/catalog`` makes texts of it: the dictionary in Markdown, with example questions and their answers,
and the sources for dbt.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
import yaml
from psycopg.rows import scalar_row
from psycopg.types.json import Jsonb

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.questions import MOST_ASKED, answer, read_questions
from pipeline.warehouse.sensitivity import classified
from pipeline.warehouse.sql import shipped, statement

SCHEMAS = ("warehouse", "analytics", "sync", "landing")
"""The schemas of the warehouse contract, in the order in which people read them."""


def dictionary(engine: sa.Engine) -> str:
    """Return the dictionary of a warehouse as Markdown. Raises a ``WarehouseError``."""
    start = (shipped("sql") / "catalog/dictionary.md").read_text(encoding="utf-8").rstrip()
    relations = fetch(engine, scalar_row, _query("dictionary"), {"schemas": list(SCHEMAS)})
    questions = list(_questions(engine))
    most, more = questions[: len(MOST_ASKED)], questions[len(MOST_ASKED) :]
    parts = (start, "## Ten questions most asked", *most, *relations, "## More questions", *more)
    text = "\n\n".join(parts) + "\n"
    return text.replace("{contents}", _contents(text), 1)


def dbt_sources(engine: sa.Engine) -> str:
    """Return a ``sources.yml`` for dbt 1.10 or newer of what analysts may read.

    It has descriptions, freshness, tests of keys and relations, and the kind of a sensitive column as a tag
    (`pipeline.warehouse.sensitivity`). Raises a ``WarehouseError``.
    """
    given = {"schemas": list(SCHEMAS[:2]), "classified": Jsonb(classified())}
    (found,) = fetch(engine, scalar_row, _query("dbt"), given)
    text: str = yaml.safe_dump(found, sort_keys=False, allow_unicode=True, width=100)
    return text


def _query(name: str) -> str:
    return f"with columns as ({statement('catalog/columns')}) {statement(f'catalog/{name}')}"


def _contents(text: str) -> str:
    """Return links to all headings: questions in lines of their own, the relations of a schema in one."""
    links = "## Contents\n"
    for level, heading in re.findall(r"^(##+) (.*)", text, re.MULTILINE):
        # As GitHub makes anchors of headings.
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        relation = re.search(r"`\w+\.(\w+)", heading)
        name = f"`{relation[1]}`" if relation else heading
        before = "\n- " if level == "##" else " · " if relation else "\n  - "
        links += f"{before}[{name}](#{anchor})"
    return links


def _questions(engine: sa.Engine) -> Iterator[str]:
    for question in read_questions():
        parts = [f"### {question.question}", f"`sql/queries/{question.name}.sql`"]
        parts.append(f"```sql\n{question.statement}\n```")
        if question.moves:
            parts.append("The answer changes with the clock.")
        else:
            columns, rows = answer(engine, question)
            parts.append(_table(columns, rows) if rows else "No rows.")
        yield "\n\n".join(parts)


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
        return str(timedelta(seconds=round(value.total_seconds())))
    return str(value).replace("|", "\\|").replace("\n", " ")
