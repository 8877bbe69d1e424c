"""What a list says is believed only when another way of asking, and the details, say the same.

Clauses 1 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

import msgspec
import pytest

from tests.support.costs import MOST_LIST_REQUESTS
from tests.support.habits import answers as made
from tests.support.habits import lists as listed
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse, created_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Answer, Asked, FaultRule
    from tests.integration.conftest import Mirrored
    from tests.support.habits.answers import AnswerOf, Rows


DAY = timedelta(days=1)
MONTH_END = date(2026, 1, 31)


def parameters(asked: Asked) -> dict[str, str]:
    """Return the parameters of a query."""
    return {name: values[0] for name, values in parse_qs(asked.query).items()}


def pages(select: Callable[[dict[str, str], Rows], Rows]) -> FaultRule:
    """Change the rows of each page, given the parameters of its query, and nothing else of it."""
    return made.rule(
        made.bodies(
            "list", lambda asked, page: page | {"data": select(parameters(asked), page["data"])}
        )
    )


def shortened(most: int, *, end: bool) -> FaultRule:
    """Answer only so many days of a query: those at the end of its dates, or at their beginning."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        query = parameters(asked)
        if asked.operation != "list" or "from" not in query:
            return answer_of(asked)
        first = date.fromisoformat(query["from"])
        last = date.fromisoformat(query.get("to", str(TODAY)))
        others = (most - 1) * DAY
        first, last = (
            (max(first, last - others), last) if end else (first, min(last, first + others))
        )
        dates = {"from": str(first), "to": str(last)}
        return answer_of(msgspec.structs.replace(asked, query=urlencode(query | dates)))

    return made.rule(change)


def wrongly_complete(warehouse: Warehouse) -> set[str]:
    """Return the activities that are not stored, although the coverage calls their day complete."""
    complete = warehouse.complete_days()
    offered = {truth.id for truth in warehouse.offered() if created_on(truth) in complete}
    return offered - {
        name for (name,) in warehouse.query("select id::text from warehouse.activities")
    }


@pytest.mark.parametrize(("most", "order"), [(40, "id"), (3, "newest")])
def test_a_cap_on_the_rows_of_a_query_shows(mirrored: Mirrored, order: str, most: int) -> None:
    warehouse = mirrored(
        300, behaviour={"order": order}, faults=(made.rule(listed.rows_capped(most)),)
    )
    summary = warehouse.days(FIRST, FIRST + timedelta(days=20))
    assert wrongly_complete(warehouse) == set()
    if most > 3:  # the days around a day, all in one query, have fewer
        assert summary.status == "complete"


@pytest.mark.parametrize(("order", "length"), [("newest", 1), ("id", 3)])
def test_a_cap_shows_in_a_few_days_too(mirrored: Mirrored, order: str, length: int) -> None:
    warehouse = mirrored(
        300, behaviour={"order": order}, faults=(made.rule(listed.rows_capped(8)),)
    )
    for number in range(4):
        first = FIRST + timedelta(days=20 * number)
        warehouse.days(first, first + timedelta(days=length - 1))
    assert wrongly_complete(warehouse) == set()


# A question for one day ends with two more: its last two dates hold nothing of the day itself.
@pytest.mark.parametrize(("most", "end", "count"), [(2, False, 70), (3, True, 20), (5, True, 70)])
def test_a_service_that_answers_only_some_days_of_long_dates_shows(
    mirrored: Mirrored, most: int, end: bool, count: int
) -> None:
    warehouse = mirrored(count, to_date=MONTH_END, faults=(shortened(most, end=end),))
    summary = warehouse.days(FIRST, MONTH_END)
    assert wrongly_complete(warehouse) == set()
    if most > 3:
        assert (summary.status, warehouse.differences()) == ("complete", [])


def test_what_large_pages_leave_out_shows(mirrored: Mirrored) -> None:
    def few(query: dict[str, str], rows: Rows) -> Rows:
        large = int(query.get("limit", 35)) >= 60
        return [row for row in rows if not large or row["id"][0] > "1"]

    warehouse = mirrored(200, behaviour={"max_limit": None}, faults=(pages(few),))
    warehouse.days()  # now and then a day stays incomplete
    assert warehouse.differences() == []


def test_a_row_lost_between_two_pages_shows(mirrored: Mirrored) -> None:
    warehouse = mirrored(
        100,
        to_date=MONTH_END,
        behaviour={"max_limit": 20},
        faults=(made.rule(listed.edges("lost")),),
    )
    summary = warehouse.days(FIRST, MONTH_END)
    assert wrongly_complete(warehouse) == set()
    assert summary.status == "incomplete" or warehouse.differences() == []


def test_a_cache_of_answers_hides_nothing(mirrored: Mirrored) -> None:
    warehouse = mirrored(70, to_date=MONTH_END, faults=(made.rule(made.cached("list")),))
    state = warehouse.service.state
    warehouse.days(FIRST, MONTH_END)
    warehouse.days(FIRST, MONTH_END)
    chosen = state.ids("CANCELED")[:10]
    assert chosen
    for name in chosen:
        state.enter_status(name, "SENT")
    summary = warehouse.days(FIRST, MONTH_END)
    assert (summary.status, warehouse.differences()) == ("complete", [])


@pytest.mark.parametrize(("most", "on_each_page"), [(8, False), (100, False), (8, True)])
def test_one_answer_is_enough_against_many(
    mirrored: Mirrored, most: int, on_each_page: bool
) -> None:
    warehouse = mirrored(60, behaviour={"max_limit": most})
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    name = state.ids("SENT")[0]
    old, seen = state.truth_of(name).row_fields(), 0
    state.enter_status(name, "CANCELED")

    def once(_: dict[str, str], rows: Rows) -> Rows:
        nonlocal seen
        seen += any(row["id"] == name for row in rows)
        return [old if row["id"] == name and seen > 1 else row for row in rows]

    def again(_: dict[str, str], rows: Rows) -> Rows:
        """Have the old row on each page that follows the new one's."""
        nonlocal seen
        others = [row for row in rows if row["id"] != name]
        first = not seen and len(others) < len(rows)
        seen += first
        return rows if first else [*others, *([old] if seen else [])]

    state.set_faults(pages(again if on_each_page else once))
    summary = warehouse.days(FIRST, TODAY)
    # The details' timeline tells which of the two came first.
    assert (summary.status, warehouse.quarantined()) == ("complete", {})
    assert warehouse.differences(FIRST, TODAY) == []


@pytest.mark.parametrize(
    ("status", "most"),
    [
        (413, {"limit": 8}),
        (400, {"offset": 60}),
        (504, {"page": 1}),
        (500, {"days": 5}),
    ],
    ids=str,
)
def test_a_page_that_is_too_much_costs_nothing(
    mirrored: Mirrored, status: int, most: dict[str, Any]
) -> None:
    warehouse = mirrored(70, to_date=MONTH_END, behaviour={"order": "newest"})
    state = warehouse.service.state
    state.set_faults(made.rule(listed.refuses_much(status, **most)))
    summary = warehouse.days(FIRST, MONTH_END)
    assert wrongly_complete(warehouse) == set()
    if most.keys() & {"limit", "days"}:  # smaller pages, or fewer days, can be had
        assert (summary.status, warehouse.differences()) == ("complete", [])
    state.set_faults()
    assert (warehouse.days(FIRST, MONTH_END).status, warehouse.differences()) == ("complete", [])


def test_ranges_that_are_too_long_cost_little(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    warehouse.service.state.set_faults(made.rule(listed.refuses_much(400, days=31)))
    summary = warehouse.days()
    assert (summary.status, warehouse.differences()) == ("complete", [])
    assert summary.list_requests <= MOST_LIST_REQUESTS["ninety days of which 31 can be asked for"]


def test_days_that_became_too_old_for_the_list_stay_proven(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    state = warehouse.service.state
    state.set_faults(made.rule(listed.older_refused(state, 92)))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    state.set_clock(advance_ms=5 * made.DAY_MS)
    summaries = warehouse.nightly(TODAY + 5 * DAY, start=FIRST, audit_days=1)
    assert [each.problems for each in summaries] == [[], []]
    requests = sum(each.list_requests for each in summaries)
    assert requests <= MOST_LIST_REQUESTS["a night of ninety days of which five can't be asked for"]
    # What was never proven is not: somebody must begin later.
    warehouse.execute(f"delete from sync.days where day < '{FIRST + 3 * DAY}'")
    summary = warehouse.days(FIRST, TODAY)
    assert summary.status == "incomplete"
    assert "the service refuses dates before" in summary.problems[0]


def test_a_later_page_that_is_refused_makes_no_day_too_old(mirrored: Mirrored) -> None:
    last = FIRST + 6 * DAY
    warehouse = mirrored(200, to_date=last, behaviour={"max_limit": 8})
    warehouse.days(FIRST, last)

    def is_refused(asked: Asked) -> bool:
        older = parameters(asked).get("from", "") < f"{FIRST + 4 * DAY}"
        return asked.operation == "list" and older and listed.number_of(asked) > 1

    warehouse.service.state.set_faults(made.rule(made.instead(is_refused, made.refused(400))))
    assert warehouse.days(FIRST, last).status == "incomplete"


@pytest.mark.parametrize("gone", [False, True])
def test_what_only_the_first_answer_lists_makes_its_day_incomplete(
    mirrored: Mirrored, *, gone: bool
) -> None:
    """Of an activity that is new, and of one that was gone and is back."""
    warehouse = mirrored(200)
    state = warehouse.service.state
    hidden = warehouse.offered()[50]
    day, answers = created_on(hidden), 0

    def first(_: dict[str, str], rows: Rows) -> Rows:
        nonlocal answers
        answers += 1
        return [row for row in rows if answers == 1 or row["id"] != hidden.id]

    if gone:
        warehouse.days(day, day + DAY)
    state.delete(hidden.id)
    warehouse.days(day, day + DAY)
    assert warehouse.gone() == ({hidden.id} if gone else set())
    state.restore(hidden.id)
    state.set_faults(pages(first))
    summary = warehouse.days(day, day + DAY)
    assert any(problem.startswith(f"{day}: ") for problem in summary.problems)
    # What one answer shows is a fact: its details were fetched.
    assert (warehouse.gone(), warehouse.differences(day, day + DAY)) == (set(), [])
    state.set_faults()
    assert warehouse.days(day, day + DAY).status == "complete"
    assert (warehouse.gone(), warehouse.differences(day, day + DAY)) == (set(), [])


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


def test_a_row_that_changes_back_within_a_run_is_compared(mirrored: Mirrored) -> None:
    warehouse = mirrored(60, to_date=MONTH_END)
    warehouse.days(FIRST, MONTH_END)
    name, other = warehouse.service.state.ids()[:2]
    asked: dict[str, int] = {}

    def second_differs(query: dict[str, str], rows: Rows) -> Rows:
        named = [row for row in rows if row["id"] == name]
        if not named or asked.setdefault(query["limit"], len(asked)) != 1:
            return rows
        named[0]["status"] = "SENT"
        # It also lacks a row: so more questions follow.
        return [row for row in rows if row["id"] != other]

    warehouse.service.state.set_faults(pages(second_differs))
    warehouse.nightly(TODAY, start=FIRST, audit_days=1)
    assert len(asked) > 2
    warehouse.service.state.set_faults()
    assert warehouse.days(FIRST, MONTH_END).details_requests == 0
