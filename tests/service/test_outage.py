"""The brake: stops at an outage, early and once, and at nothing less."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.service.brake import Brake
from pipeline.service.errors import Outage, status_failure
from pipeline.service.models import AuthorizationRequest
from pipeline.service.requests import ListQuery, Operation, page
from pipeline.service.requests import details as details_of
from tests.service.scripted import (
    Asked,
    Reply,
    details,
    failing,
    fetch_all,
    granting,
    ids,
    sent,
    talk,
)
from tests.support.retrying import immediate

if TYPE_CHECKING:
    from pipeline.service.client import ServiceClient


FAILURE = status_failure(500, "x", b"", None)
DETAILS, LIST = details_of("a"), page(ListQuery(), set())


async def fail(_: object = None) -> None:
    raise FAILURE


def brake_of(concurrency: int) -> Brake:
    """Return a brake that is never answered."""
    return Brake(concurrency, fail, fail)


def is_outage(brake: Brake, operation: Operation[Any]) -> bool:
    """Let an attempt fail."""
    try:
        asyncio.run(brake.failed(operation, FAILURE))
    except Outage:
        return True
    return False


@pytest.mark.parametrize(("concurrency", "most"), [(1, 10), (16, 33)])
def test_so_many_failures_in_a_row_are_suspect(concurrency: int, most: int) -> None:
    """Two of each request in flight, and ten, are not."""
    brake = brake_of(concurrency)
    assert not any(is_outage(brake, DETAILS) for _ in range(most - 1))
    assert not is_outage(brake, LIST)
    assert is_outage(brake, DETAILS)


@pytest.mark.parametrize(
    ("failing", "answered", "ends"),
    [
        (DETAILS, DETAILS, True),
        (DETAILS, LIST, False),
        (LIST, LIST, True),
        (LIST, DETAILS, True),
    ],
)
def test_an_answer_ends_the_row_of_what_it_speaks_for(
    failing: Operation[Any], answered: Operation[Any], ends: bool
) -> None:
    """The list may be answered while all details fail."""
    brake = brake_of(1)
    assert not any(is_outage(brake, failing) for _ in range(9))
    brake.answered(answered)
    assert is_outage(brake, failing) is not ends


@pytest.mark.parametrize("answer", [Reply(500), Reply(reset=True), Reply(200, b"<html>")])
def test_the_client_stops_asking_in_an_outage(answer: Reply) -> None:
    ended, server, client = talk(
        granting(lambda _: answer),
        lambda client: fetch_all(client, ids(1000), 16),
        retry=immediate(attempts=5),
    )
    assert (len(ended), ended.count(None)) == (1000, 0)
    assert ended.count(Outage) > 980
    assert len(server.operations) <= 16 * 8
    assert sent(client) == len(server.operations)


def test_after_an_outage_nothing_is_sent_at_all() -> None:
    async def use(client: ServiceClient) -> None:
        await fetch_all(client, ids(200), 16)
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


def test_an_outage_wakes_those_who_wait_to_try_again() -> None:
    async def run() -> None:
        brake = brake_of(1)
        waiting = [asyncio.create_task(brake.sleep(3600)) for _ in range(3)]
        await asyncio.sleep(0)
        brake.trip(Outage("x", "y"))
        await asyncio.wait_for(asyncio.gather(*waiting, brake.sleep(3600)), 10)

    asyncio.run(run())


UNREADABLE = [
    b'{"id":"\xff"}',
    b'{"id":7}',
    b'{"id":"."}',
]


@pytest.mark.parametrize("row", UNREADABLE, ids=["no UTF-8", "no text", "no path"])
@pytest.mark.parametrize("others_fail", [False, True])
def test_an_unreadable_row_of_the_list_hides_no_other_and_speaks_for_none(
    row: bytes, others_fail: bool
) -> None:
    def handle(asked: Asked) -> Reply:
        if "?" in asked.target:
            return Reply(200, b'{"has_next":false,"data":[%b,{"id":"good"}]}' % row)
        return Reply(500) if others_fail or "id" in asked.target else details(asked)

    ended, _, _ = talk(
        granting(handle),
        lambda client: fetch_all(client, ids(60), 16),
        retry=immediate(attempts=5),
    )
    assert (Outage in ended) is others_fail
    assert (len(ended), ended.count(None)) == (60, 0)


def test_an_outage_of_refused_requests_names_the_setting() -> None:
    async def use(client: ServiceClient) -> None:
        await fetch_all(client, ids(60), 16)
        await client.login()

    error, _, _ = failing(granting(lambda _: Reply(429)), use)
    assert isinstance(error, Outage)
    assert "429, too many requests" in str(error)
    assert "set a lower ACTIVITIES_REQUESTS_PER_SECOND or ACTIVITIES_MAX" in str(error)
