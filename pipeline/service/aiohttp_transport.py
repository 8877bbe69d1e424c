"""An httpx transport over aiohttp (docs/design.md "Transport").

httpx's own connection pool costs far more processor time than the rest of a GET. This transport takes
httpx requests, sends them by aiohttp, and returns httpx responses. Nothing outside this file knows aiohttp.

Microseconds of CPU for each GET, 16 at once (``python -m tests.benchmarks.gets``): 111 by aiohttp alone,
149 by `Exchange` over this transport, 342 by `httpx.AsyncClient` over the library httpx-aiohttp 0.2. That
one also reports refused connections as time-outs.

Its exceptions are httpx's, one for each cause:

=======================================================  =======================
what happened                                            exception
=======================================================  =======================
name not found, connection refused, TLS                  `httpx.ConnectError`
the proxy gave no connection                             `httpx.ProxyError`
no connection in time                                    `httpx.ConnectTimeout`
no data in time                                          `httpx.ReadTimeout`
connection reset before the answer                       `httpx.ReadError`
closed without an answer, body cut off, no HTTP          `httpx.RemoteProtocolError`
=======================================================  =======================

The first three, and no others, prove that the service did not receive the request. Each has aiohttp's
exception as its ``__cause__``; behind that of a `httpx.ConnectError` is the operating system's.
"""

import ssl
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Any, cast

import aiohttp
import httpx
from multidict import CIMultiDict
from yarl import URL

from pipeline.service.config import ServiceConfig

#: Bytes of an answer's headers that are read. httpx's own transport reads 100 KB.
LARGEST_HEADERS = 2**16


class AioHttpTransport(httpx.AsyncBaseTransport):
    """Sends requests, each exactly once, and never follows a redirection.

    The time-outs of ``config`` hold for every request; those in a request's extensions are not read. As
    many connections are open as requests may be in flight. ``proxy``: a URL, or None. The extension
    ``target`` of a request stands for the path and the query of its URL, as httpx defines it.
    """

    def __init__(self, config: ServiceConfig, verify: ssl.SSLContext, proxy: str | None) -> None:
        self._config = config
        self._verify = verify
        self._proxy = proxy
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; return the response, body unread. Raises `httpx.TransportError`."""
        if self._session is None:  # aiohttp wants a running event loop
            self._session = self._open_session()
        url = request.url
        target = request.extensions.get("target", url.raw_path)
        address = f"{url.scheme}://{url.netloc.decode()}{target.decode()}"
        options: dict[str, Any] = {}
        if request.method != "GET":
            body = cast("httpx.AsyncByteStream", request.stream)
            options["data"] = b"".join([piece async for piece in body]) or None
            options["skip_auto_headers"] = ["Content-Type"]  # a login has no body
        response = await self._session.request(
            request.method,
            URL(address, encoded=True),  # given as text, aiohttp would change its escapes
            headers=_decoded(tuple(request.headers.raw)),
            allow_redirects=False,
            **options,
        )
        answer = httpx.Response(
            response.status, headers=response.raw_headers, stream=_Body(response)
        )
        answer.headers.encoding = "iso-8859-1"  # else httpx decodes all headers to find it out
        return answer

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    def _open_session(self) -> aiohttp.ClientSession:
        config = self._config
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=config.max_concurrency, ssl=self._verify),
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=config.connect_timeout, sock_read=config.read_timeout
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # httpx does it
            proxy=self._proxy,
            trust_env=False,
            max_line_size=LARGEST_HEADERS,
            max_field_size=LARGEST_HEADERS,
            max_headers=LARGEST_HEADERS,
            middlewares=(_send_once,),
        )


@lru_cache(maxsize=4)
def _decoded(headers: tuple[tuple[bytes, bytes], ...]) -> CIMultiDict[str]:
    """Return headers as aiohttp takes them without a copy; all GETs with one token have the same."""
    return CIMultiDict((name.decode(), value.decode()) for name, value in headers)


async def _send_once(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Send a request and translate its failure.

    aiohttp repeats a GET by itself when its own exception says that the connection broke. It does
    not know httpx's exceptions, so that it repeats nothing: our retries do, and count it.
    """
    try:
        return await handler(request)
    except Exception as error:
        raise _translate(error) from error


class _Body(httpx.AsyncByteStream):
    """The undecoded body of a response."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the body as it comes."""
        try:
            async for piece in self._response.content.iter_any():
                yield piece
        except Exception as error:
            raise _translate(error) from error

    async def aclose(self) -> None:
        """Give the connection back, or close it when a part of the body is unread."""
        self._response.release()


def _translate(error: Exception) -> httpx.TransportError:
    """Return the httpx exception that tells the same as one of aiohttp."""
    text = str(error)
    match error:
        case aiohttp.ConnectionTimeoutError():
            return httpx.ConnectTimeout(text)
        case TimeoutError():
            return httpx.ReadTimeout(text)
        case aiohttp.ClientProxyConnectionError() | aiohttp.ClientHttpProxyError():
            return httpx.ProxyError(text)
        case aiohttp.ClientConnectorError():
            return httpx.ConnectError(text)
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError():
            return httpx.RemoteProtocolError(text)
        case aiohttp.ClientConnectionError() | OSError():
            return httpx.ReadError(text)
        case _:
            return httpx.RemoteProtocolError(text)
