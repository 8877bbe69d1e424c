"""What a list says is believed only when another way of asking, and the details, say the same."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.support.lying_lists import (
    DAY,
    cached,
    capped,
    clipped,
    edges_lost,
    lists,
    more,
    page,
    refused,
    rows_of,
    shortened,
    with_query,
    wrongly_complete,
)
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse, created_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Answer, Asked, FaultRule
    from tests.support.lying_lists import AnswerOf

    Mirrored = Callable[..., Warehouse]


@pytest.mark.parametrize("order", ["newest", "id"])
@pytest.mark.parametrize("most", [40, 3])
def test_a_cap_on_the_rows_of_a_query_shows(mirrored: Mirrored, order: str, most: int) -> None:
    warehouse = mirrored(300, behaviour={"order": order}, faults=(capped(most),))
    summary = warehouse.days(FIRST, FIRST + timedelta(days=20))
    assert wrongly_complete(warehouse) == set()
    if most > 3:  # the days around a day, all in one query, have fewer
        assert summary.status == "complete"


@pytest.mark.parametrize("order", ["newest", "oldest", "id"])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_cap_shows_in_a_few_days_too(mirrored: Mirrored, order: str, length: int) -> None:
    warehouse = mirrored(300, behaviour={"order": order}, faults=(capped(8),))
    for number in range(4):
        first = FIRST + timedelta(days=20 * number)
        warehouse.days(first, first + timedelta(days=length - 1))
    assert wrongly_complete(warehouse) == set()


@pytest.mark.parametrize("count", [60, 200])
# A question for one day ends with two more: its last two dates hold nothing of the day itself.
@pytest.mark.parametrize(
    ("most", "end"),
    [(2, False), (3, False), (3, True), (5, False), (5, True), (7, False), (7, True)],
)
def test_a_service_that_answers_only_some_days_of_long_dates_shows(
    mirrored: Mirrored, most: int, end: bool, count: int
) -> None:
    warehouse = mirrored(count, faults=(shortened(most, end=end),))
    summary = warehouse.days()
    assert wrongly_complete(warehouse) == set()
    if most > 3:
        assert (summary.status, warehouse.differences()) == ("complete", [])


@pytest.mark.parametrize(("rows", "most"), [(80, 45), (30, 20)])
def test_a_page_cut_off_without_a_word_shows(mirrored: Mirrored, rows: int, most: int) -> None:
    """Of a day that no query can cut: with more rows than the service gives in one page."""
    warehouse = mirrored(
        rows, to_date=FIRST, behaviour={"max_limit": None}, faults=(clipped(most),)
    )
    assert (warehouse.days(FIRST, FIRST).status, warehouse.differences()) == ("complete", [])


def test_what_large_pages_leave_out_shows(mirrored: Mirrored) -> None:
    def change(query: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        rows = [
            row for row in rows_of(answer) if int(query.get("limit", 35)) < 60 or row["id"][0] > "1"
        ]
        return page(rows, has_next=more(answer))

    warehouse = mirrored(200, behaviour={"max_limit": None}, faults=(lists(change),))
    warehouse.days()  # now and then a day stays incomplete
    assert warehouse.differences() == []


@pytest.mark.parametrize("limit", [20])
def test_a_row_lost_between_two_pages_shows(mirrored: Mirrored, limit: int) -> None:
    warehouse = mirrored(300, behaviour={"max_limit": limit}, faults=(edges_lost(),))
    summary = warehouse.days()
    assert wrongly_complete(warehouse) == set()
    assert summary.status == "incomplete" or warehouse.differences() == []


def test_a_row_lost_between_two_pages_of_one_day_shows(mirrored: Mirrored) -> None:
    # However the dates are cut, one query has all rows, so only the page sizes can differ.
    day = FIRST + timedelta(days=5)
    warehouse = mirrored(
        50, behaviour={"max_limit": 20}, faults=(edges_lost(),), from_date=day, to_date=day
    )
    warehouse.days(FIRST, FIRST + timedelta(days=7))
    assert wrongly_complete(warehouse) == set()


def test_a_cache_of_answers_hides_nothing(mirrored: Mirrored) -> None:
    warehouse = mirrored(200, faults=(cached(),))
    state = warehouse.service.state
    warehouse.days()
    warehouse.days()
    for name in state.ids("SENT")[:10]:
        state.enter_status(name, "CANCELED")
    summary = warehouse.days()
    assert (summary.status, warehouse.differences()) == ("complete", [])


@pytest.mark.parametrize("most", [8, 100])
def test_one_answer_is_enough_against_many(mirrored: Mirrored, most: int) -> None:
    warehouse = mirrored(60, behaviour={"max_limit": most})
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    name = state.ids("SENT")[0]
    old, seen = state.truth_of(name).row_fields(), 0
    state.enter_status(name, "CANCELED")

    def change(_: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        nonlocal seen
        answer = answer_of(asked)
        rows = rows_of(answer)
        if all(row["id"] != name for row in rows):
            return answer
        seen += 1
        known = [old if row["id"] == name and seen > 1 else row for row in rows]
        return page(known, has_next=more(answer))

    state.set_faults(lists(change))
    summary = warehouse.days(FIRST, TODAY)
    # The details' timeline tells which of the two came first.
    assert (summary.status, warehouse.quarantined()) == ("complete", {})
    assert warehouse.differences(FIRST, TODAY) == []


@pytest.mark.parametrize(
    ("status", "too_much"),
    [
        (400, lambda query: int(query["limit"]) > 60),
        (413, lambda query: int(query["limit"]) > 8),
        (504, lambda query: int(query["limit"]) > 60),
        (
            400,
            lambda query: int(query["limit"]) * int(query["page"]) > 60 < int(query["page"]) * 60,
        ),
        (504, lambda query: int(query["page"]) > 1),
        (500, lambda query: "to" in query and query["from"][:-1] != query["to"][:-1]),
    ],
    ids=["limit", "small limit", "slow limit", "deep", "second page", "wide"],
)
def test_a_page_that_is_too_much_costs_nothing(
    mirrored: Mirrored, status: int, too_much: Callable[[dict[str, str]], bool]
) -> None:
    warehouse = mirrored(150, behaviour={"order": "newest"})
    state = warehouse.service.state
    state.set_faults(
        refused(status, lambda query: "from" in query and too_much({"page": "1"} | query))
    )
    summary = warehouse.days()
    assert wrongly_complete(warehouse) == set()
    if too_much({"limit": "500", "page": "1"}) and status != 500:  # the limit alone is too much
        assert (summary.status, warehouse.differences()) == ("complete", [])
    if status == 500:  # windows are narrowed until only such days are left as no query can ask for
        unread = {day for day, *_ in warehouse.gaps()}
        # A day is asked for with one day before it and two after it.
        assert [day for day in unread if _tens(day - DAY) == _tens(day + 2 * DAY)] == []
    state.set_faults()
    assert (warehouse.days().status, warehouse.differences()) == ("complete", [])


def short(number: int, limits: list[int]) -> FaultRule:
    """Answer the first list requests with one row each; note each ``limit`` that was asked for."""

    def change(query: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        limits.append(int(query.get("limit", "35")))
        few = len(limits) <= number
        return answer_of(with_query(asked, query, limit=1) if few else asked)

    return lists(change)


def test_pages_of_one_row_cost_the_next_run_nothing(mirrored: Mirrored) -> None:
    warehouse = mirrored(400, behaviour={"max_limit": 1})
    state = warehouse.service.state
    warehouse.days(FIRST, FIRST + timedelta(days=3))
    state.change_behaviour(max_limit=500)
    assert warehouse.days().list_requests < 60
    assert warehouse.days().list_requests < 20


def test_one_short_page_costs_its_query_only(mirrored: Mirrored) -> None:
    warehouse = mirrored(400, faults=(short(1, []),))
    summary = warehouse.days()
    assert (summary.status, warehouse.differences()) == ("complete", [])
    assert summary.list_requests < 120


@pytest.mark.parametrize("gone", [False, True])
def test_what_only_the_first_answer_lists_makes_its_day_incomplete(
    mirrored: Mirrored, *, gone: bool
) -> None:
    """Of an activity that is new, and of one that was gone and is back."""
    warehouse = mirrored(200)
    state = warehouse.service.state
    hidden = warehouse.offered()[50]
    day, answers = created_on(hidden), 0

    def change(_: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        nonlocal answers
        answers += 1
        answer = answer_of(asked)
        rows = [row for row in rows_of(answer) if answers == 1 or row["id"] != hidden.id]
        return page(rows, has_next=more(answer))

    if gone:
        warehouse.days(day, day + DAY)
    state.delete(hidden.id)
    warehouse.days(day, day + DAY)
    assert warehouse.gone() == ({hidden.id} if gone else set())
    state.restore(hidden.id)
    state.set_faults(lists(change))
    summary = warehouse.days(day, day + DAY)
    assert any(problem.startswith(f"{day}: ") for problem in summary.problems)
    # What one answer shows is a fact: its details were fetched.
    assert (warehouse.gone(), warehouse.differences(day, day + DAY)) == (set(), [])
    state.set_faults()
    assert warehouse.days(day, day + DAY).status == "complete"
    assert (warehouse.gone(), warehouse.differences(day, day + DAY)) == (set(), [])


@pytest.mark.parametrize("number", range(1, 5))
def test_what_one_answer_lists_is_a_witness(mirrored: Mirrored, number: int) -> None:
    """Whichever answer it is: for its own day, or for a day around, in a question that does not count."""
    warehouse = mirrored(200)
    hidden = warehouse.offered()[50]
    day, held = created_on(hidden), 0

    def change(_: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        nonlocal held
        answer = answer_of(asked)
        rows = [row for row in rows_of(answer) if row["id"] != hidden.id]
        held += len(rows) < len(rows_of(answer))
        return answer if held == number else page(rows, has_next=more(answer))

    warehouse.service.state.set_faults(lists(change))
    warehouse.days(day - DAY, day + DAY, window_days=1, walks=1)
    assert held >= number
    assert wrongly_complete(warehouse) == set()


def test_a_late_row_of_a_day_around_has_that_day_walked_again(mirrored: Mirrored) -> None:
    warehouse = mirrored(200)
    warehouse.days()
    day = FIRST + 40 * DAY
    noon = datetime.combine(day, time(12), UTC).timestamp() * 1000
    warehouse.service.state.create(created_at=round(noon))
    warehouse.days(day + 9 * DAY, LAST)
    assert warehouse.differences() != []
    summary = warehouse.days(day + DAY, day + DAY)  # a query reaches a day further than needed
    assert (summary.status, warehouse.differences()) == ("complete", [])


def _tens(day: date) -> str:
    return str(day)[:-1]
