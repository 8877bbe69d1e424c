"""TLS, proxies and redirections: what is trusted, and where requests go."""

from __future__ import annotations

import asyncio
import re
import ssl
from contextlib import suppress
from pathlib import Path

import pytest

from pipeline.service.client import ServiceClient
from pipeline.service.errors import ServiceError, Unreachable
from pipeline.service.models import AuthorizationRequest
from pipeline.service.transport import proxy_of
from tests.service.scripted import (
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

    async def run() -> tuple[ServiceError, Scripted]:
        async with Scripted(granting(answer), server_tls()) as server:
            with pytest.raises(Unreachable) as caught:
                async with ServiceClient(config_for(server.url)) as client:
                    await client.login()
            return caught.value, server

    error, server = asyncio.run(run())
    assert re.search("certificate is not trusted|no certificates can be read", str(error))
    assert server.asked == []


def test_both_transports_refuse_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The token by one, the details by the other."""

    async def run() -> ServiceError:
        async with Scripted(granting(answer), server_tls()) as server:
            monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
            trusting = ServiceClient(config_for(server.url))
            monkeypatch.delenv("SSL_CERT_FILE")
            wary = ServiceClient(config_for(server.url))
            async with trusting, wary:
                await trusting.login()
                # The wary one gets the other's session, so that it comes to the details.
                wary._session = trusting._session
                with pytest.raises(Unreachable) as caught:
                    await wary.activity_details("a")
            return caught.value

    assert "certificate is not trusted" in str(asyncio.run(run()))


def test_an_authority_named_by_the_environment_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))

    _, server, _ = talk(granting(answer), use, tls=server_tls())
    assert len(server.asked) == 3


def test_a_server_that_speaks_no_tls_is_unreachable() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def run() -> ServiceError:
        server = await asyncio.start_server(refuse, "127.0.0.1", 0)
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with ServiceClient(config_for(url)) as client:
            with pytest.raises(ServiceError) as caught:
                await client.login()
        server.close()
        return caught.value

    error = asyncio.run(run())
    assert isinstance(error, Unreachable)
    assert "TLS failed" in str(error)


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "ALL_PROXY"])
@pytest.mark.parametrize("account", ["", "someone:pa%40ss@"])
def test_plain_requests_go_through_the_proxy(
    monkeypatch: pytest.MonkeyPatch, variable: str, account: str
) -> None:
    async def run() -> list[Asked]:
        async with Scripted(granting(answer)) as proxy:
            monkeypatch.setenv(variable, proxy.url.replace("//", f"//{account}"))
            async with ServiceClient(config_for("http://service.invalid:81/v")) as client:
                await use(client)
            return proxy.asked

    asked = asyncio.run(run())
    paths = ["auth", "activities/a", "activities/authorizations"]
    assert [each.target for each in asked] == [
        f"http://service.invalid:81/v/business/v1/{path}" for path in paths
    ]
    assert {each.headers["host"] for each in asked} == {"service.invalid:81"}
    for each in asked:
        # someone:pa@ss
        expected = "Basic c29tZW9uZTpwYUBzcw==" if account else None
        assert each.headers.get("proxy-authorization") == expected


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
    assert len(connects) == 2  # one of either transport
    for asked in connects:
        assert asked.method == "CONNECT"
        assert asked.headers["proxy-authorization"] == "Basic dTpw"
        assert not {"x-api-key", "authorization"} & set(asked.headers)
    assert all("proxy-authorization" not in asked.headers for asked in server.asked)


@pytest.mark.parametrize("exempt", ["127.0.0.1", "*", "localhost,127.0.0.1"])
def test_an_exempt_host_is_asked_directly(monkeypatch: pytest.MonkeyPatch, exempt: str) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", exempt)

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
    assert error.not_sent


def test_only_http_proxies_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://someone:geheim@127.0.0.1:1")
    with pytest.raises(Unreachable, match="proxy") as caught:
        ServiceClient(config_for("http://service.invalid"))
    assert "geheim" not in str(caught.value)
    assert not caught.value.retryable
    assert not caught.value.service_failing  # else a night would wait for it to pass


def test_a_proxy_without_scheme_is_an_http_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "127.0.0.1:3128")
    assert proxy_of("https://service.invalid") == "http://127.0.0.1:3128"
    assert proxy_of("http://service.invalid") is None


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
                operation = (
                    client.create_authorization(AuthorizationRequest("x"))
                    if where == "create"
                    else client.activity_details("a")
                )
                with pytest.raises(ServiceError, match=f"{status}, a redirection"):
                    await operation
            return elsewhere.asked

    assert asyncio.run(run()) == []
