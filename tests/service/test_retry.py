"""Back-off: bounded, jittered, and honouring what the service asks for."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from email.utils import format_datetime, formatdate
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.brake import Brake
from pipeline.service.clock import parse_http_date, parse_retry_after
from pipeline.service.errors import ServiceError, StatusError, status_failure
from pipeline.service.retry import RetryPolicy, with_retries
from tests.service.scripted import Asked, Reply, as_json, details, failing, granting, in_turn, talk

if TYPE_CHECKING:
    from pipeline.service.client import ServiceClient

NOW = 1_800_000_000.0


@given(st.integers(0, 10**9))
def test_retry_after_in_seconds(seconds: int) -> None:
    assert parse_retry_after(f" {seconds} ", NOW) == seconds


@given(st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 31)))
def test_retry_after_as_a_date_is_measured_from_the_services_clock(moment: datetime) -> None:
    moment = moment.replace(microsecond=0, tzinfo=UTC)
    for usegmt in (True, False):
        wait = parse_retry_after(format_datetime(moment, usegmt=usegmt), NOW)
        assert wait == max(0.0, moment.timestamp() - NOW)


@given(st.text())
def test_any_other_retry_after_is_none_or_a_sensible_number(text: str) -> None:
    wait = parse_retry_after(text, NOW)
    assert wait is None or 0 <= wait < 1e12


@given(st.text())
def test_no_date_header_ever_fails(text: str) -> None:
    parse_http_date(text)


class Waits:
    """Stands in for sleeping: notes how long it would have been, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        """Note it and let the others run."""
        self.seconds.append(seconds)
        await asyncio.sleep(0)


def waits_of(policy: RetryPolicy, error: ServiceError) -> list[float]:
    waits = Waits()

    async def fail() -> None:
        raise error

    with pytest.raises(type(error)):
        asyncio.run(with_retries(policy, fail, waits))
    return waits.seconds


@given(st.integers(1, 12), st.floats(0, 5), st.floats(0, 60))
def test_waits_are_bounded_by_the_doubling_and_the_cap(
    attempts: int, initial: float, most: float
) -> None:
    policy = RetryPolicy(
        attempts=attempts, initial_wait=initial, max_wait=most, max_total=float("inf")
    )
    waits = waits_of(policy, status_failure(500, "x", b"", None))
    assert len(waits) == attempts - 1
    for number, wait in enumerate(waits):
        assert 0 <= wait <= min(most, initial * 2**number)


def test_the_total_time_is_bounded() -> None:
    policy = RetryPolicy(attempts=1000, initial_wait=50.0, max_wait=50.0, max_total=0.0)
    assert len(waits_of(policy, status_failure(500, "x", b"", None))) == 0


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Return the waits of every client."""
    noted = Waits()
    monkeypatch.setattr(Brake, "sleep", noted)
    return noted


def test_every_wait_of_the_client_is_one_that_an_outage_ends(waits: Waits) -> None:
    date = formatdate(NOW + 9, usegmt=True)
    replies = [
        Reply(503),
        as_json({}, 429, ("Retry-After", "3")),
        as_json({}, 429, ("Retry-After", date), ("Date", formatdate(NOW, usegmt=True))),
    ]
    _, server, client = talk(
        in_turn(replies), lambda client: client.activity_details("a"), retry=RetryPolicy()
    )
    assert len(server.operations) == 4
    assert client.counts.retries == 3
    # The request's own waits, and the pause that holds everybody up after each answer.
    longest = sorted(waits.seconds)
    assert longest[0] <= longest[1] <= 0.5
    assert 1.0 < longest[2] <= longest[3] <= 3.5
    assert 5.0 < longest[4] <= longest[5] <= 9.5


def test_a_retry_after_is_honoured_up_to_the_cap(waits: Waits) -> None:
    talk(
        in_turn([as_json({}, 429, ("Retry-After", "3600"))]),
        lambda client: client.activity_details("a"),
        retry=RetryPolicy(max_retry_after=60.0),
    )
    assert waits.seconds
    assert all(59.0 < wait <= 60.5 for wait in waits.seconds)


def test_a_retry_after_holds_everybody_up(waits: Waits) -> None:
    limited_once = False

    def handle(asked: Asked) -> Reply:
        nonlocal limited_once
        if not limited_once:
            limited_once = True
            return as_json({}, 429, ("Retry-After", "100"))
        return details(asked)

    async def use(client: ServiceClient) -> None:
        await asyncio.gather(*(client.activity_details(f"id{number}") for number in range(20)))

    talk(granting(handle), use, max_concurrency=1, retry=RetryPolicy())
    assert sum(wait > 90 for wait in waits.seconds) >= 19


def test_mixed_failures_use_up_their_own_bounds() -> None:
    replies = [Reply(429)] * 4 + [Reply(500)] * 3
    error, server, _ = failing(
        in_turn(replies),
        lambda client: client.activity_details("a"),
        retry=RetryPolicy(
            attempts=3, rate_limited_attempts=6, initial_wait=0.0, max_wait=0.0, max_retry_after=0.0
        ),
    )
    assert isinstance(error, StatusError)
    assert len(server.operations) == 7
