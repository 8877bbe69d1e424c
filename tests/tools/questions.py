"""The example questions of ``sql/queries``: one file each. Its first line is the question."""

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import sqlalchemy as sa

from pipeline.warehouse.database.engine import open_session
from pipeline.warehouse.database.sql import sql_files
from tests.tools.metrics import METRICS, MOVES

MOST_ASKED = tuple(METRICS["questions"])
"""The questions that people ask first: they come before the others."""


@dataclass(frozen=True)
class Question:
    """A question and the statement that answers it. ``moves``: the answer depends on the clock."""

    name: str
    question: str
    statement: str
    moves: bool


def read_questions() -> list[Question]:
    """Return all example questions: those most asked, then the others by file name."""
    found = []
    files = sql_files("queries")
    for name in (*MOST_ASKED, *(name for name in files if name not in MOST_ASKED)):
        first, *rest = files[name].splitlines()
        said = [*takewhile(lambda line: line.startswith("--"), rest)]
        text = "\n".join(rest[len(said) :])
        found.append(Question(name, first.removeprefix("-- "), text, MOVES in said))
    return found


def answer(engine: sa.Engine, question: Question) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and rows that answer a question, in a transaction that cannot write.

    Raises a ``WarehouseError``.
    """
    with open_session(engine) as session:
        session.execute("set transaction read only")
        cursor = session.execute(question.statement.encode())
        return [column.name for column in cursor.description or ()], cursor.fetchall()
