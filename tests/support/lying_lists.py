"""Lists that lie: rules by which the sandbox changes its answers to list requests."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

import msgspec

from pipeline.sandbox import Answer, FaultRule
from tests.support.mirroring import TODAY, Warehouse, created_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Asked

    AnswerOf = Callable[[Asked], Answer]

DAY = timedelta(days=1)


def lists(change: Callable[[dict[str, str], Asked, AnswerOf], Answer]) -> FaultRule:
    """Change the answers to list requests, given the parameters of their query."""

    def answer(asked: Asked, answer_of: AnswerOf) -> Answer:
        query = {name: values[0] for name, values in parse_qs(asked.query).items()}
        return change(query, asked, answer_of)

    return FaultRule(kind="change", operation="list", change=answer)


def with_query(asked: Asked, query: dict[str, str], **changed: object) -> Asked:
    """Return the request with some parameters changed."""
    return msgspec.structs.replace(asked, query=urlencode(query | changed))


def page(rows: list[Any], *, has_next: bool) -> Answer:
    """Return a page of the list."""
    return Answer(200, msgspec.json.encode({"has_next": has_next, "data": rows}))


def rows_of(answer: Answer) -> list[Any]:
    """Return the rows of a page."""
    rows: list[Any] = msgspec.json.decode(answer.body)["data"]
    return rows


def all_rows(asked: Asked, query: dict[str, str], answer_of: AnswerOf) -> list[Any]:
    """Return every row that the service has for these dates."""
    return rows_of(answer_of(with_query(asked, query, limit=500, page=1)))


def capped(most: int) -> FaultRule:
    """End each query after so many rows, whatever its dates and its page size."""

    def change(query: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        rows = all_rows(asked, query, answer_of)[:most]
        limit, number = int(query["limit"]), int(query.get("page", "1"))
        return page(
            rows[(number - 1) * limit : number * limit], has_next=number * limit < len(rows)
        )

    return lists(change)


def shortened(most: int, *, end: bool) -> FaultRule:
    """Answer only so many days of a query: those at the end of its dates, or at their beginning."""

    def change(query: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        first = date.fromisoformat(query["from"])
        last = date.fromisoformat(query.get("to", str(TODAY)))
        others = (most - 1) * DAY
        first, last = (
            (max(first, last - others), last) if end else (first, min(last, first + others))
        )
        dates = {"from": str(first), "to": str(last)}
        return answer_of(with_query(asked, query, **dates))

    return lists(change)


def clipped(most: int) -> FaultRule:
    """Leave out of each page all but its first rows; ``has_next`` and the page's number know of no cut."""

    def change(_: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        return page(rows_of(answer)[:most], has_next=more(answer))

    return lists(change)


def edges_lost() -> FaultRule:
    """Leave out the first row of each page after the first."""

    def change(query: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        later = int(query.get("page", "1")) > 1 and answer.status == 200
        return page(rows_of(answer)[1:], has_next=more(answer)) if later else answer

    return lists(change)


def more(answer: Answer) -> bool:
    """Return what a page says of further pages."""
    return bool(msgspec.json.decode(answer.body)["has_next"])


def cached() -> FaultRule:
    """Answer the same address as it was answered the first time."""
    kept: dict[str, Answer] = {}
    return lists(
        lambda _, asked, answer_of: (
            kept.get(asked.query) or kept.setdefault(asked.query, answer_of(asked))
        )
    )


def refused(status: int, too_much: Callable[[dict[str, str]], bool]) -> FaultRule:
    """Answer a status to queries that are too much."""
    return lists(
        lambda query, asked, answer_of: Answer(status) if too_much(query) else answer_of(asked)
    )


def empty() -> FaultRule:
    """Answer 200 and no rows."""
    return lists(lambda _query, _asked, _answer_of: page([], has_next=False))


def wrongly_complete(warehouse: Warehouse) -> set[str]:
    """Return the activities that are not stored, although the coverage calls their day complete."""
    complete = warehouse.complete_days()
    offered = {truth.id for truth in warehouse.offered() if created_on(truth) in complete}
    return offered - {
        name for (name,) in warehouse.query("select id::text from warehouse.activities")
    }
