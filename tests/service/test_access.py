"""403: of one activity, of many activities, and of everything."""

from __future__ import annotations

import asyncio

import pytest

from pipeline.service.client import ListQuery, ServiceClient
from pipeline.service.errors import AccessLost, Forbidden
from tests.service.scripted import PAGE, Asked, Reply, details, fetch_all, granting, ids, talk


def is_list(asked: Asked) -> bool:
    return "?" in asked.target


def test_one_forbidden_activity_is_only_that() -> None:
    def handle(asked: Asked) -> Reply:
        return Reply(403) if asked.target.endswith("bad") else details(asked)

    kinds, server, _ = talk(
        granting(handle),
        lambda client: fetch_all(client, ["a", "bad", "bad", "bad", "bad", "bad", "b"]),
    )
    assert kinds == [None, *[Forbidden] * 5, None]
    assert server.logins == 1
    assert len(server.operations) == 7  # the same one again and again raises no suspicion


def test_when_all_is_forbidden_the_client_stops() -> None:
    kinds, server, client = talk(
        granting(lambda _: Reply(403)),
        lambda client: fetch_all(client, ids(50)),
    )
    assert kinds[:19] == [Forbidden] * 19
    assert set(kinds[19:]) == {AccessLost}
    assert server.logins == 2
    assert [is_list(asked) for asked in server.operations] == [*[False] * 20, True, True]
    assert client.counts.list_requests == 2


def test_a_token_gone_bad_is_renewed_and_the_run_goes_on() -> None:
    def handle(asked: Asked) -> Reply:
        if asked.token == "token.1":
            return Reply(403)
        return PAGE if is_list(asked) else details(asked)

    kinds, server, _ = talk(granting(handle), lambda client: fetch_all(client, ids(30)))
    assert kinds == [*[Forbidden] * 19, *[None] * 11]
    assert server.logins == 2


def test_hundreds_of_activities_may_be_forbidden_while_the_list_is_not() -> None:
    """As when the details of all that expired are refused."""

    def handle(asked: Asked) -> Reply:
        return PAGE if is_list(asked) else Reply(403)

    kinds, server, client = talk(granting(handle), lambda client: fetch_all(client, ids(600)))
    assert set(kinds) == {Forbidden}
    assert server.logins == 1
    assert client.counts.list_requests == 600 // 20


@pytest.mark.parametrize("status", [500, 404])
def test_a_probe_without_a_verdict_changes_nothing(status: int) -> None:
    def handle(asked: Asked) -> Reply:
        return Reply(status) if is_list(asked) else Reply(403)

    kinds, server, _ = talk(granting(handle), lambda client: fetch_all(client, ids(25)))
    assert set(kinds) == {Forbidden}
    assert server.logins == 1


def test_when_the_list_is_forbidden_whatever_is_asked_the_client_stops_at_once() -> None:
    """Else a run would find window after window refused, and say so of each."""

    async def use(client: ServiceClient) -> None:
        for _ in range(2):
            with pytest.raises(AccessLost, match="the list of activities was refused, also with"):
                await client.list_activities(ListQuery())

    _, server, _ = talk(granting(lambda _: Reply(403)), use)
    assert server.logins == 2
    assert len(server.operations) == 3


def test_lists_forbidden_by_a_token_gone_bad_are_asked_again_with_one_new_token() -> None:
    async def use(client: ServiceClient) -> None:
        await asyncio.gather(*(client.list_activities(ListQuery(page=n)) for n in range(1, 9)))

    _, server, _ = talk(
        granting(lambda asked: Reply(403) if asked.token == "token.1" else PAGE), use
    )
    assert server.logins == 2
