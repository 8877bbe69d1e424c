"""Habits of the list (see `answers`): rows, pages, their order, and what is refused."""

from __future__ import annotations

import itertools
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs, urlencode
from zoneinfo import ZoneInfo

import msgspec

from pipeline.sandbox import Answer, Asked, FaultRule
from tests.support.habits.answers import (
    AnswerOf,
    Change,
    Row,
    Rows,
    as_answer,
    bodies,
    instead,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from pipeline.sandbox import SandboxState

#: Most rows of a page of the sandbox.
_GRANTED = 100


def rows(select: Callable[[Rows], Rows]) -> Change:
    """Change what a list query selects, in the service's order, before it is cut into pages."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        first = answer_of(_page(asked, 1))
        if first.status != 200:
            return first
        page = msgspec.json.decode(first.body)
        selected, size = list(page["data"]), len(page["data"]) or 1
        number = 1
        while page["has_next"] and page["data"]:
            number += 1
            answer = answer_of(_page(asked, number))
            if answer.status != 200:
                return answer
            page = msgspec.json.decode(answer.body)
            selected += page["data"]
        # The pages keep the size that the service granted.
        size = size if number > 1 else min(limit_of(asked), _GRANTED)
        return cut_page(asked, select(selected), size)

    return _of_list(change)


def cut_page(asked: Asked, found: Rows, size: int) -> Answer:
    """Answer the page that is asked for, of pages of so many rows."""
    begin = (number_of(asked) - 1) * size
    # Empty rows are left out of pages that are cut already.
    data = [row for row in found[begin : begin + size] if row]
    return as_answer({"has_next": len(found) > begin + size, "data": data})


def rows_lost(lost: Callable[[Row], bool]) -> Change:
    """Leave out rows in whichever way the list is asked."""
    return rows(lambda found: [row for row in found if not lost(row)])


def rows_capped(most: int) -> Change:
    """Give each query its first ``most`` rows only, and say that there are no more."""
    return rows(lambda found: found[:most])


def rows_in_unstable_order(random: Random) -> Change:
    """Order by status only; who has the same one comes in another order on each request."""
    return rows(
        lambda found: sorted(found, key=lambda row: (str(row.get("status")), random.random()))
    )


def row_changed(change_row: Callable[[Row], Row]) -> Change:
    """Change every row of the list."""
    return bodies("list", lambda _, page: page | {"data": [*map(change_row, page["data"])]})


def rows_changed(change_row: Callable[[Row], Row], **conditions: Any) -> FaultRule:
    """Change every row of the list, under the ``conditions`` of a rule."""
    return FaultRule(kind="change", operation="list", change=row_changed(change_row), **conditions)


def edges(how: str) -> Change:
    """Have the last row of each page that another one follows ``lost``, or ``repeated`` on that one."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        if answer.status != 200:
            return answer
        page = msgspec.json.decode(answer.body)
        number = number_of(asked)
        if how == "lost" and page["has_next"]:
            # An empty page at the end does not count: nobody could ever see the last row of all.
            after = page_of(asked, answer_of, number + 1)
            return as_answer(page | {"data": page["data"][: -1 if after["data"] else None]})
        if how == "repeated" and number > 1:
            before = page_of(asked, answer_of, number - 1)
            return as_answer(page | {"data": before["data"][-1:] + page["data"]})
        return answer

    return _of_list(change)


def one_short_page(number: int) -> Change:
    """Lose the first row of the answer to the list request of this number, once."""
    seen = itertools.count(1)
    return bodies(
        "list",
        lambda _, page: page | {"data": page["data"][1:]} if next(seen) == number else page,
    )


def refuses_much(
    status: int,
    *,
    limit: int | None = None,
    page: int | None = None,
    offset: int | None = None,
    days: int | None = None,
) -> Change:
    """Refuse list requests with more than so many rows a page, a later page or row, or more days."""

    def too_much(asked: Asked) -> bool:
        size, number = limit_of(asked), number_of(asked)
        query, wide = parse_qs(asked.query), 1
        if "from" in query and "to" in query:
            first, last = (date.fromisoformat(query[name][0]) for name in ("from", "to"))
            wide = (last - first).days + 1
        return asked.operation == "list" and (
            (limit is not None and size > limit)
            or (page is not None and number > page)
            or (offset is not None and (number - 1) * size >= offset)
            or (days is not None and wide > days)
        )

    return instead(too_much, refused(status))


def bare_if(empty: Callable[[Rows], object]) -> Change:
    """Answer 200 without a body instead of pages of which this is true."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        found: Row = {"data": None}
        if answer.status == 200:
            found = msgspec.json.decode(answer.body)
        return Answer(200, b"") if empty(found["data"]) else answer

    return _of_list(change)


def older_refused(state: SandboxState, days: int, status: int = 400) -> Change:
    """Refuse list requests whose dates begin so many days ago, or earlier."""

    def too_old(asked: Asked) -> bool:
        today = datetime.fromtimestamp(state.clock.now() / 1000, UTC).date()
        first = parse_qs(asked.query).get("from", [str(today)])[0]
        return asked.operation == "list" and date.fromisoformat(first) <= today - timedelta(
            days=days
        )

    return instead(too_old, refused(status))


def list_fails_for(first: str, last: str, status: int = 500) -> FaultRule:
    """Answer ``status`` to every query of the list whose dates touch these days (yyyy-MM-dd).

    A query without dates, for the newest rows, is answered.
    """

    def touches(asked: Asked) -> bool:
        query = parse_qs(asked.query)
        begins, ends = query.get("from", ["9999"])[0], query.get("to", ["9999"])[0]
        return begins <= last and ends >= first

    change = instead(touches, refused(status, b""))
    return FaultRule(kind="change", operation="list", change=change)


def list_shuffled_on(days: Container[date], zone: str, page: int = 8) -> FaultRule:
    """Shuffle each answer that holds rows created on these days of ``zone``, in pages of so many rows."""
    random = Random(7)

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(_page(asked, 1, limit="500"))
        if answer.status != 200:
            return answer
        found: Rows = msgspec.json.decode(answer.body)["data"]
        if any(_created_on(row, zone) in days for row in found):
            random.shuffle(found)
        return cut_page(asked, found, min(page, limit_of(asked)))

    return FaultRule(kind="change", operation="list", change=change)


def _created_on(row: Row, zone: str) -> date:
    since = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=row["created_at"])
    return since.astimezone(ZoneInfo(zone)).date()


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
        if number >= stuck and how == "empty":
            return as_answer({"has_next": True, "data": []})
        last = page_of(asked, answer_of, min(number, max(1, stuck - 1)))
        return as_answer({"has_next": True, "data": last["data"]})

    return FaultRule(kind="change", operation="list", change=change)


def _of_list(change: Change) -> Change:
    return instead(lambda asked: asked.operation == "list", change)


def page_of(asked: Asked, answer_of: AnswerOf, number: int) -> Row:
    """Return the page of a number, as the service would answer it."""
    page: Row = msgspec.json.decode(answer_of(_page(asked, number)).body)
    return page


def number_of(asked: Asked) -> int:
    """Return the number of the page that is asked for."""
    return int(parse_qs(asked.query).get("page", ["1"])[0])


def limit_of(asked: Asked) -> int:
    """Return how many rows a page is asked to have."""
    return int(parse_qs(asked.query).get("limit", ["35"])[0])


def _page(asked: Asked, number: int, **changes: str) -> Asked:
    query: dict[str, Any] = parse_qs(asked.query, keep_blank_values=True)
    query |= {"page": [str(number)], **changes}
    return msgspec.structs.replace(asked, query=urlencode(query, doseq=True))
