"""The dictionary is complete and current, and every example question is one that analysts can ask."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg
import pytest
import yaml
from psycopg import sql

from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.output.lake import FACTS
from tests.support.commands import CHECKOUT
from tests.tools.dictionary import READ, described, files
from tests.tools.questions import answer, read_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    import sqlalchemy as sa

    from tests.tools.questions import Question

COMMITTED = CHECKOUT / "sql" / "README.md"

QUESTIONS = read_questions()

#: Views are no tables: what they read is their owner's to read. Of the tables, all but values and texts.
_GRANTS = """
grant usage on schema warehouse, analytics, sync to {role};
grant select on all tables in schema analytics to {role};
grant select on sync.coverage to {role};
grant select (activity_id, position, status, date_time) on warehouse.timeline_events to {role};
grant select on warehouse.requirement_items to {role};
grant select (activity_id, disposition, position, code, type, category)
on warehouse.requirements to {role};
grant select (activity_id, requirement_position, position, requirement_code, code, type)
on warehouse.accepted_items to {role};
"""

_NAMES = "select name from warehouse.entities where name is not null"


@pytest.fixture(scope="module")
def engine(shown_url: str) -> Iterator[sa.Engine]:
    engine = open_engine(shown_url)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def analyst(shown_url: str) -> Iterator[psycopg.Connection]:
    """Connect as a role that may read what holds nothing personal."""
    with psycopg.connect(shown_url, autocommit=True) as session:
        row = session.execute("select 'asks_' || replace(gen_random_uuid()::text, '-', '')")
        (name,) = row.fetchone() or ("",)
        role = sql.Identifier(name)
        session.execute(sql.SQL("create role {}").format(role))
        session.execute(sql.SQL(_GRANTS).format(role=role))
        session.execute(sql.SQL("set role {}").format(role))
        yield session
        session.execute(sql.SQL("reset role; drop owned by {0}; drop role {0}").format(role))


def test_the_committed_files_are_current(engine: sa.Engine) -> None:
    for path, text in files(engine).items():
        committed = path.read_text(encoding="utf-8")
        assert committed == text, "python -m tests.tools.dictionary writes it again"


def test_dbt_gets_tests_of_keys_and_relations() -> None:
    found = yaml.safe_load((CHECKOUT / "sql" / "sources.yml").read_text(encoding="utf-8"))
    tables = {
        f"{source['name']}.{table['name']}": table
        for source in found["sources"]
        for table in source["tables"]
    }
    assert all(
        column["description"] and column["data_type"]
        for table in tables.values()
        for column in table["columns"]
    )
    columns = {column["name"]: column for column in tables["warehouse.activities"]["columns"]}
    assert columns["id"]["data_tests"] == ["not_null", "unique"]
    assert columns["description"]["config"] == {"tags": ["message"]}
    assert "config" not in columns["status"]
    entity = {"to": "source('warehouse', 'entities')", "field": "id"}
    assert columns["entity_id"]["data_tests"] == [{"relationships": {"arguments": entity}}]
    assert "freshness" in tables["analytics.freshness"]["config"]


def test_everything_is_in_it(engine: sa.Engine) -> None:
    text = COMMITTED.read_text(encoding="utf-8")
    columns = described(engine)
    assert len(columns) > 300
    for column in columns:
        assert column["relation_comment"]
        assert column["comment"]
        if column["schema"] not in READ:
            assert f"| `{column['relation']}` | {column['relation_comment']} |" in text
            continue
        name = rf"`{column['schema']}\.{column['relation']}`"
        (section,) = re.findall(rf"{name}\n\n(.*?)(?:\n\n#|\Z)", text, re.DOTALL)
        assert f" {column['type']} | {column['comment']} |" in section
    assert all(re.findall(r"### Function `.*`\n\n(.*)", text))


def test_it_begins_with_the_star_and_ten_questions() -> None:
    text = COMMITTED.read_text(encoding="utf-8")
    star, questions, *rest = text.split("\n## ")[1:]
    assert star.startswith("The star\n")
    for fact in FACTS:
        assert f" {fact} : " in star
    assert questions.startswith("Ten questions most asked\n")
    assert questions.count("\n### ") == questions.count("```sql") == 10
    assert "deprecated" not in text
    assert text.count("\n") <= 1500
    for question in QUESTIONS:
        assert question.question in text
    assert "".join(rest).count("\n### ") > 30


def test_the_diagram_draws_every_reference(engine: sa.Engine) -> None:
    text = COMMITTED.read_text(encoding="utf-8")
    _, diagram = re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(
            "select confrelid::regclass::text, conrelid::regclass::text from pg_constraint"
            " where contype = 'f' and connamespace = 'warehouse'::regnamespace"
        ).all()
    assert len(rows) == 9
    for parent, child in rows:
        assert f"{parent.split('.')[1]} ||--o{{ {child.split('.')[1]} :" in diagram


def test_there_are_questions_enough() -> None:
    assert len(QUESTIONS) >= 20
    for question in QUESTIONS:
        assert question.question.rstrip(")").endswith(("?", "."))
        assert "now()" in question.statement or not question.moves


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_an_analyst_can_ask(
    question: Question, analyst: psycopg.Connection, engine: sa.Engine
) -> None:
    rows = analyst.execute(question.statement.encode()).fetchall()
    with psycopg.connect(engine.url.render_as_string(False).replace("+psycopg", "")) as owner:
        names = {name for (name,) in owner.execute(_NAMES)}
    assert not names & {value for row in rows for value in row if isinstance(value, str)}
    if not question.moves:
        assert rows == answer(engine, question)[1]
        assert rows or question.name == "days_not_complete"


def test_nobody_can_change_anything_by_a_question(engine: sa.Engine) -> None:
    harmful = replace(QUESTIONS[0], statement="delete from analytics.codes")
    with pytest.raises(WarehouseError):
        answer(engine, harmful)


def test_names_are_for_those_who_may_see_them(
    analyst: psycopg.Connection, engine: sa.Engine
) -> None:
    for column in (
        "name from analytics.entity_history where entity_id not in"
        " (select entity_id from analytics.counterparts where entity_type = 'BUSINESS')",
        "name from analytics.counterparts where entity_type <> 'BUSINESS'",
    ):
        statement = f"select distinct {column}"
        assert analyst.execute(statement.encode()).fetchall() == [(None,)]
        with engine.connect() as connection:
            assert len(connection.exec_driver_sql(statement).all()) > 100
    for forbidden in (
        "name from warehouse.entities",
        "value from warehouse.requirements",
        "message from warehouse.timeline_events",
        "* from landing.activity_details",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            analyst.execute(f"select {forbidden}".encode())
