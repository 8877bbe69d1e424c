"""Login discipline: one at a time, renewed ahead of the end, never a storm.

Clause 2 of docs/guarantees.md.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.service.errors import (
    AccessLost,
    LoginRefused,
    Unauthorized,
    UnexpectedShape,
)
from tests.service.scripted import (
    FAR_FUTURE,
    Asked,
    Reply,
    Scripted,
    as_json,
    details,
    failing,
    fetch_all,
    granting,
    ids,
    sent,
    session,
    talk,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pipeline.service.client import ServiceClient

START = 1_800_000_000.0


@dataclass
class World:
    """A service with a clock that only the test moves; each token lives ``lifetime`` seconds.

    ``step``: seconds that go by with every request. The client's clock is ``skew`` seconds ahead.
    """

    lifetime: float = 3600.0
    step: float = 0.0
    skew: float = 0.0
    now: float = START
    expiries: dict[str, float] = field(default_factory=dict)
    expired: int = 0
    said: float = 0.0  # what is added to the expires_at that is answered
    used: list[str] = field(default_factory=list)

    def client_clock(self) -> float:
        """Tell the time of the client's machine."""
        return self.now + self.skew

    def __call__(self, asked: Asked) -> Reply:
        """Answer as the service would."""
        self.now += self.step
        if asked.is_login:
            token = f"token.{len(self.expiries) + 1}"
            self.expiries[token] = self.now + self.lifetime
            expires_at = (self.now + self.lifetime + self.said) * 1000
            return as_json({"token": token, "expires_at": expires_at}, 201)
        if self.now >= self.expiries[asked.token]:
            self.expired += 1
            return as_json({}, 401)
        self.used.append(asked.token)
        return details(asked)


def with_world(
    world: World, use: Callable[[ServiceClient], Awaitable[object]], **settings: Any
) -> tuple[object, Scripted, ServiceClient]:
    return talk(world, use, time_source=world.client_clock, **settings)


@pytest.mark.parametrize("said", [0.0, 1e7, -1e7])
def test_renewals_never_exceed_expiries_by_more_than_one(said: float) -> None:
    """Whether expires_at is true, too late or long past."""
    world = World(lifetime=2.0, step=0.01, said=said)
    _, server, client = with_world(
        world, lambda client: fetch_all(client, ids(2000), 64), max_concurrency=64
    )
    expiries = int((world.now - START) / world.lifetime)
    assert server.logins == client.counts.logins
    assert 5 <= client.counts.logins - 1 <= expiries + 1
    assert len(world.used) == 2000


def test_a_token_is_renewed_ahead_of_its_end() -> None:
    world = World(lifetime=600.0)

    async def use(client: ServiceClient) -> None:
        await client.activity_details("a")
        world.now = START + 539  # a minute before the end is 540
        await client.activity_details("b")
        world.now = START + 541
        await client.activity_details("c")

    with_world(world, use)
    assert world.used == ["token.1", "token.1", "token.2"]
    assert world.expired == 0


@pytest.mark.parametrize("skew", [3600.0, -3600.0])
def test_a_clock_an_hour_off_does_no_harm(skew: float) -> None:
    world = World(lifetime=900.0, step=1.0, skew=skew)

    def dated(asked: Asked) -> Reply:
        reply = world(asked)
        return Reply(reply.status, reply.body, (("Date", formatdate(world.now, usegmt=True)),))

    async def use(client: ServiceClient) -> None:
        for number in range(2000):
            await client.activity_details(f"id{number}")
        assert abs(client.clock.timestamp() - world.now) < 3
        assert client.clock.skew == pytest.approx(-skew, abs=2)

    _, _, client = talk(dated, use, time_source=world.client_clock)
    assert client.counts.logins in (3, 4)
    assert world.expired == 0


def test_an_early_end_costs_one_renewal_and_one_repetition() -> None:
    world = World()

    async def use(client: ServiceClient) -> None:
        await client.activity_details("a")
        world.expiries["token.1"] = 0.0
        await asyncio.gather(*(client.activity_details(f"id{number}") for number in range(64)))

    _, server, client = with_world(world, use, max_concurrency=64)
    assert server.logins == 2
    assert world.expired == 64
    assert client.counts.retries == 64
    assert client.counts.details_requests == len(server.operations) == 129


def test_tokens_never_accepted_end_it_soon_and_for_all() -> None:
    async def use(client: ServiceClient) -> list[BaseException | object]:
        first = await asyncio.gather(
            *(client.activity_details(f"id{number}") for number in range(64)),
            return_exceptions=True,
        )
        asked = sent(client)
        with pytest.raises(AccessLost) as caught:
            await client.activity_details("later")
        assert caught.value.fatal
        assert sent(client) == asked
        return list(first)

    errors, server, _ = talk(granting(lambda _: Reply(401)), use, max_concurrency=64)
    assert {type(error) for error in errors} <= {AccessLost, Unauthorized}
    assert AccessLost in {type(error) for error in errors}
    assert server.logins <= 4


def test_single_activities_answered_401_for_ever_cause_no_login_storm() -> None:
    def handle(asked: Asked) -> Reply:
        number = int(asked.target.rpartition("id")[2])
        return Reply(401) if number % 4 == 0 else details(asked)

    kinds, server, _ = talk(granting(handle), lambda client: fetch_all(client, ids(400)))
    assert (kinds.count(Unauthorized), kinds.count(None)) == (100, 300)
    assert server.logins <= 4


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_login_is_tried_once_ever(status: int) -> None:
    async def use(client: ServiceClient) -> None:
        assert set(await fetch_all(client, ids(64), 64)) == {LoginRefused}
        for _ in range(3):
            with pytest.raises(LoginRefused, match=str(status)):
                await client.login()

    _, server, client = talk(lambda _: Reply(status), use, max_concurrency=64)
    assert len(server.asked) == sent(client, "login") == 1
    assert client.counts.logins == sent(client) == 0


def test_a_failed_renewal_ahead_of_time_is_put_off_while_the_token_holds() -> None:
    world = World(lifetime=600.0)
    down = False

    def handle(asked: Asked) -> Reply:
        return Reply(503) if asked.is_login and down else world(asked)

    async def use(client: ServiceClient) -> None:
        nonlocal down
        await client.activity_details("a")
        down, world.now = True, START + 550
        assert set(await fetch_all(client, ids(50), 16)) == {None}
        assert sent(client, "login") == 4  # the first, and one renewal's three attempts
        down, world.now = False, START + 590
        assert set(await fetch_all(client, ids(50), 16)) == {None}

    _, server, client = talk(handle, use, time_source=world.client_clock)
    assert server.logins == 5
    assert set(world.used) == {"token.1", "token.2"}
    assert client.counts.logins == 2


@pytest.mark.parametrize("token", ["", "a\r\nb", "ü", " a"])
def test_a_token_that_nobody_can_use_is_a_wrong_shape(token: str) -> None:
    answer = as_json({"token": token, "expires_at": FAR_FUTURE}, 201)
    error, server, client = failing(lambda _: answer, lambda client: client.activity_details("a"))
    assert isinstance(error, UnexpectedShape)
    assert (error.fatal, error.body) == (True, b"")
    assert (len(server.asked), client.counts.logins) == (1, 0)


@pytest.mark.parametrize(
    "expires_at",
    [str(FAR_FUTURE), {"ms": FAR_FUTURE}, 1e300, 2**63, None, "soon", "2030-01-01T00:00:00Z", []],
)
def test_a_token_may_state_its_end_in_every_form(expires_at: Any) -> None:
    answer = as_json({"token": "t", "expires_at": expires_at}, 201)
    ended, server, _ = talk(
        lambda asked: answer if asked.is_login else details(asked),
        lambda client: fetch_all(client, ids(5)),
    )
    assert (ended, server.logins) == ([None] * 5, 1)


def test_cancelling_who_logs_in_harms_nobody_who_waits() -> None:
    arrived: asyncio.Queue[None] = asyncio.Queue()
    hang = True

    def handle(asked: Asked) -> Reply:
        if asked.is_login:
            arrived.put_nowait(None)
            return Reply(hang=True) if hang else session()
        return details(asked)

    async def use(client: ServiceClient) -> None:
        nonlocal hang
        first = asyncio.create_task(client.activity_details("a"))
        await arrived.get()
        second = asyncio.create_task(client.activity_details("b"))
        await asyncio.sleep(0)
        hang = False
        first.cancel()
        assert (await second).activity.id == "b"

    _, server, _ = talk(handle, use, read_timeout=0.3)
    assert server.logins == 2
