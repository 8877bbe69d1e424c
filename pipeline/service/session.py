"""The session: one token, obtained by one caller at a time, renewed before it ends."""

import asyncio
import copy
import logging
from collections.abc import Awaitable, Callable

from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import ServiceError
from pipeline.service.headers import SecretHeaders, common_headers, with_header
from pipeline.service.models import SessionToken

logger = logging.getLogger(__name__)

#: A token is renewed this long before its end, in seconds, but at most this share of its life.
_MARGIN = 60.0
_MARGIN_SHARE = 0.1
#: So many renewals without effect in a row, and a 401 is no more taken for an early end.
_MOST_FRUITLESS = 3


class Grant:
    """A token in force, as the ready headers of every request that uses it."""

    __slots__ = ("expires_at", "fruitless", "headers", "proven", "renew_at", "token")

    def __init__(self, token: SessionToken, headers: SecretHeaders, now: float) -> None:
        self.token = token
        self.headers = headers
        #: Whether the service has accepted it for anything.
        self.proven = False
        #: Whether it was refused to a request repeated with it.
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
        self._common = common_headers(config, host)
        self._log_in = log_in
        self._clock = clock
        self._grant: Grant | None = None
        self._refusal: ServiceError | None = None
        self._renewing: asyncio.Future[ServiceError | None] | None = None
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
        None when the current token was refused from the first, or renewals have changed nothing
        lately: then it is the request, or access as such, that is refused.
        """
        if refused is self._grant:
            never_good = refused.fruitless and not refused.proven
            if never_good or self._fruitless >= _MOST_FRUITLESS:
                return None
        return await self._renew(refused, refused=True)

    async def renew(self) -> None:
        """Log in again, whatever the current token's age."""
        await self._renew(self._grant, refused=True)

    def repeat_succeeded(self) -> None:
        """Note that a request repeated with a new grant was accepted."""
        self._fruitless = 0

    def repeat_refused(self, grant: Grant, *, was_proven: bool) -> bool:
        """Note that a request repeated with ``grant`` was refused again; return whether for good.

        ``was_proven``: others had used it with success before the request was sent, so that its
        time may simply have been over again.
        """
        over = grant is not self._grant or self._clock.timestamp() >= grant.renew_at
        if was_proven or over:
            return False
        if not grant.fruitless:
            grant.fruitless = True
            self._fruitless += 1
        return True

    async def _renew(self, stale: Grant | None, *, refused: bool) -> Grant:
        """Return another grant than ``stale``, logging in unless somebody else just does."""
        while True:
            if self._grant is not None and self._grant is not stale:
                return self._grant
            if self._refusal is not None:
                raise copy.copy(self._refusal)
            if not refused and (grant := self.current()) is not None:
                return grant  # a failed renewal was put off while we waited
            if self._renewing is None:
                return await self._lead(stale, refused=refused)
            # All who wait wake at once; a lock would let them through one by one, and the last
            # would find the new token old.
            login = self._renewing
            await asyncio.wait([login])
            failure = login.result()
            if failure is not None:
                raise copy.copy(failure)

    async def _lead(self, stale: Grant | None, *, refused: bool) -> Grant:
        """Log in, on behalf of all who wait."""
        self._renewing = login = asyncio.get_running_loop().create_future()
        failure: ServiceError | None = None
        try:
            return self._accept(await self._log_in(), stale)
        except ServiceError as error:
            if stale is not None and not refused and self._put_off(stale, error):
                return stale
            failure = error
            if not error.retryable:
                self._refusal = error
            # Without a token nothing else works either, and what was to carry it was never sent.
            error.fatal, error.not_sent, error.retryable = True, True, False
            raise
        finally:
            self._renewing = None
            login.set_result(failure)

    def _accept(self, token: SessionToken, stale: Grant | None) -> Grant:
        headers = with_header(self._common, "Authorization", f"Bearer {token.token}")
        self._grant = Grant(token, headers, self._clock.timestamp())
        logger.debug("session token renewed" if stale else "session token obtained")
        return self._grant

    def _put_off(self, grant: Grant, failure: ServiceError) -> bool:
        """Go on with what is left of a token whose renewal ahead of time failed, if anything is."""
        now = self._clock.timestamp()
        if not failure.retryable or now >= grant.expires_at:
            return False
        grant.renew_at = now + (grant.expires_at - now) / 2
        logger.debug("%s; the old token still holds", failure)
        return True
