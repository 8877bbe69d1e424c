"""What the HTTP libraries' exceptions and the service's error statuses mean, as our errors.

Nothing of the original exception is kept: it may hold a request with its headers, a URL with a
proxy's password, or text of a body.
"""

import os
import socket
import ssl
from collections.abc import Iterator

import aiohttp
import httpx
from aiohttp.http_exceptions import ContentEncodingError

from pipeline.service.errors import (
    RETRYABLE_FAULTS,
    BadRequest,
    ConnectionLost,
    Forbidden,
    MalformedResponse,
    NotFound,
    RateLimited,
    ServerFault,
    ServiceError,
    StatusError,
    TimedOut,
    Unauthorized,
    UnexpectedStatus,
    Unreachable,
)

_PROXY_ERRORS = (
    aiohttp.ClientProxyConnectionError,
    aiohttp.ClientHttpProxyError,
    httpx.ProxyError,
)
_CHECK_ADDRESS = "check the base URL and the network"


def failure_of(error: Exception, operation: str, host: str) -> ServiceError:
    """Return our error for an exception out of httpx or aiohttp. ``host`` is named in it."""
    if isinstance(error, (aiohttp.ConnectionTimeoutError, httpx.ConnectTimeout, httpx.PoolTimeout)):
        slow = TimedOut(operation, f"no connection to {host} in time", _CHECK_ADDRESS)
        slow.not_sent = True
        return slow
    if isinstance(error, (httpx.TimeoutException, TimeoutError)):
        return TimedOut(operation, "no answer in time")
    if isinstance(error, _PROXY_ERRORS):
        return Unreachable(operation, f"the proxy gives no connection to {host}", "check the proxy")
    if isinstance(error, (aiohttp.ClientConnectorError, httpx.ConnectError)):
        return _unreachable(error, operation, host)
    if isinstance(error, (aiohttp.InvalidURL, httpx.UnsupportedProtocol, httpx.InvalidURL)):
        wrong = Unreachable(operation, "the base URL is none of HTTP", "check the base URL")
        wrong.retryable = False
        return wrong
    if any(
        isinstance(cause, (ContentEncodingError, httpx.DecodingError)) for cause in _chain(error)
    ):
        return MalformedResponse(operation, "the answer's compression is damaged")
    return ConnectionLost(operation, f"the connection broke before the answer ({_name(error)})")


def status_failure(
    status: int, operation: str, body: bytes, retry_after: float | None
) -> StatusError:
    """Return our error for an answer with an error status (specification section 7)."""
    error: StatusError
    match status:
        case 400:
            error = bad = BadRequest(operation, "400, the request holds incorrect values")
            bad.body = body
        case 401:
            error = Unauthorized(operation, "401, the session token is not accepted")
        case 403:
            error = Forbidden(operation, "403, no access to this resource")
        case 404:
            error = NotFound(operation, "404, the service knows no such resource")
        case 429:
            asked = "" if retry_after is None else f", asks to wait {retry_after:.0f} s"
            error = limited = RateLimited(operation, f"429, too many requests{asked}")
            limited.retry_after = retry_after
        case _ if 500 <= status < 600:
            error = fault = ServerFault(operation, f"{status}, the service failed")
            fault.retryable = status in RETRYABLE_FAULTS
            fault.retry_after = retry_after
        case _ if 300 <= status < 400:
            error = UnexpectedStatus(
                operation,
                f"{status}, a redirection, which is never followed",
                "check the base URL",
            )
        case _:
            error = UnexpectedStatus(operation, f"unexpected status {status}")
    error.status = status
    error.length = len(body)
    return error


def _unreachable(root: Exception, operation: str, host: str) -> Unreachable:
    retryable = True
    remedy = _CHECK_ADDRESS
    causes = list(_chain(root))
    systems = [cause for cause in causes if isinstance(cause, OSError) and cause.errno]
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        why, retryable = "its TLS certificate is not trusted", False
        remedy = "check the base URL, or name the certificate authority with SSL_CERT_FILE"
    elif any(isinstance(cause, ssl.SSLError) for cause in causes):
        why = "TLS failed"
    elif any(
        isinstance(cause, (socket.gaierror, aiohttp.ClientConnectorDNSError)) for cause in causes
    ):
        why = "the name cannot be resolved"
    elif systems:
        why = os.strerror(abs(systems[-1].errno or 0)).lower()
    else:
        why = "refused"
    failure = Unreachable(operation, f"no connection to {host} ({why})", remedy)
    failure.retryable = retryable
    return failure


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Walk what an exception was raised from, and the system's error that aiohttp keeps aside."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        kept = getattr(error, "os_error", None)
        if isinstance(kept, OSError):
            yield kept
        error = error.__cause__ or error.__context__


def _name(error: BaseException) -> str:
    return type(error).__name__
