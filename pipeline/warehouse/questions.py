"""The example questions of ``sql/queries``: one file each. Its first line is the question.

An analyst's own questions are asked in the same way (`ask`).
"""

from dataclasses import dataclass
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import dict_row

from pipeline.warehouse import roles
from pipeline.warehouse.engine import open_session
from pipeline.warehouse.errors import QuestionRefused
from pipeline.warehouse.export import reading_as
from pipeline.warehouse.sql import sql_files

#: Second line of a query that reads the clock.
_MOVES = "-- The answer changes with the clock."

MOST_ASKED = (
    "outcome_by_type", "accepted_this_week", "created_per_week", "month_over_month",
    "acceptance_by_requirement", "hours_to_answer", "for_us_to_answer", "shares_ending_soon",
    "long_silent_counterparts", "complete_through",
)  # fmt: skip
"""The questions that people ask first: they come before the others."""

#: Of an answer that is asked by hand.
MOST_ROWS = 10_000


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
        moves = rest[:1] == [_MOVES]
        found.append(Question(name, first.removeprefix("-- "), "\n".join(rest[moves:]), moves))
    return found


def answer(engine: sa.Engine, question: Question) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and rows that answer a question, in a transaction that cannot write.

    Raises a ``WarehouseError``.
    """
    with open_session(engine) as session:
        session.execute("set transaction read only")
        cursor = session.execute(question.statement.encode())
        return [column.name for column in cursor.description or ()], cursor.fetchall()


def ask(engine: sa.Engine, text: str) -> list[dict[str, Any]]:
    """Return the first `MOST_ROWS` rows that answer one statement, with the rights of an analyst.

    Raises ``QuestionRefused`` with PostgreSQL's own words, which the one who asks may read, or another
    ``WarehouseError``.
    """
    with reading_as(engine, roles.ANALYST) as session:
        session.execute("set local statement_timeout = '60s'")
        try:
            # In PostgreSQL's binary protocol no second statement can follow, which leaves the role.
            cursor = session.cursor(row_factory=dict_row).execute(text.encode(), binary=True)
            return cursor.fetchmany(MOST_ROWS) if cursor.description else []
        except psycopg.Error as error:
            raise QuestionRefused(error.diag.message_primary or "no answer") from None
