"""Questions to a scripted list: in which order pages are requested, and which answers count."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest

from pipeline.service.clock import ServiceClock
from pipeline.sync.days import ONE_DAY, DayRange
from pipeline.sync.listing import ListReader, Question
from pipeline.sync.proof import Evidence
from tests.service.scripted import Asked, Reply, as_json, granting, talk

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pipeline.service.client import ServiceClient

DAY = date(2026, 3, 14)
ALONE = DayRange(DAY, DAY)
LATER = datetime(2026, 6, 1, tzinfo=UTC)
ROWS = 10

Listed: TypeAlias = tuple[date, UUID]


def page_of(asked: Asked) -> int:
    """Return the number of the requested page."""
    return int(parse_qs(urlsplit(asked.target).query)["page"][0])


def page(number: int, pages: int) -> Reply:
    """Return a page of ten rows, or 404 after the last page."""
    if number > pages:
        return Reply(404)
    rows = [{"id": str(UUID(int=row))} for row in range((number - 1) * ROWS, number * ROWS)]
    return as_json({"has_next": number < pages, "data": rows})


def reader(client: ServiceClient, seed: int, now: datetime = LATER) -> ListReader:
    """Return a reader of pages of ten rows."""
    return ListReader(
        list_page=client.list_activities,
        clock=ServiceClock(now.timestamp),
        stamp=lambda: now,
        today=lambda: now.date(),
        page_size=ROWS,
        random=Random(seed),
    )


def ask(
    handle: Callable[[Asked], Reply | Awaitable[Reply]], days: DayRange = ALONE, expected: int = 0
) -> Question:
    """Ask once."""
    asking: tuple[Question, object, object] = talk(
        granting(handle), lambda client: reader(client, 0).ask(days, ROWS, expected, {})
    )
    return asking[0]


@pytest.mark.parametrize(
    ("pages", "expected"),
    [(pages, most) for pages in (1, 2, 3, 5, 6, 14) for most in (0, 3, 7, 14) if most <= pages],
)
def test_pages_are_asked_for_one_after_another_or_side_by_side(pages: int, expected: int) -> None:
    """Where so many pages are expected, up to eight are requested at once.

    Each answer waits until the expected number of requests is there.
    """
    rest = max(0, expected - 1)
    at_once = [1, *[8] * (rest // 8), rest % 8, *[1] * max(0, pages - max(1, expected))]
    waiting = list(chain.from_iterable([asyncio.Barrier(size)] * size for size in at_once if size))

    async def handle(asked: Asked) -> Reply:
        if page_of(asked) <= pages:
            await waiting.pop(0).wait()
        return page(page_of(asked), pages)

    question = ask(handle, expected=expected * ROWS)
    assert (question.failed, question.pages, len(question.rows)) == (None, pages, pages * ROWS)


@pytest.mark.parametrize("pages", [1, 3])
def test_answers_for_pages_after_the_last_one_do_not_count(pages: int) -> None:
    question = ask(lambda asked: page(page_of(asked), pages), expected=7 * ROWS)
    assert (question.failed, len(question.rows)) == (None, pages * ROWS)


@pytest.mark.parametrize("broken", [2, 5])
def test_what_comes_before_a_page_that_fails_counts_all_the_same(broken: int) -> None:
    def handle(asked: Asked) -> Reply:
        return Reply(404) if page_of(asked) == broken else page(page_of(asked), 6)

    question = ask(handle)
    assert "404" in str(question.failed)
    assert len(question.rows) == (broken - 1) * ROWS


def test_a_list_that_never_ends_is_left() -> None:
    question = ask(lambda _: as_json({"has_next": True, "data": [{"id": str(UUID(int=1))}]}))
    assert "nothing new" in str(question.failed)


def serving(
    listed: list[Listed], change: Callable[[int, list[Listed]], list[Listed]], most: int
) -> Callable[[Asked], Reply]:
    """Serve rows by date, ten a page, ``most`` in a query; ``change`` alters the rows of a page."""

    def handle(asked: Asked) -> Reply:
        query = {name: texts[0] for name, texts in parse_qs(urlsplit(asked.target).query).items()}
        limit, number = min(int(query["limit"]), ROWS), int(query["page"])
        until = query.get("to", str(date.max))
        found = [row for row in listed if query["from"] <= str(row[0]) <= until][:most]
        rows = [
            {"id": str(name), "created_at": int(_noon(day).timestamp() * 1000)}
            for day, name in change(number, found[(number - 1) * limit : number * limit])
        ]
        return as_json({"has_next": number * limit < len(found), "data": rows})

    return handle


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def missed(
    listed: list[Listed],
    days: DayRange,
    handle: Callable[[Asked], Reply | Awaitable[Reply]],
    seed: int,
) -> set[str]:
    """Ask for the days in several ways; return what a day lacks that two questions prove."""

    async def walk(client: ServiceClient) -> set[str]:
        asking, evidence = reader(client, seed), Evidence()
        for piece, limit in ((days, 10), *((each, 7) for each in days.split(2)), (days, 8)):
            question = await asking.ask(piece, limit, 0, {})
            rows = question.rows.items()
            places = {name: row.created_at.date() for name, row in rows if row.created_at}
            evidence.add(question, places)
        found, subjects, _ = evidence.listed([*days])
        proven = {each.day for each in found if not each.by_one}
        return {str(name) for day, name in listed if day in proven} - subjects

    lacking: tuple[set[str], object, object] = talk(granting(handle), walk)
    return lacking[0]


@pytest.mark.parametrize("seed", range(30))
def test_a_row_lost_at_an_edge_is_missed_by_no_proven_day(seed: int) -> None:
    days = DayRange(DAY, DAY + 7 * ONE_DAY)
    listed = [(day, UUID(int=10 * day.day + row)) for day in reversed([*days]) for row in (2, 1)]
    handle = serving(listed, lambda number, rows: rows[number > 1 :], most=1000)
    assert missed(listed, days, handle, seed) == set()


@pytest.mark.parametrize("seed", range(20))
def test_rows_behind_a_cap_are_missed_by_no_proven_day(seed: int) -> None:
    days = DayRange(DAY, DAY + 3 * ONE_DAY)
    listed = [(day, UUID(int=100 * day.day + row)) for day in days for row in range(12)]
    handle = serving(listed, lambda _, rows: rows, most=12)
    assert missed(listed, days, handle, seed) == set()


def test_dates_that_the_service_refuses_because_they_are_in_its_future_hold_nothing() -> None:
    now = _noon(DAY) - timedelta(days=2)

    def handle(asked: Asked) -> Reply:
        since = parse_qs(urlsplit(asked.target).query)["from"][0]
        return Reply(400) if since > str(now.date()) else page(1, 1)

    found: tuple[Question, object, object] = talk(
        granting(handle), lambda client: reader(client, 0, now).ask(ALONE, ROWS, 0, {})
    )
    assert (found[0].failed, len(found[0].rows)) == (None, ROWS)
