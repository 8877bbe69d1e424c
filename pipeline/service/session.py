"""The session: one token, obtained by one caller at a time, renewed before it ends."""

import asyncio
import base64
import copy
import logging
from collections.abc import Awaitable, Callable

import httpx

from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import ServiceError
from pipeline.service.models import SessionToken

logger = logging.getLogger(__name__)

#: A token is renewed this long before its end, in seconds, but at most this share of its life.
_MARGIN = 60.0
_MARGIN_SHARE = 0.1
#: So many renewals without effect in a row, and a 401 is no more taken for an early end.
_MOST_FRUITLESS = 3


class Grant:
    """A token in force, as the ready headers of every request that uses it."""

    __slots__ = ("expires_at", "fruitless", "headers", "renew_at", "token")

    def __init__(self, token: SessionToken, headers: httpx.Headers, now: float) -> None:
        self.token = token
        self.headers = headers
        self.fruitless = False
        #: Epoch seconds of the service's clock. A token that came expired is used as it is: the
        #: service decides, and its 401 is answered by a renewal.
        self.expires_at = token.expires_at / 1000
        left = self.expires_at - now
        if left > 0:
            self.renew_at = self.expires_at - min(_MARGIN, left * _MARGIN_SHARE)
        else:
            self.renew_at = float("inf")


class Session:
    """Holds the current `Grant`; ``log_in`` asks the service for a token, with its own retries."""

    def __init__(
        self,
        config: ServiceConfig,
        host: str,
        clock: ServiceClock,
        log_in: Callable[[], Awaitable[SessionToken]],
    ) -> None:
        self._common = _common_headers(config, host)
        self._log_in = log_in
        self._clock = clock
        self._lock = asyncio.Lock()
        self._grant: Grant | None = None
        self._refusal: ServiceError | None = None
        self._tried = 0
        self._last_failure: ServiceError | None = None
        self._fruitless = 0

    def current(self) -> Grant | None:
        """Return the grant when it is good for a request now, else None: then `obtain` one."""
        grant = self._grant
        if grant is not None and self._clock.timestamp() < grant.renew_at:
            return grant
        return None

    async def obtain(self) -> Grant:
        """Return a good grant, logging in for it when needed. Raises the login's error."""
        return self.current() or await self._renew(self._grant, refused=False)

    async def after_refusal(self, refused: Grant) -> Grant | None:
        """Return the grant with which a request answered 401 is worth repeating.

        One caller renews while the others wait; who comes after a renewal just gets its grant.
        None when renewals have changed nothing lately: then it is the request that is refused.
        """
        if self._fruitless >= _MOST_FRUITLESS and self._grant is refused:
            return None
        return await self._renew(refused, refused=True)

    async def renew(self) -> None:
        """Log in again, whatever the current token's age."""
        await self._renew(self._grant, refused=True)

    def repeated(self, grant: Grant, *, refused: bool) -> bool:
        """Note how a repeated request fared; return whether its refusal is final."""
        if not refused:
            self._fruitless = 0
            return False
        if grant is not self._grant or self._clock.timestamp() >= grant.renew_at:
            return False  # its time was over meanwhile
        if not grant.fruitless:
            grant.fruitless = True
            self._fruitless += 1
        return True

    async def _renew(self, stale: Grant | None, *, refused: bool) -> Grant:
        tried = self._tried
        async with self._lock:
            if self._grant is not None and self._grant is not stale:
                return self._grant
            if not refused and (grant := self.current()) is not None:
                return grant  # a failed renewal was put off while we waited
            if self._refusal is not None:
                raise copy.copy(self._refusal)
            if self._last_failure is not None and self._tried != tried:
                raise copy.copy(self._last_failure)  # of the login we have just waited for
            try:
                token = await self._log_in()
            except ServiceError as error:
                failure = error
            else:
                return self._accept(token, stale)
            self._tried += 1
            return self._bear(failure, stale, refused=refused)

    def _accept(self, token: SessionToken, stale: Grant | None) -> Grant:
        self._tried += 1
        self._last_failure = None
        headers = with_header(self._common, "Authorization", f"Bearer {token.token}")
        self._grant = Grant(token, headers, self._clock.timestamp())
        logger.debug("session token renewed" if stale else "session token obtained")
        return self._grant

    def _bear(self, failure: ServiceError, stale: Grant | None, *, refused: bool) -> Grant:
        """Go on with what is left of the old token when it was renewed ahead of time, else raise."""
        now = self._clock.timestamp()
        if failure.retryable and stale is not None and not refused and now < stale.expires_at:
            stale.renew_at = now + (stale.expires_at - now) / 2
            logger.debug("%s; the old token still holds", failure)
            return stale
        if not failure.retryable:
            self._refusal = failure
        self._last_failure = failure
        # Without a token nothing else works either, and what was to be sent with it never was.
        failure.fatal, failure.not_sent, failure.retryable = True, True, False
        raise failure


def basic_headers(config: ServiceConfig, host: str) -> httpx.Headers:
    """Return the headers of the token operation (4.1)."""
    secret = f"{config.credentials.username}:{config.credentials.password}".encode()
    blob = base64.b64encode(secret).decode("ascii")
    return with_header(_common_headers(config, host), "Authorization", f"Basic {blob}")


def _common_headers(config: ServiceConfig, host: str) -> httpx.Headers:
    """Return what every request carries. Raises ValueError for what no header can."""
    credentials = config.credentials
    if ":" in credentials.username:
        raise ValueError("the username must not contain a colon")
    headers: list[tuple[bytes, bytes]] = []
    for name, label, value in (
        ("Host", "host", host),
        ("Accept", "accepted type", "application/json"),
        ("Accept-Encoding", "accepted encoding", "gzip"),
        ("User-Agent", "user agent", "activity-warehouse"),
        ("x-api-key", "API key", credentials.api_key),
        ("x-pvt-timezone", "time zone", config.timezone),
    ):
        encoded = value.strip().encode()
        if not encoded or any(byte < 32 or byte == 127 for byte in encoded):
            raise ValueError(f"the {label} is empty or holds a control character")
        headers.append((name.encode(), encoded))
    return SecretHeaders(headers)


def with_header(headers: httpx.Headers, name: str, value: str) -> httpx.Headers:
    """Return the headers and one more."""
    return SecretHeaders([*headers.raw, (name.encode(), value.encode())])


class SecretHeaders(httpx.Headers):
    """Headers whose repr shows names only."""

    def __repr__(self) -> str:
        return f"SecretHeaders({', '.join(self.keys())})"
