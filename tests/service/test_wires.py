"""TLS, proxies and redirections: what is trusted, and where requests go.

Clause 7 of docs/guarantees.md.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.service.client import ServiceClient
from pipeline.service.errors import ServiceError, Unreachable
from pipeline.service.models import AuthorizationRequest
from pipeline.service.transport import is_exempt
from tests.service.scripted import (
    OPERATIONS,
    PAGE,
    Asked,
    Reply,
    Scripted,
    config_for,
    details,
    failing,
    granting,
    read_request,
    sent,
    session,
    talk,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.service.scripted import Handler

CERTIFICATE = Path(__file__).with_name("loopback.pem")


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def answer(asked: Asked) -> Reply:
    return Reply(201) if asked.method == "POST" else details(asked)


async def use(client: ServiceClient) -> None:
    await client.activity_details("a")
    await client.create_authorization(AuthorizationRequest("x"))


def server_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def test_an_untrusted_certificate_is_refused_at_once() -> None:
    error, server, client = failing(
        granting(answer), lambda client: client.login(), tls=server_tls()
    )
    assert isinstance(error, Unreachable)
    assert sent(client, "login") == 1
    assert "certificate is not trusted" in str(error)
    assert "SSL_CERT_FILE" in str(error)
    assert server.asked == []


@pytest.mark.parametrize(
    "variable",
    ["PYTHONHTTPSVERIFY", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"],
)
@pytest.mark.parametrize("value", ["", "0"])
def test_no_variable_turns_verification_off(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(
        Unreachable, match=r"certificate is not trusted|no certificates can be read"
    ):
        talk(granting(answer), OPERATIONS["login"], tls=server_tls())


def test_an_authority_named_by_the_environment_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))

    _, server, _ = talk(granting(answer), use, tls=server_tls())
    assert len(server.asked) == 3


def by_proxy(
    monkeypatch: pytest.MonkeyPatch,
    handler: Handler,
    use: Callable[[ServiceClient], Awaitable[object]],
    *,
    variable: str = "HTTP_PROXY",
    url: str = "http://service.invalid:81/v",
    account: str = "someone:geheim@",
) -> tuple[Scripted, object]:
    """Let a client use a service behind a proxy; return the proxy, and what came of it, or its error."""

    async def run() -> tuple[Scripted, object]:
        async with Scripted(handler) as proxy:
            monkeypatch.setenv(variable, proxy.url.replace("//", f"//{account}"))
            async with ServiceClient(config_for(url)) as client:
                (ended,) = await asyncio.gather(use(client), return_exceptions=True)
            return proxy, ended

    proxy, ended = asyncio.run(run())
    if isinstance(ended, ServiceError):
        assert f"(through the proxy {proxy.url.removeprefix('http://')})" in str(ended)
        assert "geheim" not in f"{ended}{ended!r}{ended.__dict__}"
    return proxy, ended


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "ALL_PROXY"])
@pytest.mark.parametrize("account", ["", "someone:pa%40ss@"])
def test_plain_requests_go_through_the_proxy(
    monkeypatch: pytest.MonkeyPatch, variable: str, account: str
) -> None:
    proxy, ended = by_proxy(monkeypatch, granting(answer), use, variable=variable, account=account)
    assert ended is None
    paths = ["auth", "activities/a", "activities/authorizations"]
    assert [each.target for each in proxy.asked] == [
        f"http://service.invalid:81/v/business/v1/{path}" for path in paths
    ]
    assert {each.headers["host"] for each in proxy.asked} == {"service.invalid:81"}
    # someone:pa@ss
    expected = "Basic c29tZW9uZTpwYUBzcw==" if account else None
    assert {each.headers.get("proxy-authorization") for each in proxy.asked} == {expected}


async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy until the end."""
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


def test_tls_goes_through_the_proxys_tunnel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    connects: list[Asked] = []

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await read_request(reader)
        connects.append(asked)
        host, _, port = asked.target.partition(":")
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await asyncio.gather(tunnel(reader, far_writer), tunnel(far_reader, writer))

    async def run() -> Scripted:
        async with Scripted(granting(answer), server_tls()) as server:
            proxy = await asyncio.start_server(connect, "127.0.0.1", 0)
            port = proxy.sockets[0].getsockname()[1]
            monkeypatch.setenv("HTTPS_PROXY", f"http://u:p@127.0.0.1:{port}")
            async with ServiceClient(config_for(server.url)) as client:
                await use(client)
            proxy.close()
            return server

    server = asyncio.run(run())
    assert len(server.asked) == 3
    assert len(connects) == 1
    for asked in connects:
        assert asked.method == "CONNECT"
        assert asked.headers["proxy-authorization"] == "Basic dTpw"
        assert not {"x-api-key", "authorization"} & set(asked.headers)
    assert all("proxy-authorization" not in asked.headers for asked in server.asked)


@pytest.mark.parametrize(
    "headers",
    [
        (("Content-Security-Policy", "x" * 60_000),),
        tuple(("Set-Cookie", f"c{number}={'y' * 200}") for number in range(250)),
    ],
    ids=["one long", "many"],
)
def test_headers_of_64_kb_are_read(headers: tuple[tuple[str, str], ...]) -> None:
    """Single sign-on and content security policies fill them."""

    def handle(asked: Asked) -> Reply:
        reply = session() if asked.is_login else PAGE if "?" in asked.target else answer(asked)
        return replace(reply, headers=headers)

    async def use_all(client: ServiceClient) -> None:
        for operation in OPERATIONS.values():
            await operation(client)

    _, server, _ = talk(handle, use_all)
    assert len(server.asked) == len(OPERATIONS)


@pytest.mark.parametrize(
    ("host", "no_proxy", "exempt"),
    [
        ("10.1.2.3", "10.0.0.0/8", True),
        ("11.1.2.3", "10.0.0.0/8", False),
        ("192.168.1.7", "localhost, 192.168.1.0/24", True),
        ("10.1.2.3", "2.3", False),
        ("10.1.2.3", "10.0.0.0/99", False),
        ("fd00::7", "fd00::/8", True),
        ("api.example.com", "example.com", True),
        ("api.example.com", ".example.com", True),
        ("example.com", ".example.com", True),
        ("API.Example.com.", "EXAMPLE.COM.", True),
        ("nonexample.com", "example.com", False),
        ("api.example.com", "other.com  example.com", True),
        ("api.example.com", "*", True),
        ("api.example.com", "*.example.com", False),
        ("api.example.com", "", False),
        ("10.1.2.3", "10.0.0.0/8:8080", True),
        ("api.example.com", "example.com:8080,example.com:9", True),
        ("api.example.com", "example.com:9", False),
        ("fd00::7", "[fd00::7]:8080", True),
    ],
)
def test_no_proxy_is_read_as_curl_reads_it(host: str, no_proxy: str, exempt: bool) -> None:
    assert is_exempt(host, no_proxy, 8080) is exempt


def test_an_exempt_host_is_asked_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "10.0.0.0/8 127.0.0.0/30")

    _, server, _ = talk(granting(answer), use)
    assert len(server.asked) == 3


def test_a_proxy_that_is_not_there_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://someone:geheim@127.0.0.1:1")

    async def run() -> ServiceError:
        async with ServiceClient(config_for("http://service.invalid")) as client:
            with pytest.raises(Unreachable) as caught:
                await client.login()
            return caught.value

    error = asyncio.run(run())
    assert "geheim" not in f"{error}{error!r}"
    assert "the proxy 127.0.0.1:1" in str(error)
    assert error.not_sent


@pytest.mark.parametrize(
    "reply",
    [Reply(502), Reply(200, b"<html>Company proxy</html>"), Reply(reset=True)],
    ids=["502", "a page", "reset"],
)
@pytest.mark.parametrize("where", OPERATIONS)
def test_every_error_behind_a_proxy_names_it(
    monkeypatch: pytest.MonkeyPatch, reply: Reply, where: str
) -> None:
    """What fails may be the proxy, whatever comes."""
    if where == "create" and reply.body:
        reply = replace(reply, status=500)  # a creation has no body to be read

    def handle(asked: Asked) -> Reply:
        return session() if asked.is_login and where != "login" else reply

    _, error = by_proxy(monkeypatch, handle, OPERATIONS[where])
    assert isinstance(error, ServiceError)


@pytest.mark.parametrize("status", [403, 407, 503])
def test_a_proxy_that_refuses_the_tunnel_is_named_with_its_answer(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    _, error = by_proxy(
        monkeypatch,
        lambda _: Reply(status),
        OPERATIONS["login"],
        variable="HTTPS_PROXY",
        url="https://service.invalid",
    )
    assert f"gives no connection to service.invalid ({status})" in str(error)


@pytest.mark.parametrize(
    "proxy",
    ["http://u:geheim@proxy:port", "http://", "http://[x", "socks5://u:geheim@127.0.0.1:1"],
)
def test_an_impossible_proxy_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    with pytest.raises(Unreachable, match="proxy") as caught:
        ServiceClient(config_for("https://service.invalid"))
    assert "geheim" not in str(caught.value)
    assert not caught.value.retryable
    assert not caught.value.service_failing  # else a night would wait for it to pass


def test_netrc_adds_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login someone password geheim\n")
    monkeypatch.setenv("NETRC", str(netrc))

    _, server, _ = talk(granting(answer), use)
    assert {asked.headers["authorization"] for asked in server.operations} == {"Bearer token.1"}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("where", ["login", "details", "create"])
def test_redirections_are_never_followed(status: int, where: str) -> None:
    async def run() -> list[Asked]:
        async with Scripted(granting(answer)) as elsewhere:

            def handle(asked: Asked) -> Reply:
                redirect = Reply(status, b"", (("Location", f"{elsewhere.url}/x"),))
                if asked.is_login:
                    return redirect if where == "login" else session()
                return redirect

            async with Scripted(handle) as server, ServiceClient(config_for(server.url)) as client:
                with pytest.raises(ServiceError, match=f"{status}, a redirection"):
                    await OPERATIONS[where](client)
            return elsewhere.asked

    assert asyncio.run(run()) == []
