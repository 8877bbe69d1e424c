"""The example questions of ``sql/queries``: one file each, its first line the question."""

from dataclasses import dataclass
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import sql_root

#: Second line of a query that reads the clock: its answer is another one each time.
_MOVES = "-- The answer moves with the clock."


@dataclass(frozen=True)
class Question:
    """A question and the statement that answers it; ``moves``: the answer depends on the clock."""

    name: str
    question: str
    statement: str
    moves: bool


@dataclass(frozen=True)
class Answer:
    """The columns and rows that a statement gave."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def read_questions() -> list[Question]:
    """Return all example questions, by file name."""
    return [
        _question(path.stem, path.read_text(encoding="utf-8"))
        for path in sorted((sql_root() / "queries").glob("*.sql"))
    ]


def answer(engine: sa.Engine, question: Question) -> Answer:
    """Ask a question; nothing can be changed by it. Raises a ``WarehouseError``."""

    def work(session: psycopg.Connection[Any]) -> Answer:
        session.execute("set transaction read only")
        cursor = session.execute(question.statement.encode())
        return Answer(tuple(column.name for column in cursor.description or ()), cursor.fetchall())

    return in_transaction(engine, work)


def _question(name: str, text: str) -> Question:
    first, *rest = text.splitlines()
    moves = bool(rest) and rest[0] == _MOVES
    statement = "\n".join(rest[1:] if moves else rest)
    return Question(name, first.removeprefix("-- "), statement, moves)
