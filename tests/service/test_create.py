"""Creating is never done twice, and what is not known is not claimed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from pipeline.service.client import ServiceClient
from pipeline.service.errors import (
    ServiceError,
    Unreachable,
)
from tests.service.scripted import (
    OPERATIONS,
    Asked,
    Reply,
    Scripted,
    config_for,
    granting,
    sent,
    session,
    talk,
)

create = OPERATIONS["create"]


def test_a_401_proves_that_nothing_was_done() -> None:
    def handle(asked: Asked) -> Reply:
        return Reply(201 if asked.token == "token.2" else 401)

    _, server, client = talk(granting(handle), create)
    assert [asked.token for asked in server.operations] == ["token.1", "token.2"]
    assert (server.operations[0].body, sent(client, "create")) == (
        server.operations[1].body,
        2,
    )


def test_a_refused_connection_is_certainly_unsent() -> None:
    async def run() -> ServiceError:
        # Else the kept connection might be found dead only when the creation is sent by it.
        leaving = replace(session(), headers=(("Connection", "close"),))
        async with Scripted(lambda _: leaving) as server:
            client = ServiceClient(config_for(server.url))
            await client.login()
        async with client:
            with pytest.raises(Unreachable) as caught:
                await create(client)
        return caught.value

    assert asyncio.run(run()).not_sent


def test_a_forbidden_creation_is_never_repeated_even_when_access_is_in_doubt() -> None:
    async def use(client: ServiceClient) -> None:
        for _ in range(30):
            with pytest.raises(ServiceError):
                await create(client)

    def handle(asked: Asked) -> Reply:
        return Reply(403) if asked.method == "POST" or asked.token == "token.1" else Reply(200)

    _, server, client = talk(granting(handle), use)
    assert sent(client, "create") == 30
    assert client.counts.retries == 0
    assert sum(asked.method == "POST" for asked in server.operations) == 30
