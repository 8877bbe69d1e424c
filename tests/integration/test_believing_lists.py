"""What a list says is believed only when another way of asking, and the details, say the same."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

import msgspec
import pytest

from pipeline.sandbox import Answer, FaultRule
from pipeline.sync.options import TooManyGone
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse, created_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Asked

    AnswerOf = Callable[[Asked], Answer]
    Mirrored = Callable[..., Warehouse]

DAY = timedelta(days=1)
_GONE = "select count(*) from warehouse.activities where gone_at is not null"


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
        return page(rows_of(answer)[:most], has_next=_more(answer))

    return lists(change)


def edges_lost() -> FaultRule:
    """Leave out the first row of each page after the first."""

    def change(query: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        later = int(query.get("page", "1")) > 1 and answer.status == 200
        return page(rows_of(answer)[1:], has_next=_more(answer)) if later else answer

    return lists(change)


def _more(answer: Answer) -> bool:
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


@pytest.mark.parametrize("order", ["newest", "shuffled"])
@pytest.mark.parametrize("most", [40, 3])
def test_a_cap_on_the_rows_of_a_query_shows(mirrored: Mirrored, order: str, most: int) -> None:
    warehouse = mirrored(300, behaviour={"order": order}, faults=(capped(most),))
    summary = warehouse.days(FIRST, FIRST + timedelta(days=20))
    assert wrongly_complete(warehouse) == set()
    if most > 3:  # the days around a day, all in one query, have fewer
        assert summary.status == "complete"


@pytest.mark.parametrize("count", [60, 200])
@pytest.mark.parametrize("end", [False, True])
@pytest.mark.parametrize("most", [2, 3, 5, 7])
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
        return page(rows, has_next=_more(answer))

    warehouse = mirrored(200, behaviour={"max_limit": None}, faults=(lists(change),))
    warehouse.days()  # now and then a day stays unverified
    assert warehouse.differences() == []


@pytest.mark.parametrize("limit", [20])
def test_a_row_lost_between_two_pages_shows(mirrored: Mirrored, limit: int) -> None:
    warehouse = mirrored(300, behaviour={"max_limit": limit}, faults=(edges_lost(),))
    summary = warehouse.days()
    assert wrongly_complete(warehouse) == set()
    assert summary.status == "incomplete" or warehouse.differences() == []


def test_a_row_lost_between_two_pages_of_one_day_shows(mirrored: Mirrored) -> None:
    # However a pass cuts the dates, one query has all rows, so only the page sizes can differ.
    day = FIRST + timedelta(days=5)
    warehouse = mirrored(
        50, behaviour={"max_limit": 20}, faults=(edges_lost(),), from_date=day, to_date=day
    )
    warehouse.days(FIRST, FIRST + timedelta(days=7))
    assert wrongly_complete(warehouse) == set()


def test_a_cache_of_answers_hides_nothing(mirrored: Mirrored) -> None:
    warehouse = mirrored(200, faults=(cached(),))
    state = warehouse.service.state
    # Twice: the second run knows where the service's days begin, and asks for other dates.
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
        return page(known, has_next=_more(answer))

    state.set_faults(lists(change))
    summary = warehouse.days(FIRST, TODAY)
    assert summary.status == "incomplete"
    assert warehouse.quarantined() == {
        name: f"doubtful: the list says status {old['status']}, the details say CANCELED"
    }


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
        days = "select day from sync.coverage where unverified is not null"
        unread = {day for (day,) in warehouse.query(days)}
        # A day is asked for with two days before it and three after it.
        assert [day for day in unread if _tens(day - 2 * DAY) == _tens(day + 3 * DAY)] == []
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


def test_a_page_size_that_was_cut_is_asked_for_again(mirrored: Mirrored) -> None:
    limits: list[int] = []
    warehouse = mirrored(200, faults=(short(120, limits),))
    summary = warehouse.days(FIRST, FIRST + 15 * DAY, window_days=1, walks=1)
    assert summary.status == "complete"
    assert set(limits[120:130]) == {1}
    assert max(limits[130:]) > 250


@pytest.mark.parametrize("gone", [False, True])
def test_what_only_the_days_around_list_makes_its_day_doubtful(
    mirrored: Mirrored, *, gone: bool
) -> None:
    """Of an activity that is new, and of one that was gone and is back."""
    warehouse = mirrored(200)
    state = warehouse.service.state
    hidden = warehouse.offered()[50]
    day = created_on(hidden)

    def change(query: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        # A day is asked for with one day around it: so it comes for the next day only.
        shown = query["from"] == str(day)
        rows = [row for row in rows_of(answer) if shown or row["id"] != hidden.id]
        return page(rows, has_next=_more(answer))

    if gone:
        warehouse.days(day, day + DAY, window_days=1)
    state.delete(hidden.id)
    warehouse.days(day, day + DAY, window_days=1)
    assert warehouse.gone() == ({hidden.id} if gone else set())
    state.restore(hidden.id)
    state.set_faults(lists(change))
    summary = warehouse.days(day, day + DAY, window_days=1)
    reason = "1 activities are listed in some answers only"
    assert f"{day}: unverified: {reason}" in summary.problems
    assert wrongly_complete(warehouse) == set()
    assert warehouse.gone() == set()


@pytest.mark.parametrize("number", range(1, 7))
def test_what_one_answer_lists_is_a_witness(mirrored: Mirrored, number: int) -> None:
    """Whichever answer it is: for its own day, or for a day around, in a pass that does not count."""
    warehouse = mirrored(200)
    hidden = warehouse.offered()[50]
    day, held = created_on(hidden), 0

    def change(_: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        nonlocal held
        answer = answer_of(asked)
        rows = [row for row in rows_of(answer) if row["id"] != hidden.id]
        held += len(rows) < len(rows_of(answer))
        return answer if held == number else page(rows, has_next=_more(answer))

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


def test_an_empty_list_for_one_night_is_not_believed(mirrored: Mirrored) -> None:
    warehouse = mirrored(400)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    state.set_faults(empty())
    recent, older = warehouse.nightly(LAST, start=FIRST)
    assert "incomplete" in {recent.status, older.status}
    full = warehouse.days(full=True)
    assert full.status == "incomplete"
    assert "although the service still answers" in full.problems[0]
    assert warehouse.value(_GONE) == 0
    state.set_faults()
    for name in state.ids("SENT")[:10]:
        state.enter_status(name, "CANCELED")
    assert [each.status for each in warehouse.nightly(LAST, start=FIRST)] == ["complete"] * 2
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


def test_an_empty_list_and_refused_details_are_no_deletion(mirrored: Mirrored) -> None:
    warehouse = mirrored(19)
    state = warehouse.service.state
    warehouse.days()
    state.set_faults(empty(), FaultRule(kind="status", status=403, operation="details"))
    with pytest.raises(TooManyGone, match="none of the others"):
        warehouse.days()
    assert warehouse.value(_GONE) == 0
    state.set_faults()
    assert (warehouse.days().status, warehouse.differences()) == ("complete", [])


def test_a_small_account_may_lose_most_of_what_it_has(mirrored: Mirrored) -> None:
    warehouse = mirrored(19)
    state = warehouse.service.state
    warehouse.days()
    days = sorted({created_on(truth) for truth in state.truth()})
    lost = [truth.id for truth in warehouse.offered(days[0], days[0])]
    for name in lost:
        state.delete(name)
    assert warehouse.days(days[0], days[0]).status == "complete"
    assert warehouse.gone() == set(lost)


def test_the_first_night_loads_everything_and_goes_on_where_it_was_cut_short(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(300)
    summaries = warehouse.nightly(TODAY, start=FIRST)
    assert [each.status for each in summaries] == ["complete", "complete"]
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])
    days = (TODAY - FIRST).days + 1
    assert len(warehouse.complete_days()) == days
    # As if the first run had been cut short, and some nights had been missed.
    warehouse.execute("delete from sync.coverage where day in ('2026-01-07', '2026-02-03')")
    late = warehouse.service.state.create(created_at=_at(FIRST + timedelta(days=6)))
    older = warehouse.nightly(TODAY, start=FIRST)[1]
    assert (older.status, older.loaded.new) == ("complete", 1)
    assert warehouse.differences() == []
    assert late is not None


def test_every_day_comes_round(mirrored: Mirrored) -> None:
    """A new activity, a final one reopened, one gone and one back, each on a quiet day."""
    warehouse = mirrored(300)
    state = warehouse.service.state
    warehouse.nightly(TODAY, start=FIRST)
    old = warehouse.offered(FIRST, FIRST + timedelta(days=30))
    final = [truth.id for truth in old if truth.id in set(state.ids("CANCELED"))]
    gone, back, reopened = final[:3]
    state.delete(back)
    for _ in range(4):
        warehouse.nightly(TODAY, start=FIRST, audit_days=4)
    assert warehouse.gone() == {back}
    state.restore(back)
    state.delete(gone)
    state.enter_status(reopened, "SENT")
    state.create(created_at=_at(FIRST + timedelta(days=2)))
    requests = [
        sum(each.list_requests for each in warehouse.nightly(TODAY, start=FIRST, audit_days=4))
        for _ in range(4)
    ]
    assert warehouse.gone() == {gone}
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])
    # A quarter of the days: two or three windows of one page, and another look where one changed; three
    # requests show where the service's days begin.
    assert max(requests) < 28


def _tens(day: date) -> str:
    return str(day)[:-1]


def _at(day: date) -> int:
    return round(datetime.combine(day, time(12), UTC).timestamp() * 1000)


def test_a_list_that_was_silent_for_the_first_load_proves_no_day_to_be_empty(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(150)
    warehouse.service.state.set_faults(empty())
    warehouse.days(FIRST, TODAY)
    warehouse.service.state.set_faults()
    warehouse.nightly(TODAY, start=FIRST)
    assert warehouse.differences() == []


@pytest.mark.parametrize("number", [3, 4])
def test_a_list_that_wakes_up_during_the_first_load_is_asked_again(
    mirrored: Mirrored, number: int
) -> None:
    warehouse = mirrored(100)
    first = tuple(range(1, number + 1))
    warehouse.service.state.set_faults(msgspec.structs.replace(empty(), numbers=first))
    warehouse.days(FIRST, FIRST + timedelta(days=6))
    assert wrongly_complete(warehouse) == set()


@pytest.mark.parametrize("most", [None, 8])
def test_an_old_copy_of_the_list_is_found_within_the_audit(
    mirrored: Mirrored, most: int | None
) -> None:
    """Large pages come from a copy that is no longer kept up, or each address from a cache for ever."""
    warehouse = mirrored(140, behaviour={"max_limit": most})
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    kept: dict[str, Answer] = {}

    def change(query: dict[str, str], asked: Asked, answer_of: AnswerOf) -> Answer:
        if most is None and int(query["limit"]) <= 50:
            return answer_of(asked)
        name = asked.query if most else f"{query['from']} {query.get('to')} {query.get('page')}"
        return kept.get(name) or kept.setdefault(name, answer_of(asked))

    state.set_faults(lists(change))
    warehouse.nightly(TODAY, start=FIRST, audit_days=1)
    for name in state.ids("SENT")[:10]:
        state.enter_status(name, "CANCELED")
    for _ in range(2):
        warehouse.nightly(TODAY, start=FIRST, audit_days=1)
    assert warehouse.gaps() != [] or warehouse.differences() == []
