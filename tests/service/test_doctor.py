"""``pipeline doctor`` asks the service for what a run asks for, over the same transports."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from pipeline.commands.findings import examine
from pipeline.sandbox import Credentials
from tests.service.scripted import Asked, Reply, Scripted, as_json, details, granting
from tests.support.commands import service_settings

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = as_json({"has_next": False, "data": [{"id": 7}, {"id": "a"}, {"id": "b"}]})


def found(
    monkeypatch: pytest.MonkeyPatch, handle: Callable[[Asked], Reply], *, proxied: bool = False
) -> dict[str, tuple[str, bool | None]]:
    """Return what doctor finds at a service scripted so; the warehouse is not there."""

    async def run() -> dict[str, tuple[str, bool | None]]:
        async with Scripted(granting(handle)) as server:
            url = "http://service.invalid" if proxied else server.url
            settings = service_settings(url, Credentials())
            settings |= {"WAREHOUSE_URL": "postgresql://u@127.0.0.1:9/d"}
            settings |= {"HTTP_PROXY": server.url} if proxied else {}
            for name, value in settings.items():
                monkeypatch.setenv(name, value)
            findings = await asyncio.to_thread(lambda: list(examine(test_alert=False)))
        return {what: (text, result) for what, text, result in findings}

    return asyncio.run(run())


def test_the_list_and_one_details_are_read_and_a_proxy_in_use_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    findings = found(
        monkeypatch, lambda asked: ROWS if "?" in asked.target else details(asked), proxied=True
    )
    assert " through the proxy 127.0.0.1:" in findings["service, credentials"][0]
    assert findings["page size"][1] is True
    assert findings["details"] == ("read, 11 bytes", True)


@pytest.mark.parametrize(("status", "result"), [(500, False), (403, None)])
def test_details_that_fail_are_named(
    monkeypatch: pytest.MonkeyPatch, status: int, result: bool | None
) -> None:
    findings = found(monkeypatch, lambda asked: ROWS if "?" in asked.target else Reply(status))
    assert findings["page size"][1] is True
    assert (str(status) in findings["details"][0], findings["details"][1]) == (True, result)


def test_a_list_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = found(
        monkeypatch, lambda asked: Reply(500) if "?" in asked.target else details(asked)
    )
    assert findings["page size"][1] is False
    assert "details" not in findings


def test_a_page_size_that_is_refused_hides_no_details(monkeypatch: pytest.MonkeyPatch) -> None:
    def handle(asked: Asked) -> Reply:
        if "limit=" in asked.target:
            return Reply(400)
        return ROWS if "/activities/" not in asked.target else details(asked)

    findings = found(monkeypatch, handle)
    assert "refuses 500" in findings["page size"][0]
    assert findings["details"][1] is True


@pytest.mark.parametrize(
    ("rows", "text", "result"), [([], "the list is empty", True), ([{}, 1], "none of the 2", False)]
)
def test_a_list_without_an_activity_to_read(
    monkeypatch: pytest.MonkeyPatch, rows: list[object], text: str, result: bool
) -> None:
    page = as_json({"has_next": False, "data": rows})
    findings = found(monkeypatch, lambda _: page)
    assert findings["details"][0].startswith(text)
    assert findings["details"][1] is result
