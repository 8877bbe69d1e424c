"""Questions to a scripted list: in which order pages are requested, and which answers count."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from pipeline.service.clock import ServiceClock
from pipeline.sync.days import DayRange
from pipeline.sync.listing import ListReader, Question
from tests.service.scripted import Asked, Reply, as_json, granting, talk

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pipeline.service.client import ServiceClient

DAY = date(2026, 3, 14)
ALONE = DayRange(DAY, DAY)
LATER = datetime(2026, 6, 1, tzinfo=UTC)
ROWS = 10


def page_of(asked: Asked) -> int:
    """Return the number of the requested page."""
    return int(parse_qs(urlsplit(asked.target).query)["page"][0])


def page(number: int, pages: int) -> Reply:
    """Return a page of ten rows, or 404 after the last page."""
    if number > pages:
        return Reply(404)
    rows = [{"id": str(UUID(int=row))} for row in range((number - 1) * ROWS, number * ROWS)]
    return as_json({"has_next": number < pages, "data": rows})


def reader(client: ServiceClient, now: datetime = LATER) -> ListReader:
    """Return a reader of pages of ten rows."""
    client.clock = ServiceClock(now.timestamp)
    return ListReader(client, ZoneInfo("UTC"), ROWS, lambda: now, Random(0))


def ask(handle: Callable[[Asked], Reply | Awaitable[Reply]], expected: int = 0) -> Question:
    """Ask once."""
    asking: tuple[Question, object, object] = talk(
        granting(handle), lambda client: reader(client).ask(ALONE, ROWS, expected)
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


def test_dates_that_the_service_refuses_because_they_are_in_its_future_hold_nothing() -> None:
    now = datetime.combine(DAY, time(12), UTC) - timedelta(days=2)

    def handle(asked: Asked) -> Reply:
        since = parse_qs(urlsplit(asked.target).query)["from"][0]
        return Reply(400) if since > str(now.date()) else page(1, 1)

    found: tuple[Question, object, object] = talk(
        granting(handle), lambda client: reader(client, now).ask(ALONE, ROWS, 0)
    )
    assert (found[0].failed, len(found[0].rows)) == (None, ROWS)
