"""The dictionary is complete and current, and the example questions have answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psycopg
import pytest
import yaml

from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.output.lake import FACTS
from tests.support.commands import CHECKOUT
from tests.tools.dictionary import READ, described, files
from tests.tools.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    import sqlalchemy as sa

    from tests.tools.questions import Question

COMMITTED = CHECKOUT / "sql" / "README.md"

QUESTIONS = read_questions()

ZONES = ("UTC", "Asia/Tokyo", "America/Los_Angeles")


@pytest.fixture(scope="module")
def engine(shown_url: str) -> Iterator[sa.Engine]:
    engine = open_engine(shown_url)
    yield engine
    engine.dispose()


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


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_answer_to_a_question_depends_on_no_session(shown_url: str, question: Question) -> None:
    answers = []
    with psycopg.connect(shown_url) as session:
        for zone in ZONES:
            session.execute(f"set time zone '{zone}'".encode())
            answers.append(session.execute(question.statement.encode()).fetchall())
    assert answers[0] == answers[1] == answers[2]
    assert answers[0] or question.moves or question.name == "days_not_complete"
