"""Everything that can go wrong between us and the service, as one tree, and how it is recognized.

::

    ServiceError
    ├── Unreachable            no connection: name, refused, TLS, time     retried (not a bad certificate)
    ├── NoAnswer               none in time, reset, closed, body cut off   retried
    ├── UnexpectedShape        JSON of a wrong shape or type     .body
    │   └── MalformedResponse  success status, body is not JSON            retried
    ├── BodyTooLarge           decoded body above the cap
    ├── UnaddressableId        an id that cannot stand in a path; nothing was sent
    ├── StatusError            any other status: 3xx, other 4xx, 5xx, a    408, 425, 429, 5xx retried
    │   │                      success that is not the operation's         .status, .body of 400 and 422
    │   ├── BadRequest         400
    │   ├── Unauthorized       401, also with a new token
    │   ├── Forbidden          403
    │   └── NotFound           404, 410
    ├── LoginRefused           401 or 403 at login: never a second attempt fatal
    ├── AccessLost             token and key refused again and again       fatal
    └── Outage                 all requests fail: the brake                fatal

`failure_of` makes them from aiohttp's exceptions, `status_failure` from statuses (docs/service.md 7).

``str()`` is one line: the operation, the cause, and what a person can do. No error carries a secret,
a header or text of a body in its ``str``, ``repr``, ``args`` or chain; ``.body`` is an attribute only.
All of them survive ``copy`` and ``pickle``.
"""

import errno
import os

import aiohttp

#: Gateways have numbers of their own, such as 520 to 529.
_RETRIED = frozenset({408, 425, 429, *range(500, 600)} - {501, 505})
_CHECK_ADDRESS = "check the base URL and the network"
_CHECK_PROXY = "check HTTPS_PROXY, HTTP_PROXY and NO_PROXY"
_CHECK_CREDENTIALS = "check the credentials; it is not tried again, since accounts get locked"
_ASK_LESS = "set a lower ACTIVITIES_REQUESTS_PER_SECOND or ACTIVITIES_MAX_CONCURRENCY"
_RAISE_FILES = "raise the limit of open files (ulimit -n), or lower ACTIVITIES_MAX_CONCURRENCY"
_NAME_AUTHORITY = "check the base URL, or name the certificate authority with SSL_CERT_FILE"


class ServiceError(Exception):
    """Base of all errors of the service's client.

    ``fatal``: no further request of this client can succeed; stop the run instead of blaming the
    activity asked for. True by class, and on any error of the login once its retries are used up.
    ``retryable``: worth another attempt when the operation may be repeated at all.
    ``not_sent``: it is certain that the service did not receive the request. Never inferred from
    a doubtful case; a creation that failed with False may have taken effect.
    ``service_failing``: shows that the service fails, rather than something about this one request.
    ``retry_after``: seconds that the service asked to wait, or None; the policy limits what is waited.
    ``proxy``: ``host:port`` of the proxy that the request went through, which may be what fails.
    ``status``: of an answer whose status is the error, else 0.
    ``body``: the answer as received, if its shape is wrong; of a 400 or 422 at most 64 KiB. It may hold
    personal values. Empty for a login.
    """

    fatal: bool = False
    retryable: bool = False
    not_sent: bool = False
    service_failing: bool = False
    retry_after: float | None = None
    proxy: str = ""
    status: int = 0
    body: bytes = b""

    def __init__(self, operation: str, cause: str, remedy: str = "") -> None:
        super().__init__(operation, cause, remedy)
        self.operation = operation
        self.cause = cause
        self.remedy = remedy

    def __str__(self) -> str:
        through = f" (through the proxy {self.proxy})" if self.proxy else ""
        text = f"{self.operation}: {self.cause}{through}"
        return f"{text}; {self.remedy}" if self.remedy else text


class _Failing(ServiceError):
    """The service fails, perhaps not for long."""

    retryable = True
    service_failing = True


class Unreachable(_Failing):
    """No connection could be made: name not found, refused, not in time, network, proxy or TLS."""

    not_sent = True


class NoAnswer(_Failing):
    """The service may have received the request. No answer came in time, or only a part of it."""


class UnexpectedShape(ServiceError):
    """A body that does not have the specified shape."""


class MalformedResponse(UnexpectedShape, _Failing):
    """A body that is no JSON text: HTML, cut off, empty."""


class BodyTooLarge(ServiceError):
    """The decoded body exceeds the cap."""


class UnaddressableId(ServiceError):
    """An activity id that no path can carry unchanged (empty, ``.``, ``..``, not encodable)."""

    not_sent = True


class StatusError(ServiceError):
    """An answer whose status is not a success of the operation; `status_failure` makes them."""


class BadRequest(StatusError):
    """400."""


class Unauthorized(StatusError):
    """401 that a new token did not cure."""


class Forbidden(StatusError):
    """403: no access to this resource."""


class NotFound(StatusError):
    """404, or 410."""


class _Fatal(ServiceError):
    """No further request of the client is sent, nor was this one."""

    fatal = True
    not_sent = True


class LoginRefused(_Fatal):
    """The service refused the login. Remembered by the client: it never tries a second time."""


class AccessLost(_Fatal):
    """Token and key are refused for one request after another, and a new token did not help."""


class Outage(_Fatal):
    """All requests fail: the client stopped asking. Nothing is known against any one activity."""


def failure_of(error: Exception, operation: str, host: str) -> ServiceError:
    """Return our error for an exception of aiohttp, or of what aiohttp lets through. It names ``host``.

    Nothing of the exception itself is kept: it may hold a request with its headers, a proxy's
    password, or text of a body.
    """
    nowhere = f"no connection to {host}"
    match error:
        case aiohttp.ConnectionTimeoutError():
            return Unreachable(operation, f"{nowhere} in time", _CHECK_ADDRESS)
        case TimeoutError():
            return NoAnswer(operation, "no answer in time")
        case aiohttp.ClientProxyConnectionError():
            return Unreachable(operation, f"the proxy gives {nowhere}", _CHECK_PROXY)
        case aiohttp.ClientHttpProxyError(status=status):  # its answer to CONNECT
            return Unreachable(operation, f"the proxy gives {nowhere} ({status})", _CHECK_PROXY)
        case aiohttp.ClientConnectorCertificateError():
            cause = f"{nowhere} (its TLS certificate is not trusted)"
            untrusted = Unreachable(operation, cause, _NAME_AUTHORITY)
            untrusted.retryable = False
            return untrusted
        case aiohttp.ClientSSLError():
            why = "TLS failed"
        case aiohttp.ClientConnectorDNSError():
            why = "the name cannot be resolved"
        case aiohttp.ClientConnectorError(os_error=OSError(errno=int(number))):
            why = os.strerror(number).lower()
            if number in (errno.EMFILE, errno.ENFILE):
                return Unreachable(operation, f"{nowhere} ({why})", _RAISE_FILES)
        case aiohttp.ClientConnectorError():
            why = "refused"
        case _:
            name = type(error.__cause__ or error).__name__  # aiohttp wraps most causes
            cause = f"the connection broke before the answer ({name})"
            if isinstance(error, aiohttp.ClientPayloadError):
                cause = f"the answer is cut off, or its compression damaged ({name})"
            return NoAnswer(operation, cause)
    return Unreachable(operation, f"{nowhere} ({why})", _CHECK_ADDRESS)


_Meaning = tuple[type[ServiceError], str, str]

#: By status, else by its hundreds: the class, what happened, and what a person can do.
_STATUS_ERRORS: dict[int, _Meaning] = {
    3: (StatusError, "a redirection, which is never followed", "check the base URL"),
    5: (StatusError, "the service failed", ""),
    400: (BadRequest, "the request holds incorrect values", ""),
    401: (Unauthorized, "the session token is not accepted", ""),
    403: (Forbidden, "no access to this resource", ""),
    404: (NotFound, "the service knows no such resource", ""),
    410: (NotFound, "the service has no such resource any more", ""),
    429: (StatusError, "too many requests", _ASK_LESS),
}
_UNEXPECTED = (StatusError, "an unexpected status", "")
#: What these mean at a login.
_LOGIN_ERRORS: dict[int, _Meaning] = {
    401: (LoginRefused, "the service refuses the username or the password", _CHECK_CREDENTIALS),
    403: (LoginRefused, "the service refuses the API key", _CHECK_CREDENTIALS),
}


def status_failure(
    status: int, operation: str, body: bytes, retry_after: float | None
) -> ServiceError:
    """Return our error for an answer with an error status (docs/service.md 7).

    ``body``: what was read of it; ``retry_after``: seconds the service asked for, or None.
    """
    found = _STATUS_ERRORS.get(status) or _STATUS_ERRORS.get(status // 100, _UNEXPECTED)
    if operation == "login":
        found = _LOGIN_ERRORS.get(status, found)
    kind, meaning, remedy = found
    if status == 429 and retry_after is not None:
        meaning += f", asks to wait {retry_after:.0f} s"
    error = kind(operation, f"{status}, {meaning}", remedy)
    error.status = status
    error.retryable = status in _RETRIED
    # Any other 4xx says something about the request alone, and so does an answer without content.
    error.service_failing = status == 429 or not (status == 204 or 400 <= status < 500)
    error.retry_after = retry_after
    if status in (400, 422):
        error.body = body
    return error
