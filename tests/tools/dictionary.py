"""Writes what the database says of itself: tables, views, columns and functions with their comments.

``python -m tests.tools.dictionary`` writes ``sql/README.md``, with the questions most asked and their
answers, and ``sql/sources.yml`` for dbt. The package ships both; ``test_dictionary`` compares them.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from psycopg.rows import dict_row, scalar_row
from psycopg.types.json import Jsonb

from pipeline.local import LocalPostgres
from pipeline.warehouse.database.engine import fetch, warehouse_engine
from pipeline.warehouse.schema.migrate import migrate
from pipeline.warehouse.schema.sensitivity import classified
from tests.support.commands import CHECKOUT
from tests.support.mirroring import Warehouse, sandbox
from tests.support.postgres import HASTY, session_folder
from tests.support.refreshing import refresh_all
from tests.tools.metrics import RATES, metric_files
from tests.tools.questions import MOST_ASKED, answer, read_questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import sqlalchemy as sa

    from tests.tools.questions import Question

SCHEMAS = ("analytics", "warehouse", "sync", "landing")
"""The schemas of the warehouse contract, in the order in which people read them."""

READ = ("warehouse", "analytics")
"""The schemas that analysts read: the dictionary names their columns, and dbt gets them as sources."""


@contextmanager
def shown(url: str) -> Iterator[sa.Engine]:
    """Fill a migrated warehouse with the same 2,000 made-up activities each time, and open it."""
    with sandbox(2000) as service, warehouse_engine(url) as engine:
        assert Warehouse(url, service, "America/Lima").days().status == "complete"
        refresh_all(url)
        yield engine


def files(engine: sa.Engine) -> dict[Path, str]:
    """Return the text of each file that is made of a warehouse. Raises a ``WarehouseError``."""
    folder = CHECKOUT / "sql"
    named = {folder / "README.md": dictionary(engine), folder / "sources.yml": dbt_sources(engine)}
    return named | metric_files()


def described(engine: sa.Engine) -> list[dict[str, Any]]:
    """Return all columns of the documented schemas with their comments."""
    return fetch(engine, dict_row, _text("columns.sql"), {"schemas": list(SCHEMAS)})


def dictionary(engine: sa.Engine) -> str:
    """Return the dictionary of a warehouse as Markdown. Raises a ``WarehouseError``."""
    start = _text("dictionary.md").rstrip()
    given = {"schemas": list(SCHEMAS), "read": list(READ)}
    relations = "\n\n".join(fetch(engine, scalar_row, _query("dictionary"), given))
    questions = read_questions()
    most = [_answered(engine, question) for question in questions[: len(MOST_ASKED)]]
    more = [
        f"- [{question.question}](queries/{question.name}.sql)"
        for question in questions[len(MOST_ASKED) :]
    ]
    parts = (
        start,
        *("## Ten questions most asked", *most),
        *(
            "## Rates",
            "Of these measures, by whatever column. `metrics.yml` defines all.",
            _rates(),
        ),
        *("## Relations", _contents(relations), relations),
        *("## More questions", "\n".join(more)),
    )
    return "\n\n".join(parts) + "\n"


def dbt_sources(engine: sa.Engine) -> str:
    """Return a ``sources.yml`` for dbt 1.10 or newer of what analysts may read.

    It has descriptions, freshness, tests of keys and relations, and the kind of a sensitive column as a tag
    (`pipeline.warehouse.schema.sensitivity`). Raises a ``WarehouseError``.
    """
    given = {"schemas": list(READ), "classified": Jsonb(classified())}
    (found,) = fetch(engine, scalar_row, _query("dbt"), given)
    text: str = yaml.safe_dump(found, sort_keys=False, allow_unicode=True, width=100)
    return text


def _query(name: str) -> str:
    return f"with columns as ({_text('columns.sql')}) {_text(f'{name}.sql')}"


def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _contents(relations: str) -> str:
    """Return the names of all relations, a line for each schema."""
    links = ""
    for schema, name in re.findall(
        r"^##+ .*`(?:(\w+)`$|\w+\.(\w+)(?=[`(]))", relations, re.MULTILINE
    ):
        links += f"\n- `{schema}`" if schema else f" · `{name}`"
    return links.strip()


def _rates() -> str:
    rows = [(name, rate["part"], rate["of"], rate["means"]) for name, rate in RATES.items()]
    return _table(("rate", "part", "of", "meaning"), rows)


def _answered(engine: sa.Engine, question: Question) -> str:
    parts = [f"### {question.question}", f"`sql/queries/{question.name}.sql`"]
    parts.append(f"```sql\n{question.statement}\n```")
    if question.moves:
        parts.append("The answer changes with the clock.")
    else:
        columns, rows = answer(engine, question)
        parts.append(_table(columns, rows) if rows else "No rows.")
    return "\n\n".join(parts)


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


def main() -> None:
    """Write the files, of a warehouse on a private server. Questions first: the dictionary answers them."""
    for path, text in metric_files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with session_folder() as folder, LocalPostgres(folder / "shown", settings=HASTY) as server:
        server.ensure_database("shown")
        migrate(server.url("shown"))
        with shown(server.url("shown")) as engine:
            for path, text in files(engine).items():
                path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
