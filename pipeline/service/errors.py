"""Everything that can go wrong between us and the service, as one tree.

::

    ServiceError
    ├── Unreachable            no connection: name, refused, TLS          retried (not a bad certificate)
    ├── TimedOut               connected or connecting, no answer in time  retried
    ├── ConnectionLost         reset, closed, body cut off                 retried
    ├── MalformedResponse      success status, body is not JSON  .body     retried
    ├── UnexpectedShape        JSON of a wrong shape or type     .body
    ├── BodyTooLarge           decoded body above the cap        .size
    ├── UnaddressableId        an id that cannot stand in a path; nothing was sent
    ├── StatusError            any other status                  .status
    │   ├── BadRequest         400                               .body
    │   ├── Unauthorized       401, also with a new token
    │   ├── Forbidden          403
    │   ├── NotFound           404
    │   ├── RateLimited        429                               .retry_after  retried
    │   ├── ServerFault        5xx                               .retry_after  500, 502-504 retried
    │   ├── UnexpectedStatus   3xx, other 4xx, a success that is none of the operation's
    │   └── LoginRefused       remembered: never a second attempt          fatal
    │       ├── CredentialsRefused 401 at login: username or password
    │       └── KeyRefused     403 at login: API key
    ├── AccessLost             token and key refused again and again       fatal
    └── Outage                 most requests fail: the brake               fatal

``str()`` is one line: the operation, the cause, and what a person can do. No error carries a secret,
a header or text of a body in its ``str``, ``repr``, ``args`` or chain; ``.body`` is an attribute only.
All of them survive ``copy`` and ``pickle``.
"""


class ServiceError(Exception):
    """Base of all errors of the service's client.

    ``fatal``: no further request of this client can succeed; stop the run instead of blaming the
    activity asked for. True by class, and on any error of the login once its retries are used up.
    ``retryable``: worth another attempt when the operation may be repeated at all.
    ``not_sent``: it is certain that the service did not receive the request. Never inferred from
    a doubtful case; a creation that failed with False may have taken effect.
    """

    fatal: bool = False
    retryable: bool = False
    not_sent: bool = False

    def __init__(self, operation: str, cause: str, remedy: str = "") -> None:
        super().__init__(operation, cause, remedy)
        self.operation = operation
        self.cause = cause
        self.remedy = remedy

    def __str__(self) -> str:
        text = f"{self.operation}: {self.cause}"
        return f"{text}; {self.remedy}" if self.remedy else text


class Unreachable(ServiceError):
    """No connection could be made: name not found, refused, network, proxy or TLS."""

    retryable = True
    not_sent = True


class TimedOut(ServiceError):
    """No answer in time. ``not_sent`` is True when the time went by while connecting."""

    retryable = True


class ConnectionLost(ServiceError):
    """The connection broke before the whole answer was there."""

    retryable = True


class MalformedResponse(ServiceError):
    """A success status whose body is no JSON text: HTML, cut off, empty. ``body`` is what came."""

    retryable = True
    body: bytes = b""


class UnexpectedShape(ServiceError):
    """JSON that does not have the specified shape. ``body`` is the offending text as received."""

    body: bytes = b""


class BodyTooLarge(ServiceError):
    """The decoded body exceeds the cap.

    ``size``: bytes, as announced by the service, else as read until it was given up.
    """

    size: int = 0


class UnaddressableId(ServiceError):
    """An activity id that no path can carry unchanged (empty, ``.``, ``..``, not encodable)."""

    not_sent = True


class StatusError(ServiceError):
    """An answer whose status is an error of the operation. ``length``: bytes of its body."""

    status: int = 0
    length: int = 0


class BadRequest(StatusError):
    """400. ``body`` holds the answer's body (at most 64 KiB); it may hold personal values."""

    status = 400
    body: bytes = b""


class Unauthorized(StatusError):
    """401 that a new token did not cure."""

    status = 401


class Forbidden(StatusError):
    """403: no access to this resource."""

    status = 403


class NotFound(StatusError):
    """404."""

    status = 404


class RateLimited(StatusError):
    """429. ``retry_after``: seconds the service asked for, or None."""

    status = 429
    retryable = True
    retry_after: float | None = None


class ServerFault(StatusError):
    """5xx. ``retry_after``: seconds the service asked for, or None. 500, 502, 503, 504 are retryable."""

    status = 500
    retryable = True
    retry_after: float | None = None


class UnexpectedStatus(StatusError):
    """A status that is neither success nor one of the errors above, such as a redirection."""


class LoginRefused(StatusError):
    """The service refused the login. Remembered by the client: it never tries a second time."""

    fatal = True
    not_sent = True


class CredentialsRefused(LoginRefused):
    """401 at login: username or password."""

    status = 401


class KeyRefused(LoginRefused):
    """403 at login: the API key (or credentials without access)."""

    status = 403


class AccessLost(ServiceError):
    """Token and key are refused for one request after another, and a new token did not help."""

    fatal = True
    not_sent = True


class Outage(ServiceError):
    """Most requests fail: the client stopped asking. Nothing is known against any one activity."""

    fatal = True
    not_sent = True


#: Statuses of the service worth another attempt (besides 429).
RETRYABLE_FAULTS = frozenset({500, 502, 503, 504})
