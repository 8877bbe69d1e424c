"""Faults of the wire: each is one of our errors, tried again where that helps, and got over."""

from __future__ import annotations

import asyncio
import gc
import warnings

import pytest

from pipeline.service.client import ServiceClient
from pipeline.service.errors import (
    NoAnswer,
    ServiceError,
    Unreachable,
)
from tests.service.scripted import (
    OPERATIONS,
    Asked,
    Reply,
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
