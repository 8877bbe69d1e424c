"""One exchange with the service: a request out, and an answer in or one of our errors.

This is the only place that sends. It knows nothing of tokens, retries or pace.
"""

import asyncio
import base64
import zlib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast

import httpx

from pipeline.service.clock import ServiceClock, parse_http_date, parse_retry_after
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import BodyTooLarge, ServiceError, failure_of, status_failure
from pipeline.service.requests import Operation
from pipeline.service.transport import open_transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterable

T = TypeVar("T")

#: Most bytes read of an error's body.
_ERROR_BODY_LIMIT = 64 * 2**10


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


class SecretHeaders(httpx.Headers):
    """Headers whose repr shows names only."""

    def __repr__(self) -> str:
        return f"SecretHeaders({', '.join(self)})"


class Exchange:
    """Sends requests within the times and sizes of the configuration.

    `pipeline.settings` has checked the address and the credentials. ``host``, ``proxy``: ``host:port``, as
    errors show them. ``basic``: the headers of a login.
    """

    def __init__(self, config: ServiceConfig, clock: ServiceClock) -> None:
        self.counts = RequestCounts()
        base = httpx.URL(config.base_url)
        self.host = base.netloc.decode()
        self._root = httpx.URL(f"{str(base).rstrip('/')}/business/v1")
        self._target = self._root.raw_path
        self._common = SecretHeaders(
            [
                ("Host", self.host),
                ("Accept", "application/json"),
                ("Accept-Encoding", "gzip"),
                ("User-Agent", "activity-warehouse"),
                ("x-api-key", config.credentials.api_key),
                ("x-pvt-timezone", config.timezone),
            ],
            encoding="utf-8",
        )
        secret = f"{config.credentials.username}:{config.credentials.password}".encode()
        self.basic = self.authorize(f"Basic {base64.b64encode(secret).decode()}")
        self._transport, self.proxy = open_transport(config)
        self._clock = clock
        self._config = config

    def authorize(self, authorization: str) -> SecretHeaders:
        """Return the headers of requests with this authorization (docs/service.md 5)."""
        return _extend(self._common, b"Authorization", authorization.encode())

    async def send(self, operation: Operation[T], headers: SecretHeaders) -> T:
        """Send an operation once; return what it reads in the answer. Raises `ServiceError`."""
        # Counted before it is sent, so that a request without an answer counts too.
        self.counts.list_requests += operation.kind == "list"
        self.counts.details_requests += operation.kind == "details"
        self.counts.retries += operation.sent > 0
        operation.sent += 1
        request = self._build(operation, headers)
        try:
            async with asyncio.timeout(self._config.total_timeout):
                status, answer = await self._exchange(request, operation)
        except Exception as error:  # a library may let anything through
            status, answer = 0, failure_of(error, operation.name, self.host)
        self.counts.answers[operation.kind, status] += 1
        if isinstance(answer, bytes):
            try:
                return operation.read(answer)
            except ServiceError as error:
                answer = error
        answer.proxy = self.proxy
        # Raised out here, so that no library's exception or response with headers hangs on it.
        raise answer

    async def aclose(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    def _build(self, operation: Operation[T], headers: SecretHeaders) -> httpx.Request:
        """Return the request, ready to send.

        Its path stands in the ``target`` extension. So nothing parses or rewrites it: an id keeps exactly
        the escapes that `path_segment` gave it, and one URL serves all requests. A body given as a stream
        spares each GET httpx's search for the kind of its body.
        """
        if operation.content:
            headers = _extend(headers, b"Content-Type", b"application/json")
        return httpx.Request(
            "GET" if operation.content is None else "POST",
            self._root,
            headers=headers,
            stream=httpx.ByteStream(operation.content or b""),
            extensions={"target": self._target + operation.path.encode()},
        )

    async def _exchange(
        self, request: httpx.Request, operation: Operation[T]
    ) -> tuple[int, bytes | ServiceError]:
        sent = self._clock.local()
        response = await self._transport.handle_async_request(request)
        status = response.status_code
        try:
            if status not in operation.success:
                return status, await self._read_refusal(response, operation.name)
            most = self._config.max_body_bytes
            body, size = await self._read(response, most)
            if size > most:
                cause = f"the body has {size} bytes or more, above the cap of {most}"
                remedy = "raise ACTIVITIES_MAX_BODY_MB if such answers are wanted"
                return status, BodyTooLarge(operation.name, cause, remedy)
            if operation.kind == "login":
                self._clock.learn(response.headers.get("date"), sent)
            return status, body
        finally:
            with suppress(Exception):  # the answer is known, whatever closing says
                await cast("httpx.AsyncByteStream", response.stream).aclose()

    async def _read(self, response: httpx.Response, limit: int) -> tuple[bytes, int]:
        """Return a body, unpacked, and its size; a size above ``limit`` means that the rest was not read.

        Only the one encoding that we ask for is unpacked, and never further than the limit. httpx's own
        decoders have no limit, and take what is packed twice: a thousand times a thousand bytes for one.
        """
        encoding = response.headers.get("content-encoding", "identity").lower()
        if encoding not in ("gzip", "identity"):
            raise httpx.DecodingError("an encoding that was not asked for")
        unpacker = zlib.decompressobj(zlib.MAX_WBITS + 16) if encoding == "gzip" else None
        parts, size = [], 0
        # Not by httpx's layers above the stream, which would cost a third of a GET.
        async for received in cast("AsyncIterable[bytes]", response.stream):
            try:
                part = unpacker.decompress(received, limit - size + 1) if unpacker else received
            except zlib.error as error:
                raise httpx.DecodingError("damaged") from error
            parts.append(part)
            size += len(part)
            if size > limit:
                break
        body = b"".join(parts)[:limit]
        self.counts.bytes_received += len(body)
        return body, size

    async def _read_refusal(self, response: httpx.Response, operation: str) -> ServiceError:
        body = b""
        with suppress(Exception):  # the status says enough, even when the body is cut off
            body, _ = await self._read(response, _ERROR_BODY_LIMIT)
        now = parse_http_date(response.headers.get("date")) or self._clock.timestamp()
        retry_after = parse_retry_after(response.headers.get("retry-after"), now)
        return status_failure(response.status_code, operation, body, retry_after)


def _extend(headers: SecretHeaders, name: bytes, value: bytes) -> SecretHeaders:
    return SecretHeaders([*headers.raw, (name, value)])
