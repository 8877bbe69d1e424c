"""The brake: stops at an outage, early and once, and at nothing less."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.errors import (
    MalformedResponse,
    NotFound,
    Outage,
    ServerFault,
    ServiceError,
    TimedOut,
    UnexpectedShape,
    status_failure,
)
from pipeline.service.models import AuthorizationRequest
from pipeline.service.outage import Brake
from pipeline.service.retry import RetryPolicy
from tests.service.scripted import Asked, Reply, Time, details, failing, granting, sent, talk

if TYPE_CHECKING:
    from pipeline.service.client import ServiceClient


FAULT = status_failure(500, "x", b"", None)


def brake_of(time: Time, concurrency: int = 16) -> Brake:
    return Brake(concurrency, monotonic=time)


def test_most_requests_of_the_window_failing_trips_it() -> None:
    time = Time()
    brake = brake_of(time)
    for number in range(40):
        time.now += 1
        if number % 3 == 0:
            brake.request_ended()
            brake.answered()
        else:
            brake.request_ended(FAULT)
        assert (brake.suspected is None) == (number < 19)
    assert brake.suspected is not None
    assert "of the last 60 s failed" in str(brake.suspected)
    assert "\n" not in str(brake.suspected)


def test_what_is_older_than_the_window_is_forgotten() -> None:
    time = Time()
    brake = brake_of(time)
    for _ in range(200):
        time.now += 5
        brake.request_ended(FAULT)  # twelve a minute are too few to judge
    assert brake.suspected is None
    for _ in range(100):
        brake.request_ended()
    for _ in range(85):
        brake.request_ended(FAULT)
    assert brake.suspected is None
    time.now += 61
    for _ in range(19):
        brake.request_ended(FAULT)
    assert brake.suspected is None
    brake.request_ended(FAULT)
    assert brake.suspected is not None


@given(st.integers(0, 10**6), st.floats(0.0, 0.45))
def test_a_share_below_half_never_trips_it(seed: int, share: float) -> None:
    chance = random.Random(seed)
    brake = brake_of(Time())
    for _ in range(1000):
        brake.request_ended()
    for _ in range(2000):
        if chance.random() < share:
            brake.request_ended(FAULT)
        else:
            brake.request_ended()
    assert brake.suspected is None


def test_late_attempts_failing_in_a_row_trip_it_early() -> None:
    brake = brake_of(Time(), concurrency=16)
    for number in range(16 * 3):
        brake.attempt_failed(FAULT, 1 + number // 16)
    assert brake.suspected is None
    for number in range(16):
        brake.attempt_failed(FAULT, 4)
        assert (brake.suspected is None) == (number < 15)


def test_first_and_second_attempts_failing_do_not() -> None:
    brake = brake_of(Time())
    for attempt in (1, 2) * 5000:
        brake.attempt_failed(FAULT, attempt)
    assert brake.suspected is None


def test_an_answer_in_between_starts_a_new_row() -> None:
    brake = brake_of(Time())
    for number in range(1000):
        if number % 30 == 0:
            brake.answered()
        elif number % 30 == 15:
            brake.attempt_failed(NotFound("x", "y"), 1)
        else:
            brake.attempt_failed(FAULT, 3)
    assert brake.suspected is None


def test_a_whole_window_without_an_answer_trips_it() -> None:
    """As when everything hangs, and few attempts fit into a minute."""
    time = Time()
    brake = brake_of(time)
    for number in range(12):
        brake.attempt_failed(TimedOut("x", "no answer in time"), 1)
        assert (brake.suspected is None) == (number < 10)
        time.now += 6


@pytest.mark.parametrize("status", [302, 500])
def test_an_error_page_by_redirection_counts(status: int) -> None:
    error = status_failure(status, "x", b"", None)
    brake = brake_of(Time())
    for _ in range(20):
        brake.request_ended(error)
    assert brake.suspected is not None


@pytest.mark.parametrize(
    "error",
    [NotFound("x", "y"), UnexpectedShape("x", "y"), status_failure(418, "x", b"", None)],
)
def test_what_is_wrong_with_single_activities_does_not(error: ServiceError) -> None:
    brake = brake_of(Time())
    for _ in range(1000):
        brake.attempt_failed(error, 3)
        brake.request_ended(error)
    assert brake.suspected is None


def test_being_asked_to_wait_is_no_outage_until_requests_fail_by_it() -> None:
    time = Time()
    brake = brake_of(time)
    asked = status_failure(500, "x", b"", None)
    asked.retry_after = 30.0
    for _ in range(200):
        time.now += 1
        brake.attempt_failed(status_failure(429, "x", b"", None), 5)
        brake.attempt_failed(asked, 5)
    assert brake.suspected is None
    for _ in range(20):
        brake.request_ended(status_failure(429, "x", b"", None))
    assert brake.suspected is not None


async def run_all(client: ServiceClient, count: int, workers: int) -> list[type[BaseException]]:
    ids = [f"id{number}" for number in range(count)]
    failures: list[type[BaseException]] = []

    async def work() -> None:
        while ids:
            try:
                await client.activity_details(ids.pop())
            except ServiceError as error:
                failures.append(type(error))

    await asyncio.gather(*(work() for _ in range(workers)))
    return failures


@pytest.mark.parametrize("answer", [Reply(500), Reply(reset=True), Reply(200, b"<html>")])
def test_the_client_stops_asking_in_an_outage(answer: Reply) -> None:
    failures, server, client = talk(
        granting(lambda _: answer),
        lambda client: run_all(client, 1000, 16),
        retry=RetryPolicy.immediate(attempts=5),
    )
    assert len(failures) == 1000
    assert failures.count(Outage) > 980
    assert len(server.operations) <= 16 * 8
    assert sent(client) == len(server.operations)


def test_an_outage_in_the_middle_keeps_what_was_had() -> None:
    answered = 0

    def handle(asked: Asked) -> Reply:
        nonlocal answered
        answered += 1
        return details(asked) if answered <= 300 else Reply(503)

    failures, server, _ = talk(granting(handle), lambda client: run_all(client, 1000, 16))
    assert len(failures) == 700
    assert failures.count(Outage) > 660
    assert len(server.operations) < 300 + 16 * 8


def test_after_an_outage_nothing_is_sent_at_all() -> None:
    async def use(client: ServiceClient) -> None:
        await run_all(client, 200, 16)
        asked = sent(client)
        for operation in (
            client.activity_details("a"),
            client.create_authorization(AuthorizationRequest("x")),
            client.login(),
        ):
            with pytest.raises(Outage) as caught:
                await operation
            assert caught.value.not_sent
            assert caught.value.fatal
        assert sent(client) == asked

    talk(granting(lambda _: Reply(500)), use)


def test_an_outage_wakes_those_who_wait_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would wait for an hour here."""
    sleeping = 0
    rest = Brake.rest

    async def long(brake: Brake, _: float) -> None:
        nonlocal sleeping
        sleeping += 1
        await rest(brake, 0 if sleeping <= 48 else 3600)

    monkeypatch.setattr(Brake, "rest", long)
    failures, _, _ = talk(
        granting(lambda _: Reply(500)),
        lambda client: run_all(client, 60, 16),
        retry=RetryPolicy(attempts=9, max_total=1e9),
        max_concurrency=4,
    )
    assert failures.count(Outage) == 60
    assert sleeping > 48


def test_a_creation_that_failed_in_an_outage_is_not_called_unsent() -> None:
    async def use(client: ServiceClient) -> list[Exception]:
        errors: list[Exception] = []
        for _ in range(40):
            try:
                await client.create_authorization(AuthorizationRequest("x"))
            except ServiceError as error:
                errors.append(error)
        return errors

    errors, server, _ = talk(granting(lambda _: Reply(reset=True)), use)
    unsent = [error for error in errors if getattr(error, "not_sent", False)]
    assert len(server.operations) + len(unsent) == 40
    assert {type(error) for error in unsent} == {Outage}


def test_a_third_of_random_errors_is_no_outage() -> None:
    chance = random.Random(3)

    def handle(asked: Asked) -> Reply:
        return Reply(500) if chance.random() < 0.3 else details(asked)

    failures, _, _ = talk(granting(handle), lambda client: run_all(client, 1500, 16))
    assert Outage not in failures
    assert len(failures) < 100


def test_a_few_poisoned_activities_at_the_end_are_no_outage() -> None:
    def handle(asked: Asked) -> Reply:
        return Reply(500) if int(asked.target.rpartition("id")[2]) < 5 else details(asked)

    failures, _, _ = talk(
        granting(handle),
        lambda client: run_all(client, 60, 16),
        retry=RetryPolicy.immediate(attempts=5),
    )
    assert failures == [ServerFault] * 5


UNREADABLE = [
    b'{"id":"\xff"}',
    b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b',"id":"deep"}',
    b'{"id":7}',
    b'{"id":"."}',
]


@pytest.mark.parametrize("row", UNREADABLE, ids=["no UTF-8", "deep", "no text", "no path"])
@pytest.mark.parametrize("others_fail", [False, True])
def test_an_unreadable_row_of_the_list_hides_no_other_and_speaks_for_none(
    row: bytes, others_fail: bool
) -> None:
    def handle(asked: Asked) -> Reply:
        if "?" in asked.target:
            return Reply(200, b'{"has_next":false,"data":[%b,{"id":"good"}]}' % row)
        return Reply(500) if others_fail or "id" in asked.target else details(asked)

    failures, _, _ = talk(
        granting(handle),
        lambda client: run_all(client, 60, 16),
        retry=RetryPolicy.immediate(attempts=5),
    )
    assert (Outage in failures) is others_fail
    assert len(failures) == 60


def test_an_outage_of_refused_requests_names_the_setting() -> None:
    async def use(client: ServiceClient) -> None:
        await run_all(client, 60, 16)
        await client.login()

    error, _, _ = failing(granting(lambda _: Reply(429)), use)
    assert isinstance(error, Outage)
    assert "429, too many requests" in str(error)
    assert "set a lower ACTIVITIES_REQUESTS_PER_SECOND or ACTIVITIES_MAX" in str(error)


def test_malformed_answers_are_named_in_the_outage() -> None:
    error, _, _ = failing(
        granting(lambda _: Reply(200, b"<html>")),
        lambda client: asyncio.gather(*(client.activity_details(f"id{n}") for n in range(100))),
        retry=RetryPolicy.immediate(attempts=5),
    )
    assert isinstance(error, (Outage, MalformedResponse))
