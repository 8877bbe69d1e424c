"""Walks over a scripted list: in which order pages are requested, and which answers count."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import parse_qs, urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from pipeline.sync.days import ONE_DAY, UNKNOWN, DayRange, start_of
from pipeline.sync.listing import PageSize
from pipeline.sync.walk import Walker, WalkResult
from tests.service.scripted import Asked, Reply, as_json, granting, talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.service.client import ServiceClient

DAY = date(2026, 3, 14)
ALONE = DayRange(DAY, DAY)
UTC_ZONE = ZoneInfo("UTC")
LATER = datetime(2026, 6, 1, tzinfo=UTC)
ROWS = 10

Listed: TypeAlias = tuple[date, UUID]


def page_of(asked: Asked) -> int:
    """Return the number of the requested page."""
    return int(parse_qs(urlsplit(asked.target).query)["page"][0])


def asks_for(asked: Asked, day: date) -> bool:
    """Return whether the dates of a request hold the day."""
    query = parse_qs(urlsplit(asked.target).query)
    return query["from"][0] <= str(day) <= query.get("to", ["9999"])[0]


def page(number: int, pages: int, first: int = 0, created_at: object = None) -> Reply:
    """Return a page of ten rows, or 404 after the last page; the list begins with row ``first``."""
    if number > pages:
        return Reply(404)
    rows = [
        {"id": str(UUID(int=row % (pages * ROWS))), "created_at": created_at}
        for row in range(first + (number - 1) * ROWS, first + number * ROWS)
    ]
    return as_json({"has_next": number < pages, "data": rows})


async def walk(
    client: ServiceClient,
    days: DayRange = ALONE,
    random: Random | None = None,
    now: datetime = LATER,
) -> WalkResult:
    """Walk the days, a page of ten rows at a time."""
    walker = Walker(
        list_page=client.list_activities,
        zone=UTC_ZONE,
        page_size=PageSize(ROWS, random or Random()),
        boundaries=UNKNOWN,
        stored={},
        now=lambda: now,
        stamp=lambda: now,
    )
    return await walker.walk(days)


@pytest.mark.parametrize("created_at", [None, 1_773_478_800_000])
@pytest.mark.parametrize("pages", [1, 2, 3, 5, 6, 14])
def test_pages_are_asked_for_one_after_another_then_side_by_side(
    pages: int, created_at: int | None
) -> None:
    """The first pass can't know how many pages there are; later ones request up to four at once.

    Each query of the second pass expects the rows of its dates, or half of the rows without a creation.
    Each answer waits until the expected number of requests is there.
    """
    waiting: list[asyncio.Barrier] = []
    queries = 0

    async def handle(asked: Asked) -> Reply:
        nonlocal queries
        if page_of(asked) == 1:
            assert waiting == []
            queries += 1
            expected = 1
            if queries > 1:
                expected = pages * asks_for(asked, DAY) if created_at else pages // 2
            rest = max(0, expected - 1)
            at_once = [1, *[4] * (rest // 4), rest % 4, *[1] * (pages - max(1, expected))]
            sizes = chain.from_iterable([asyncio.Barrier(size)] * size for size in at_once if size)
            waiting.extend(sizes)
        if page_of(asked) <= pages:
            await waiting.pop(0).wait()
        return page(page_of(asked), pages, queries, created_at)

    walked, _, _ = talk(granting(handle), walk)
    assert waiting == []
    assert (walked.days, walked.passes, walked.pages) == ({DAY: None}, 2, queries * pages)
    assert len(walked.rows) == pages * ROWS


@pytest.mark.parametrize(("before", "after"), [(6, 3), (6, 1), (3, 6), (7, 8)])
def test_a_list_that_changes_its_length_between_passes_is_read_again(
    before: int, after: int
) -> None:
    """Answers for pages after the last one don't count."""
    asked_for = queries = 0

    def handle(asked: Asked) -> Reply:
        nonlocal asked_for, queries
        asked_for += 1
        queries += page_of(asked) == 1
        return page(page_of(asked), before if asked_for <= before else after, queries)

    walked, _, _ = talk(granting(handle), walk)
    assert (walked.days, walked.passes) == ({DAY: None}, 3)
    # One query, then two, then as many as the dates can be cut into.
    assert walked.pages == before + (2 + 5) * after
    assert len(walked.rows) == after * ROWS


@pytest.mark.parametrize("broken", [2, 5])
def test_a_page_that_fails_within_the_list_leaves_the_day_unverified(broken: int) -> None:
    asked_for = 0

    def handle(asked: Asked) -> Reply:
        nonlocal asked_for
        asked_for += 1
        number = page_of(asked)
        return Reply(404) if asked_for > 6 and number == broken else page(number, 6)

    walked, _, _ = talk(granting(handle), walk)
    assert "404" in str(walked.days[DAY])
    assert len(walked.rows) == 6 * ROWS


def test_pages_that_end_at_the_same_rows_prove_nothing_until_nothing_else_can_be_asked() -> None:
    """A service that ignores ``limit`` may lose the same rows in each pass."""
    walked, _, _ = talk(granting(lambda asked: page(page_of(asked), 6)), walk)
    assert (walked.days, walked.passes) == ({DAY: None}, 4)


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
            {"id": str(name), "created_at": int(start_of(day, UTC_ZONE).timestamp() * 1000)}
            for day, name in change(number, found[(number - 1) * limit : number * limit])
        ]
        return as_json({"has_next": number * limit < len(found), "data": rows})

    return handle


def missed(listed: list[Listed], walked: WalkResult) -> set[str]:
    """Return the activities that the walk lacks, although it calls their day verified."""
    verified = {str(name) for day, name in listed if walked.days[day] is None}
    return verified - walked.rows.keys()


@pytest.mark.parametrize("seed", range(100))
def test_a_row_lost_at_the_same_place_in_each_pass_is_missed_by_no_verified_day(seed: int) -> None:
    """Two passes of two pages each may end their first pages at the same row, and lose the next one."""
    days = DayRange(DAY, DAY + 7 * ONE_DAY)
    listed = [(day, UUID(int=10 * day.day + row)) for day in reversed([*days]) for row in (2, 1)]
    handle = serving(listed, lambda number, rows: rows[number > 1 :], most=1000)
    walked, _, _ = talk(granting(handle), lambda client: walk(client, days, Random(seed)))
    assert missed(listed, walked) == set()


@pytest.mark.parametrize("seed", range(20))
def test_rows_behind_a_cap_are_not_new_because_the_services_clock_is_behind(seed: int) -> None:
    days = DayRange(DAY, DAY + 3 * ONE_DAY)
    listed = [(day, UUID(int=10 * day.day + row)) for day in days for row in range(8)]
    handle = serving(listed, lambda _, rows: rows, most=8)
    now = datetime(2026, 3, 15, 12, tzinfo=UTC)
    walked, _, _ = talk(granting(handle), lambda client: walk(client, days, Random(seed), now))
    assert missed(listed, walked) == set()


def test_dates_that_the_service_refuses_because_they_are_in_its_future_hold_nothing() -> None:
    days = DayRange(DAY, DAY + 5 * ONE_DAY)
    listed = [(DAY, UUID(int=1)), (DAY + ONE_DAY, UUID(int=2))]
    serve = serving(listed, lambda _, rows: rows, most=1000)

    def handle(asked: Asked) -> Reply:
        since = parse_qs(urlsplit(asked.target).query)["from"][0]
        return Reply(400) if since > str(DAY + ONE_DAY) else serve(asked)

    now = datetime(2026, 3, 15, 12, tzinfo=UTC)
    walked, _, _ = talk(granting(handle), lambda client: walk(client, days, Random(1), now))
    assert walked.days == dict.fromkeys(days)
    assert len(walked.rows) == 2
