"""One exchange with the service: a request out, and an answer in or one of our errors.

This is the only place that sends, and it holds the connections. It knows nothing of tokens, retries or pace
(docs/design.md "Transport").

Microseconds of CPU for each GET, 16 at once, measured in October 2026: 121 by aiohttp alone,
137 by `Exchange`, 158 by the whole client, 384 by `httpx.AsyncClient` over the library httpx-aiohttp 0.2.
That one also reports refused connections as time-outs.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from pipeline.service.clock import ServiceClock, parse_http_date, parse_retry_after
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import BodyTooLarge, ServiceError, failure_of, status_failure
from pipeline.service.requests import Operation
from pipeline.service.transport import proxy_of, shown, tls_for

T = TypeVar("T")

#: Most bytes read of an error's body.
_ERROR_BODY_LIMIT = 64 * 2**10

#: Bytes of an answer's headers that are read: single sign-on and content security policies fill them.
_LARGEST_HEADERS = 2**16


@dataclass
class RequestCounts:
    """Live counts of one client; each is exact at any moment.

    ``list_requests``, ``details_requests``: requests sent, one for each attempt, answered or not (also
    when no connection was found). ``logins``: tokens obtained. ``retries``: how many requests of all
    operations were not the first for what they asked. ``bytes_received``: bytes of the bodies read, after
    decompression. ``waited``: seconds that requests waited for their turn. ``answers``: answers by kind of
    operation and status; status 0: no answer, or half of one.
    """

    list_requests: int = 0
    details_requests: int = 0
    logins: int = 0
    retries: int = 0
    bytes_received: int = 0
    waited: float = 0.0
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)


class SecretHeaders(CIMultiDict[str]):
    """Headers whose repr shows names only."""

    def __repr__(self) -> str:
        return f"SecretHeaders({', '.join(self)})"


class Exchange:
    """Sends requests within the times and sizes of the configuration, and never follows a redirection.

    `pipeline.settings` has checked the address and the credentials. ``host``, ``proxy``: ``host:port``, as
    errors show them; ``proxy`` is empty if there is none. Raises `Unreachable` as `proxy_of` and `tls_for`.
    """

    def __init__(self, config: ServiceConfig, clock: ServiceClock) -> None:
        self.counts = RequestCounts()
        base = URL(config.base_url)
        self.host = base.host_port_subcomponent or ""
        self._root = f"{str(base).rstrip('/')}/business/v1"
        self._proxy = proxy_of(config.base_url)
        self.proxy = shown(self._proxy or "")
        self._tls = tls_for(config.base_url, self._proxy or "")
        self._clock = clock
        self._config = config

    def authorize(self, authorization: str) -> SecretHeaders:
        """Return the headers of requests with this authorization (docs/service.md 5)."""
        return SecretHeaders(
            {
                "Authorization": authorization,
                "x-api-key": self._config.credentials.api_key,
                "x-pvt-timezone": self._config.timezone,
            }
        )

    async def send(self, operation: Operation[T], headers: SecretHeaders) -> T:
        """Send an operation once; return what it reads in the answer. Raises `ServiceError`."""
        # Counted before it is sent, so that a request without an answer counts too.
        self.counts.list_requests += operation.kind == "list"
        self.counts.details_requests += operation.kind == "details"
        self.counts.retries += operation.sent > 0
        operation.sent += 1
        try:
            status, answer = await self._exchange(operation, headers)
        except Exception as error:  # a library may let anything through
            status, answer = 0, failure_of(error, operation.name, self.host)
        self.counts.answers[operation.kind, status] += 1
        if isinstance(answer, bytes):
            try:
                return operation.read(answer)
            except ServiceError as error:
                error.body, answer = answer, error
        answer.proxy = self.proxy
        if operation.kind == "login":
            answer.body = b""  # it may hold a token, or what was sent
        # Raised out here, so that no library's exception or response with headers hangs on it.
        raise answer

    async def aclose(self) -> None:
        """Close all connections."""
        if "_connections" in vars(self):
            await self._connections.close()

    async def _exchange(
        self, operation: Operation[T], headers: SecretHeaders
    ) -> tuple[int, bytes | ServiceError]:
        if operation.content:
            headers = SecretHeaders(headers, **{"Content-Type": "application/json"})
        sent = self._clock.local()
        response = await self._connections.request(
            "GET" if operation.content is None else "POST",
            # Given as text, aiohttp would change the escapes that `path_segment` gave an id.
            URL(self._root + operation.path, encoded=True),
            headers=headers,
            data=operation.content or None,
            allow_redirects=False,
        )
        try:
            status = response.status
            if status not in operation.success:
                return status, await self._read_refusal(response, operation.name)
            most = self._config.max_body_bytes
            body = await self._read(response, most)
            if len(body) > most:
                cause = f"the body has {len(body)} bytes or more, above the cap of {most}"
                remedy = "raise ACTIVITIES_MAX_BODY_MB if such answers are wanted"
                return status, BodyTooLarge(operation.name, cause, remedy)
            if operation.kind == "login":
                self._clock.learn(response.headers.get("Date"), sent)
            return status, body
        finally:
            response.release()  # closes the connection when a part of the body is unread

    async def _read(self, response: aiohttp.ClientResponse, limit: int) -> bytes:
        """Return a body, unpacked; more bytes than ``limit`` mean that the rest was not read.

        aiohttp unpacks piece by piece, and nothing twice: a thousand times a thousand bytes for one.
        """
        parts, size = [], 0
        while size <= limit and (part := await response.content.read(limit + 1 - size)):
            parts.append(part)
            size += len(part)
        self.counts.bytes_received += size
        return b"".join(parts)

    async def _read_refusal(self, response: aiohttp.ClientResponse, operation: str) -> ServiceError:
        body = b""
        with suppress(Exception):  # the status says enough, even when the body is cut off
            body = await self._read(response, _ERROR_BODY_LIMIT)
        now = parse_http_date(response.headers.get("Date")) or self._clock.timestamp()
        asked = parse_retry_after(response.headers.get("Retry-After"), now)
        return status_failure(response.status, operation, body[:_ERROR_BODY_LIMIT], asked)

    @cached_property
    def _connections(self) -> aiohttp.ClientSession:
        """As many as requests may be in flight. aiohttp wants a running event loop to open them."""
        config = self._config
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=config.max_concurrency, ssl=self._tls),
            timeout=aiohttp.ClientTimeout(
                total=config.total_timeout,
                sock_connect=config.connect_timeout,
                sock_read=config.read_timeout,
            ),
            # A proxy that makes a tunnel gets these, too.
            headers={
                "Accept": "application/json",
                "Accept-Encoding": "gzip",
                "User-Agent": "activity-warehouse",
            },
            skip_auto_headers=["Content-Type"],  # a login has no body
            # A load balancer may keep a session by them, also at an address, and knows no quotes.
            cookie_jar=aiohttp.CookieJar(unsafe=True, quote_cookie=False),
            proxy=self._proxy,
            max_line_size=_LARGEST_HEADERS,
            max_field_size=_LARGEST_HEADERS,
            max_headers=_LARGEST_HEADERS,
            middlewares=(_send_once,),
        )


async def _send_once(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Send a request; hide from aiohttp that the connection broke.

    aiohttp repeats a GET by itself after these errors. Our retries do that, and count it.
    """
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise aiohttp.ClientConnectionError from error
