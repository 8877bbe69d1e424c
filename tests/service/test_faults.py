"""Faults of the wire: each is one of our errors, tried again where that helps, and got over."""

from __future__ import annotations

import asyncio
import gc
import warnings
from typing import TYPE_CHECKING

import pytest

from pipeline.service.client import ServiceClient
from pipeline.service.errors import (
    MalformedResponse,
    NoAnswer,
    ServiceError,
    StatusError,
    UnexpectedShape,
    Unreachable,
)
from pipeline.service.retry import RetryPolicy
from tests.service.scripted import (
    OPERATIONS,
    Asked,
    Reply,
    Scripted,
    as_json,
    config_for,
    details,
    failing,
    granting,
    in_turn,
    sent,
    talk,
)
from tests.support.daemon import free_port
from tests.support.retrying import immediate

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = b'{"id":"a","has_next":false,"data":[],"token":"t","expires_at":4102444800000}'
HTML = b"<!doctype html><title>Sorry, Jane Roe</title>"
FAULTS = {
    "reset before answering": (Reply(reset=True), NoAnswer),
    "closed before answering": (Reply(raw=b""), NoAnswer),
    "reset in the head": (Reply(raw=b"HTTP/1.1 200 OK\r\nContent-"), NoAnswer),
    "cut body": (Reply(200, GOOD, cut_at=20), NoAnswer),
    "cut chunked body": (Reply(200, GOOD, cut_at=20, chunked=True), NoAnswer),
    "no HTTP at all": (Reply(raw=b"SSH-2.0-OpenSSH_9.9\r\n\r\n"), NoAnswer),
    "endless header": (
        Reply(raw=b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n"),
        NoAnswer,
    ),
    "hang": (Reply(hang=True), NoAnswer),
    "cut JSON": (Reply(200, GOOD[:30]), MalformedResponse),
    "HTML": (Reply(200, HTML, (("Content-Type", "text/html"),)), MalformedResponse),
    "empty": (Reply(200, b""), MalformedResponse),
    "no UTF-8": (Reply(200, b'{"id":"a","token":"\xff\xfe","has_next":\xff}'), MalformedResponse),
    "damaged gzip": (Reply(200, b"nonsense", (("Content-Encoding", "gzip"),)), NoAnswer),
}
#: Those that may be repeated.
READS = ("login", "list", "details")


def scripted(operation: str, faulty: Callable[[], Reply | None]) -> Callable[[Asked], Reply]:
    """Answer one operation with faults while there are any, and all else well."""

    def handle(asked: Asked) -> Reply:
        if asked.is_login == (operation == "login"):
            fault = faulty()
            if fault is not None:
                return fault
        return Reply(201 if asked.is_login else 200, GOOD)

    return handle


@pytest.mark.parametrize("operation", READS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_lasting_fault_is_its_error(operation: str, fault: str) -> None:
    reply, kind = FAULTS[fault]
    error, server, client = failing(
        scripted(operation, lambda: reply),
        OPERATIONS[operation],
        read_timeout=0.1 if reply.hang else 10.0,
    )
    assert type(error) is kind
    assert len([a for a in server.asked if a.is_login == (operation == "login")]) == 3
    assert client.counts.retries == 2
    assert "\n" not in str(error)
    assert "Jane" not in f"{error}{error!r}"
    assert not error.not_sent or operation == "login"
    assert error.__context__ is None
    assert error.__cause__ is None


@pytest.mark.parametrize("operation", READS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_passing_fault_is_got_over(operation: str, fault: str) -> None:
    reply, _ = FAULTS[fault]
    faults = iter([reply, reply])
    _, _, client = talk(
        scripted(operation, lambda: next(faults, None)),
        OPERATIONS[operation],
        read_timeout=0.1 if reply.hang else 10.0,
    )
    assert client.counts.retries == 2


@pytest.mark.parametrize("operation", READS)
def test_json_of_a_wrong_shape_is_not_tried_again(operation: str) -> None:
    wrong = as_json({"id": 5, "has_next": "Jane", "token": 1})
    error, _, client = failing(scripted(operation, lambda: wrong), OPERATIONS[operation])
    assert type(error) is UnexpectedShape
    assert error.body == (b"" if operation == "login" else wrong.body)
    assert "Jane" not in str(error)
    assert client.counts.retries == 0
    assert error.fatal == (operation == "login")


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://127.0.0.1:{port}", "refused"),
        ("http://no-such-host.invalid", "name cannot be resolved"),
        ("https://127.0.0.1:{port}", "refused"),
    ],
)
def test_an_unreachable_service_says_where_and_why(address: str, reason: str) -> None:
    url = address.format(port=free_port())

    async def run() -> tuple[ServiceError, ServiceClient]:
        async with ServiceClient(config_for(url)) as client:
            with pytest.raises(Unreachable) as caught:
                await client.activity_details("a")
            return caught.value, client

    error, client = asyncio.run(run())
    assert reason in str(error)
    assert url.partition("//")[2] in str(error)
    assert error.not_sent
    assert error.fatal  # the login did not get through
    assert sent(client, "login") == 3


def test_a_service_that_goes_away_after_the_login_is_unreachable() -> None:
    async def run() -> tuple[ServiceError, ServiceClient]:
        async with Scripted(granting(details)) as server:
            client = ServiceClient(config_for(server.url))
            await client.login()
        async with client:
            with pytest.raises(Unreachable) as caught:
                await client.activity_details("a")
        return caught.value, client

    error, client = asyncio.run(run())
    assert "refused" in str(error)
    assert error.not_sent
    assert not error.fatal
    assert client.counts.details_requests == 3  # each attempt counts, connected or not


def test_an_answer_that_trickles_for_ever_ends() -> None:
    async def trickle(_: Asked) -> Reply:
        await asyncio.Event().wait()
        return Reply()

    error, _, _ = failing(
        granting(trickle),
        lambda client: client.activity_details("a"),
        total_timeout=0.1,
        read_timeout=1000.0,
        retry=immediate(attempts=1),
    )
    assert type(error) is NoAnswer


def test_a_connection_found_dead_costs_one_counted_attempt() -> None:
    """Left to itself, aiohttp repeats such a GET unseen."""

    async def use(client: ServiceClient) -> None:
        for name in "abc":
            await client.activity_details(name)

    replies = [Reply(200, b'{"id":"a"}'), Reply(reset=True)]
    _, server, client = talk(in_turn(replies), use)
    assert len(server.operations) == client.counts.details_requests == 4
    assert client.counts.retries == 1


def test_a_connection_closed_while_idle_is_no_failure_in_the_end() -> None:
    async def use(client: ServiceClient) -> None:
        for name in "abcd":
            await client.activity_details(name)

    def closing(asked: Asked) -> Reply:
        body = details(asked).body
        return Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    talk(granting(closing), use)


def test_cancelled_requests_leave_the_client_working() -> None:
    async def use(client: ServiceClient) -> None:
        await client.login()
        for _ in range(3):
            tasks = [
                asyncio.create_task(client.activity_details(f"hang{number}")) for number in range(9)
            ]
            for _ in range(4):
                await hung.get()
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(result, asyncio.CancelledError) for result in results)
        await asyncio.gather(*(client.activity_details(f"id{number}") for number in range(20)))

    hung: asyncio.Queue[str] = asyncio.Queue()

    def handle(asked: Asked) -> Reply:
        if "hang" in asked.target:
            hung.put_nowait(asked.target)
            return Reply(hang=True)
        return details(asked)

    talk(granting(handle), use, max_concurrency=4)


def test_closing_leaves_nothing_open() -> None:
    gc.collect()  # what other tests left
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        talk(in_turn([Reply(500), Reply(200, b"{", cut_at=1)]), OPERATIONS["details"])
        failing(granting(lambda _: Reply(404)), OPERATIONS["details"])
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


def test_a_server_fault_keeps_what_the_service_asked_for() -> None:
    error, _, _ = failing(
        granting(lambda _: as_json({}, 503, ("Retry-After", "7"))),
        OPERATIONS["details"],
        retry=RetryPolicy(rate_limited_attempts=1),
    )
    assert isinstance(error, StatusError)
    assert error.retry_after == 7
