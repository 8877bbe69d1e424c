"""One exchange with the service: a request out, and an answer in or one of our errors.

This is the only place that sends. It knows nothing of tokens, retries or pace.
"""

import asyncio
import zlib
from collections import Counter
from collections.abc import AsyncIterable, Container
from contextlib import suppress
from dataclasses import dataclass, field
from typing import cast

import httpx

from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import BodyTooLarge, ServiceError, failure_of, status_failure
from pipeline.service.retry import parse_http_date, parse_retry_after
from pipeline.service.transport import open_transports

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


class Exchange:
    """Sends requests within the times and sizes of the configuration. ``host``: as errors name it."""

    def __init__(self, config: ServiceConfig, host: str, clock: ServiceClock) -> None:
        self.counts = RequestCounts()
        self._transports = open_transports(config)
        self._host = host
        self._clock = clock
        self._largest_body = config.max_body_bytes
        self._total_timeout = config.total_timeout

    async def send(
        self, request: httpx.Request, kind: str, operation: str, success: Container[int]
    ) -> tuple[bytes, httpx.Headers]:
        """Send once; return the decoded body and the headers of an answer of ``success``.

        Raises `ServiceError`, which names ``operation``. The answer is counted under ``kind``.
        """
        try:
            async with asyncio.timeout(self._total_timeout):
                status, answer = await self._exchange(request, operation, success)
        except Exception as error:  # a library may let anything through
            status, answer = 0, failure_of(error, operation, self._host)
        self.counts.answers[kind, status] += 1
        # Raised out here, so that no library's exception or response with headers hangs on it.
        if isinstance(answer, ServiceError):
            raise answer
        return answer

    async def aclose(self) -> None:
        """Close all connections."""
        for transport in self._transports.values():
            await transport.aclose()

    async def _exchange(
        self, request: httpx.Request, operation: str, success: Container[int]
    ) -> tuple[int, tuple[bytes, httpx.Headers] | ServiceError]:
        response = await self._transports[request.method].handle_async_request(request)
        status = response.status_code
        try:
            if status not in success:
                return status, await self._read_refusal(response, operation)
            body, size = await self._read(response, self._largest_body)
            if size > self._largest_body:
                cause = f"the body has {size} bytes or more, above the cap of {self._largest_body}"
                remedy = "raise ACTIVITIES_MAX_BODY_MB if such answers are wanted"
                return status, BodyTooLarge(operation, cause, remedy)
            return status, (body, response.headers)
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
        date = parse_http_date(response.headers.get("date"))
        now = self._clock.timestamp() if date is None else date
        retry_after = parse_retry_after(response.headers.get("retry-after"), now)
        return status_failure(response.status_code, operation, body, retry_after)
