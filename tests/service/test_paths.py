"""Ids from the service never change the path they are put into."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.service.errors import UnaddressableId
from tests.service.scripted import Asked, Reply, as_json, failing, granting, sent, talk

if TYPE_CHECKING:
    from pipeline.service.client import ServiceClient

PREFIX = "/business/v1/activities/"
HOSTILE = [
    "a/b", "../../auth", "..%2f..", "%2e%2e", "%2E%2E/x", "...", "a/../b", "./a", "a?limit=1", "a#b",
    "a%20b", "a b", "%", "%%", "a;b", "a&b=c", "+", "a+b", "~", "@", ":", "//host/path",
    "http://evil.example/x", "\\..\\", "\0", "\r\nX-Evil: 1", "\t", "ünï", "日本", "\U0001f600",
    "a" * 600, "x" * 3000, "é" * 1000,
    "{id}", "|", "^", "`", "'", '"', "<>", "[::1]", "*", "$", "!", ",", "=",
]  # fmt: skip


def echo(asked: Asked) -> Reply:
    """Answer with the id that the path names, if it names one."""
    assert asked.target.startswith(PREFIX)
    segment = asked.target.removeprefix(PREFIX)
    assert not set("/?# \\") & set(segment)
    assert asked.headers["host"].startswith("127.0.0.1:")
    return as_json({"id": unquote(segment)})


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=40) | st.sampled_from(HOSTILE), min_size=15, max_size=30)
)
def test_any_id_arrives_as_one_segment_of_the_path(ids: list[str]) -> None:
    sent = [name for name in ids if name not in (".", "..")]

    async def use(client: ServiceClient) -> None:
        for name in sent:
            assert (await client.activity_details(name)).activity.id == name

    _, server, _ = talk(granting(echo), use)
    assert len(server.operations) == len(sent)


@pytest.mark.parametrize("name", ["", ".", "..", "\ud800"])
def test_an_id_that_no_path_can_carry_is_not_sent(name: str) -> None:
    error, server, client = failing(granting(echo), lambda client: client.activity_details(name))
    assert isinstance(error, UnaddressableId)
    assert error.not_sent
    assert not error.fatal
    assert server.asked == []
    assert sent(client) == 0
