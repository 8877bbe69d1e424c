"""Misbehaviours of the list (see `misbehaviour`): rows, pages, their order, and what is refused."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode

import msgspec

from pipeline.sandbox import Answer, Asked
from tests.support.misbehaviour import AnswerOf, Change, Row, Rows, as_answer, bodies

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


#: Most rows of a page of the sandbox.
_GRANTED = 100


def rows(select: Callable[[Rows], Rows]) -> Change:
    """Change what a list query selects, in the service's order, before it is cut into pages."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        if asked.operation != "list":
            return answer_of(asked)
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
        size = size if number > 1 else min(_number(asked, "limit", 35), _GRANTED)
        begin = (number_of(asked) - 1) * size
        left = select(selected)
        # Empty rows are left out of pages that are cut already.
        data = [row for row in left[begin : begin + size] if row]
        return as_answer({"has_next": len(left) > begin + size, "data": data})

    return change


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


def edges(how: str) -> Change:
    """Have the last row of each page that another one follows ``lost``, or ``repeated`` on that one."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        if asked.operation != "list" or answer.status != 200:
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

    return change


def one_short_page(number: int) -> Change:
    """Lose the first row of the answer to the list request of this number, once."""
    seen = 0

    def shorten(_: Asked, page: Row) -> Row:
        nonlocal seen
        seen += 1
        return page | {"data": page["data"][1:]} if seen == number else page

    return bodies("list", shorten)


def refuses_much(
    status: int,
    *,
    limit: int | None = None,
    page: int | None = None,
    offset: int | None = None,
    days: int | None = None,
) -> Change:
    """Refuse list requests with more than so many rows a page, a later page or row, or more days."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        size, number = _number(asked, "limit", 35), number_of(asked)
        query = parse_qs(asked.query)
        wide = 1
        if "from" in query and "to" in query:
            first, last = (date.fromisoformat(query[name][0]) for name in ("from", "to"))
            wide = (last - first).days + 1
        too_much = (
            (limit is not None and size > limit)
            or (page is not None and number > page)
            or (offset is not None and (number - 1) * size >= offset)
            or (days is not None and wide > days)
        )
        if asked.operation == "list" and too_much:
            return Answer(status, b'{"error": "too much"}')
        return answer_of(asked)

    return change


def row_changed(change_row: Callable[[Row], Row]) -> Change:
    """Change every row of the list."""
    return rows(lambda found: [change_row(row) for row in found])


def envelope() -> Change:
    """Put members that the interface does not name around the rows of the list."""
    return bodies("list", lambda _, page: {"total": 7, "links": {"self": "?"}} | page)


def page_of(asked: Asked, answer_of: AnswerOf, number: int) -> Row:
    """Return the page of a number, as the service would answer it."""
    page: Row = msgspec.json.decode(answer_of(_page(asked, number)).body)
    return page


def number_of(asked: Asked) -> int:
    """Return the number of the page that is asked for."""
    return _number(asked, "page", 1)


def _number(asked: Asked, name: str, otherwise: int) -> int:
    return int(parse_qs(asked.query).get(name, [str(otherwise)])[0])


def _page(asked: Asked, number: int) -> Asked:
    query = parse_qs(asked.query, keep_blank_values=True) | {"page": [str(number)]}
    return msgspec.structs.replace(asked, query=urlencode(query, doseq=True))
