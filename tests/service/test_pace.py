"""How many at once and how fast."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.pace import Pace
from tests.service.scripted import Asked, Reply, Time, details, granting, talk

if TYPE_CHECKING:
    from pipeline.service.client import ServiceClient


async def round_trip(pace: Pace, *, overloaded: bool) -> None:
    numbers = [await pace.enter() for _ in range(int(pace.limit))]
    for number in numbers:
        end(pace, number, overloaded=overloaded)


def end(pace: Pace, number: int, *, overloaded: bool = False) -> None:
    """End a request as the client does."""
    pace.leave()
    if overloaded:
        pace.slow_down(number)
    else:
        pace.answered()


def pace_of(most: int) -> Pace:
    return Pace(most, None, asyncio.sleep)


def test_a_sign_of_overload_halves_once_a_round_trip() -> None:
    async def run() -> None:
        pace = pace_of(16)
        for expected in (8, 4, 2, 1, 1, 1):
            await round_trip(pace, overloaded=True)
            assert pace.limit == expected

    asyncio.run(run())


@given(members=st.integers(1, 16), rate=st.floats(1, 200))
def test_together_members_stay_within_the_rate_and_the_requests_in_flight(
    members: int, rate: float
) -> None:
    seconds = 10.0

    async def started() -> tuple[int, int]:
        """Return how many requests one member starts in that time, and how many at once."""
        time = Time()
        pace = Pace(16, rate, time.sleep, time)
        pace.share(members)
        until = time() + seconds
        while True:
            number = await pace.enter()
            if time() > until:
                return number - 1, int(pace.limit)
            end(pace, number)

    number, at_once = asyncio.run(started())
    assert members * at_once <= 16
    # Each member's first request does not wait.
    assert abs(members * number - rate * seconds) <= members + 1e-6


def test_it_grows_back_by_one_a_round_trip_up_to_where_it_was() -> None:
    async def run() -> None:
        pace = pace_of(8)
        await round_trip(pace, overloaded=True)
        await round_trip(pace, overloaded=True)
        trips = 0
        while pace.limit < 8:
            before = pace.limit
            await round_trip(pace, overloaded=False)
            assert pace.limit - before <= 1
            trips += 1
        assert 6 <= trips <= 8
        await round_trip(pace, overloaded=False)
        assert pace.limit == 8

    asyncio.run(run())


def test_who_gives_up_waiting_takes_no_place() -> None:
    async def run() -> None:
        pace = pace_of(1)
        era = await pace.enter()
        waiting = [asyncio.create_task(pace.enter()) for _ in range(5)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        waiting[2].cancel()
        end(pace, era)  # the place goes to one just cancelled, or past it
        waiting[1].cancel()
        await asyncio.gather(*waiting[:3], return_exceptions=True)
        for task in waiting[3:]:
            end(pace, await task)
        await pace.enter()

    asyncio.run(run())


def test_a_rate_is_kept_by_even_spacing() -> None:
    async def run() -> None:
        time = Time()
        pace = Pace(8, 5.0, time.sleep, time)
        started: list[float] = []

        async def visit() -> None:
            era = await pace.enter()
            started.append(time.now)
            end(pace, era)

        await asyncio.gather(*(visit() for _ in range(50)))
        assert started[-1] - started[0] == pytest.approx(49 / 5)
        gaps = [later - earlier for earlier, later in itertools.pairwise(started)]
        assert min(gaps) >= 0
        for first in range(0, 40):
            assert started[first + 10] - started[first] >= 9 / 5

    asyncio.run(run())


@pytest.mark.parametrize(
    ("status", "slower"), [(429, True), (503, True), (500, False), (404, False), (401, False)]
)
def test_the_client_keeps_to_its_concurrency_and_slows_down_when_asked(
    status: int, slower: bool
) -> None:
    inside = most = 0
    limits: list[float] = []

    async def slow(asked: Asked) -> Reply:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.001)
        inside -= 1
        return Reply(status) if asked.target.endswith("bad") else details(asked)

    async def use(client: ServiceClient) -> None:
        await asyncio.gather(*(client.activity_details(f"id{number}") for number in range(60)))
        limits.append(client.pace.limit)
        await asyncio.gather(client.activity_details("bad"), return_exceptions=True)
        limits.append(client.pace.limit)

    talk(granting(slow), use, max_concurrency=6)
    assert most == limits[0] == 6
    assert (limits[1] < 6) is slower
