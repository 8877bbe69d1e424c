"""One exchange with the service: a request out, an answer in, or one of our errors.

The only place that sends. It knows nothing of tokens, repetition or pace.
"""

import asyncio
from contextlib import suppress

import httpx

from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.counts import RequestCounts
from pipeline.service.errors import BodyTooLarge, ServiceError
from pipeline.service.failures import failure_of, status_failure
from pipeline.service.retry import parse_http_date, parse_retry_after
from pipeline.service.transport import HttpClient, Wires

#: Most bytes read of an error's body.
_ERROR_BODY_LIMIT = 64 * 2**10


class Exchange:
    """Sends requests and reads answers, within the time and size the configuration allows.

    ``host``: what errors call the service. Raises ValueError for a proxy it cannot speak to.
    """

    def __init__(
        self, config: ServiceConfig, host: str, clock: ServiceClock, counts: RequestCounts
    ) -> None:
        wires = Wires(config)
        self._fast = wires.fast_client()
        self._stock = wires.stock_client()
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

    async def get(self, url: httpx.URL, headers: httpx.Headers, operation: str) -> bytes:
        """GET; return the decoded body of a 200. Raises `ServiceError`."""
        # A ready stream spares httpx the search for a body and for headers that are all there.
        request = httpx.Request(
            "GET", url, headers=headers, stream=httpx.ByteStream(b""), extensions=self._extensions
        )
        request.read()
        _, body = await self._send(self._fast, request, operation, (200, 200))
        return body

    async def post(
        self,
        url: httpx.URL,
        headers: httpx.Headers,
        operation: str,
        content: bytes,
        expected: tuple[int, int],
    ) -> tuple[httpx.Response, bytes]:
        """POST, once; return the answer and its body.

        ``expected``: lowest and highest status of success. Raises `ServiceError`.
        """
        request = httpx.Request(
            "POST", url, headers=headers, content=content, extensions=self._extensions
        )
        return await self._send(self._stock, request, operation, expected)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._fast.aclose()
        await self._stock.aclose()

    async def _send(
        self, client: HttpClient, request: httpx.Request, operation: str, expected: tuple[int, int]
    ) -> tuple[httpx.Response, bytes]:
        response: httpx.Response | None = None
        failure: ServiceError | None = None
        try:
            async with asyncio.timeout(self._total):
                response = await client.send(request, stream=True)
                status = response.status_code
                self._counts.statuses[status] += 1
                if expected[0] <= status <= expected[1]:
                    body, size = await _read(response, self._most)
                    self._counts.bytes_received += len(body)
                    if size <= self._most:
                        return response, body
                    failure = self._too_large(operation, size)
                else:
                    failure = await self._refusal(response, operation)
        except Exception as error:  # what the libraries let through has no common base
            failure = failure_of(error, operation, self._host)
        finally:
            if response is not None and not response.is_closed:
                with suppress(Exception):
                    await response.aclose()
        # Raised out here, so that no exception with a request in it hangs on as its context.
        raise failure

    def _too_large(self, operation: str, size: int) -> BodyTooLarge:
        failure = BodyTooLarge(
            operation,
            f"the body has {size} bytes or more, above the cap of {self._most}",
            "raise ACTIVITIES_MAX_BODY_MB if such answers are wanted",
        )
        failure.size = size
        return failure

    async def _refusal(self, response: httpx.Response, operation: str) -> ServiceError:
        body = b""
        with suppress(Exception):  # the status says it all, even when the rest is cut off
            body, _ = await _read(response, _ERROR_BODY_LIMIT)
            self._counts.bytes_received += len(body)
        headers = response.headers
        date = parse_http_date(headers.get("date"))
        now = self._clock.timestamp() if date is None else date
        retry_after = parse_retry_after(headers.get("retry-after"), now)
        return status_failure(response.status_code, operation, body, retry_after)


async def _read(response: httpx.Response, limit: int) -> tuple[bytes, int]:
    """Return the decoded body and its size; a size above ``limit`` means that it was given up."""
    headers = response.headers
    length = headers.get("content-length", "")
    if length.isdecimal() and "content-encoding" not in headers:
        if int(length) > limit:
            return b"", int(length)
        return await response.aread(), int(length)
    pieces = []
    size = 0
    async for piece in response.aiter_bytes():
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            break
    return b"".join(pieces)[:limit], size
