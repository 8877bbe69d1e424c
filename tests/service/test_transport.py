"""The transport raises exactly the exception that httpx names for each failure."""

from __future__ import annotations

import asyncio
import socket
import ssl

import httpx
import pytest

from pipeline.service.aiohttp_transport import AioHttpTransport
from tests.service.scripted import Reply, Scripted, config_for


async def get(url: str, *, proxy: str | None = None, method: str = "GET") -> bytes:
    config = config_for(url, connect_timeout=5.0, read_timeout=0.2)
    transport = AioHttpTransport(config, httpx.create_ssl_context(), proxy)
    try:
        response = await transport.handle_async_request(httpx.Request(method, url))
        return await response.aread()
    finally:
        await transport.aclose()


def get_from(reply: Reply) -> bytes:
    async def run() -> bytes:
        async with Scripted(lambda _: reply) as server:
            return await get(server.url)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(reset=True), httpx.ReadError),
        (Reply(raw=b""), httpx.RemoteProtocolError),
        (Reply(raw=b"HTTP/1.1 200 OK\r\nContent-"), httpx.RemoteProtocolError),
        (Reply(200, b"x" * 50, cut_at=20), httpx.RemoteProtocolError),
        (Reply(200, b"x" * 50, cut_at=20, chunked=True), httpx.RemoteProtocolError),
        (Reply(raw=b"SSH-2.0-OpenSSH_9.9\r\n\r\n"), httpx.RemoteProtocolError),
        (Reply(hang=True), httpx.ReadTimeout),
        (Reply(200, b"nonsense", (("Content-Encoding", "gzip"),)), httpx.DecodingError),
    ],
)
def test_a_failed_answer_has_its_exception(reply: Reply, kind: type[Exception]) -> None:
    with pytest.raises(httpx.RequestError) as caught:
        get_from(reply)
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("http://127.0.0.1:1", ConnectionRefusedError),
        ("http://no-such-host.invalid", socket.gaierror),
    ],
)
def test_no_connection_is_a_connect_error_that_keeps_its_cause(
    url: str, cause: type[Exception]
) -> None:
    with pytest.raises(httpx.ConnectError) as caught:
        asyncio.run(get(url))
    assert caught.value.__cause__ is not None
    assert isinstance(caught.value.__cause__.__cause__, cause)


def test_a_server_without_tls_is_a_connect_error() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def run() -> None:
        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            await get(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}")

    with pytest.raises(httpx.ConnectError) as caught:
        asyncio.run(run())
    assert caught.value.__cause__ is not None
    assert isinstance(caught.value.__cause__.__cause__, ssl.SSLError)


def test_a_proxy_that_is_not_there_is_a_proxy_error() -> None:
    with pytest.raises(httpx.ProxyError):
        asyncio.run(get("http://service.invalid", proxy="http://127.0.0.1:1"))


def test_a_response_is_as_httpx_knows_it() -> None:
    async def run() -> httpx.Response:
        async with Scripted(lambda _: Reply(404, b"why", (("X-Key", "v"),))) as server:
            tls = httpx.create_ssl_context()
            transport = AioHttpTransport(config_for(server.url), tls, None)
            response = await transport.handle_async_request(httpx.Request("GET", server.url))
            await response.aread()
            await transport.aclose()
            return response

    response = asyncio.run(run())
    assert (response.status_code, response.content) == (404, b"why")
    assert response.headers["x-key"] == "v"
