"""Changes of list answers for rules of kind ``change``: endless pages, moving rows, days that fail.

Each function returns what a `FaultRule` takes as its ``change``.
"""

from __future__ import annotations

import itertools
from datetime import date, datetime
from random import Random
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs, urlencode
from zoneinfo import ZoneInfo

import msgspec

from pipeline.sandbox import Answer, FaultRule
from tests.support.list_misbehaviour import number_of, page_of
from tests.support.misbehaviour import as_answer

if TYPE_CHECKING:
    from collections.abc import Container

    from pipeline.sandbox import Asked, SandboxState
    from tests.support.misbehaviour import AnswerOf, Change, Rows


def moving(
    state: SandboxState, every: int, deed: Literal["insert", "delete", "both"], times: int
) -> FaultRule:
    """Before every so-many-th list request, insert a row at the top of what is asked for, or delete it.

    At most so many times.
    """
    requests, moves = itertools.count(1), itertools.count()

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        if next(requests) % every or answer_of(asked).status != 200:
            return answer_of(asked)
        rows = page_of(asked, answer_of, 1)["data"]
        if not rows or (move := next(moves)) >= times:
            return answer_of(asked)
        if deed == "insert" or (deed == "both" and move % 2 == 0):
            state.create(created_at=rows[0]["created_at"] + 1)
        else:
            state.delete(rows[0]["id"])
        return answer_of(asked)

    return FaultRule(kind="change", operation="list", change=change)


def clock_moves(state: SandboxState, milliseconds: int) -> Change:
    """Return the change that moves the service's clock on with each request."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        state.set_clock(advance_ms=milliseconds)
        return answer_of(asked)

    return change


def endless(how: Literal["empty", "repeat"], first: int | None = None) -> FaultRule:
    """Make pages from ``first`` on (None: after the last) empty, or repeat the page before.

    ``has_next`` is true on every page.
    """

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        number = number_of(asked)
        # The first stuck page: the one after the last, if that comes before `first`.
        stuck = 2
        while stuck <= number and page_of(asked, answer_of, stuck - 1)["has_next"]:
            stuck += 1
        stuck = min(stuck, first or stuck)
        if number < stuck:
            rows = page_of(asked, answer_of, number)["data"]
        else:
            rows = [] if how == "empty" else page_of(asked, answer_of, max(1, stuck - 1))["data"]
        return as_answer({"has_next": True, "data": rows})

    return FaultRule(kind="change", operation="list", change=change)


def list_fails_for(first: str, last: str, status: int = 500) -> FaultRule:
    """Answer ``status`` to every query of the list whose dates touch these days (yyyy-MM-dd).

    A query without dates, for the newest rows, is answered.
    """

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        query = parse_qs(asked.query)
        begins, ends = query.get("from", ["9999"])[0], query.get("to", ["9999"])[0]
        return Answer(status) if begins <= last and ends >= first else answer_of(asked)

    return FaultRule(kind="change", operation="list", change=change)


def list_shuffled_on(days: Container[date], zone: str, page: int = 8) -> FaultRule:
    """Shuffle each answer that holds rows created on these days of ``zone``, in pages of so many rows."""
    random = Random(7)

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        query = parse_qs(asked.query)
        everything = msgspec.structs.replace(
            asked, query=urlencode(query | {"page": ["1"], "limit": ["500"]}, doseq=True)
        )
        answer = answer_of(everything)
        if answer.status != 200:
            return answer
        found: Rows = msgspec.json.decode(answer.body)["data"]
        if any(_created_on(row, zone) in days for row in found):
            random.shuffle(found)
        size = min(page, int(query.get("limit", ["35"])[0]))
        begin = (number_of(asked) - 1) * size
        return as_answer(
            {"has_next": len(found) > begin + size, "data": found[begin : begin + size]}
        )

    return FaultRule(kind="change", operation="list", change=change)


def _created_on(row: dict[str, Any], zone: str) -> date:
    return datetime.fromtimestamp(row["created_at"] / 1000, ZoneInfo(zone)).date()
