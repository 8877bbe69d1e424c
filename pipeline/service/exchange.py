"""One exchange with the service: a request out, an answer in, or one of our errors.

The only place that sends. It knows nothing of tokens, repetition or pace.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress

import aiohttp
import httpx
from yarl import URL

from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.counts import RequestCounts
from pipeline.service.errors import BodyTooLarge, ServiceError
from pipeline.service.failures import failure_of, status_failure
from pipeline.service.headers import SecretHeaders
from pipeline.service.retry import parse_http_date, parse_retry_after
from pipeline.service.transport import Wires

#: Most bytes read of an error's body.
_ERROR_BODY_LIMIT = 64 * 2**10


class Exchange:
    """Sends requests and reads answers, within the time and size the configuration allows.

    ``host``: what errors call the service. Raises ValueError for a proxy it cannot speak to.
    """

    def __init__(
        self, config: ServiceConfig, host: str, clock: ServiceClock, counts: RequestCounts
    ) -> None:
        self._wires = Wires(config)
        self._fast: aiohttp.ClientSession | None = None
        self._stock = self._wires.stock_client()
        self._host = host
        self._clock = clock
        self._counts = counts
        self._most = config.max_body_bytes
        self._total = config.total_timeout
        self._extensions = {
            "timeout": httpx.Timeout(
                config.read_timeout, connect=config.connect_timeout, pool=None
            ).as_dict()
        }

    async def get(self, url: URL, headers: SecretHeaders, operation: str) -> bytes:
        """GET; return the decoded body of a 200. Raises `ServiceError`."""
        try:
            answer = await self._get(url, headers, operation)
        except Exception as error:  # what the library lets through has no common base
            answer = failure_of(error, operation, self._host)
        # Raised out here, where nothing that shows headers can hang on: no response, no context.
        if isinstance(answer, ServiceError):
            raise answer
        return answer

    async def _get(self, url: URL, headers: SecretHeaders, operation: str) -> bytes | ServiceError:
        if self._fast is None:
            self._fast = self._wires.fast_client()
        async with self._fast.get(url, headers=headers, allow_redirects=False) as response:
            self._counts.statuses[response.status] += 1
            if response.status != 200:
                pieces = response.content.iter_any()
                return await self._refusal(response.status, response.headers, pieces, operation)
            body, size = await self._body(response)
            return body if size <= self._most else self._too_large(operation, size)

    async def post(
        self,
        url: httpx.URL,
        headers: SecretHeaders,
        operation: str,
        content: bytes,
        expected: tuple[int, int],
    ) -> tuple[httpx.Response, bytes]:
        """POST, once; return the answer and its body.

        ``expected``: lowest and highest status of success. Raises `ServiceError`.
        """
        request = httpx.Request(
            "POST", url, headers=headers.raw, content=content, extensions=self._extensions
        )
        response: httpx.Response | None = None
        try:
            async with asyncio.timeout(self._total):
                response = await self._stock.send(request, stream=True)
                status = response.status_code
                self._counts.statuses[status] += 1
                pieces = response.aiter_bytes()
                if expected[0] <= status <= expected[1]:
                    body, size = await _joined(pieces, self._most)
                    self._counts.bytes_received += len(body)
                    if size <= self._most:
                        return response, body
                    failure: ServiceError = self._too_large(operation, size)
                else:
                    failure = await self._refusal(status, response.headers, pieces, operation)
        except Exception as error:  # what the library lets through has no common base
            failure = failure_of(error, operation, self._host)
        finally:
            if response is not None and not response.is_closed:
                with suppress(Exception):
                    await response.aclose()
        raise failure

    async def aclose(self) -> None:
        """Close all connections."""
        if self._fast is not None:
            await self._fast.close()
        await self._stock.aclose()

    async def _body(self, response: aiohttp.ClientResponse) -> tuple[bytes, int]:
        """Return the decoded body and its size; what is too large is not read to its end."""
        length = response.content_length
        if length is None or "Content-Encoding" in response.headers:
            body, size = await _joined(response.content.iter_any(), self._most)
        elif length <= self._most:
            body, size = await response.read(), length
        else:
            body, size = b"", length
        self._counts.bytes_received += len(body)
        return body, size

    def _too_large(self, operation: str, size: int) -> BodyTooLarge:
        failure = BodyTooLarge(
            operation,
            f"the body has {size} bytes or more, above the cap of {self._most}",
            "raise ACTIVITIES_MAX_BODY_MB if such answers are wanted",
        )
        failure.size = size
        return failure

    async def _refusal(
        self, status: int, headers: Mapping[str, str], pieces: AsyncIterator[bytes], operation: str
    ) -> ServiceError:
        body = b""
        with suppress(Exception):  # the status says it all, even when the rest is cut off
            body, _ = await _joined(pieces, _ERROR_BODY_LIMIT)
            self._counts.bytes_received += len(body)
        date = parse_http_date(headers.get("date"))
        now = self._clock.timestamp() if date is None else date
        retry_after = parse_retry_after(headers.get("retry-after"), now)
        return status_failure(status, operation, body, retry_after)


async def _joined(pieces: AsyncIterator[bytes], limit: int) -> tuple[bytes, int]:
    """Return a body and its size; a size above ``limit`` means that the rest was not read."""
    parts = []
    size = 0
    async for piece in pieces:
        parts.append(piece)
        size += len(piece)
        if size > limit:
            break
    return b"".join(parts)[:limit], size
