"""One session token for all requests, obtained by one caller at a time (docs/design.md "Session token").

A request asks `TokenProvider` for a token. What happens depends on its state:

=============  ==========================================  =========================================
state          when                                        what the request gets
=============  ==========================================  =========================================
no token       before the first login                      log in, use the new token
usable         the time is before the token's `renew_at`   the token
due            the time is `renew_at` or later             log in, use the new token. If that login
                                                           fails but may work later: the old token,
                                                           due again after half of its remaining time
logging in     one request logs in for all                 wait, then its token or its error
login failed   with its retries, and no token is left      that error: it trips the brake
=============  ==========================================  =========================================

After a 401 the request is repeated once with another token: the provider's, if it has a newer one, or that
of a new login. A second 401 is final, unless the token has served others: then the request may be tried
again later. Logins after a 401 count until a repeated request is accepted, but for those after a token that
is used up: after `_MOST_USELESS` in a row new tokens do not help, and the first 401 is final.
"""

import asyncio
import logging
from dataclasses import dataclass
from functools import partial

import aiohttp

from pipeline.service.brake import Brake
from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import ServiceError
from pipeline.service.exchange import Exchange, SecretHeaders
from pipeline.service.requests import login
from pipeline.service.retry import with_retries

logger = logging.getLogger(__name__)

#: A token is renewed this long before its end, in seconds, but at most this share of its life.
_MARGIN = 60.0
_MARGIN_SHARE = 0.1
_MOST_USELESS = 3


@dataclass(eq=False, slots=True)
class Token:
    """A session token as the ``headers`` of every request that uses it.

    ``expires_at``, ``renew_at``: epoch seconds by the service's clock. ``accepted``: whether a request with
    it was; ``refused``: how many were answered 401 since then.
    """

    headers: SecretHeaders
    expires_at: float
    renew_at: float
    accepted: bool = False
    refused: int = 0

    @property
    def used_up(self) -> bool:
        """Whether it has served its requests; one refusal may be the fault of what was asked for."""
        return self.accepted and self.refused > 1


class TokenProvider:
    """Holds the current ``token``. A login is retried by the policy of ``config``."""

    def __init__(
        self, exchange: Exchange, clock: ServiceClock, config: ServiceConfig, brake: Brake
    ) -> None:
        own = config.credentials
        self._basic = exchange.authorize(aiohttp.encode_basic_auth(own.username, own.password))
        self._exchange = exchange
        self._clock = clock
        self._policy = config.retry
        self._brake = brake
        self.token: Token | None = None
        self._login: asyncio.Future[Token] | None = None
        #: New tokens in a row, after a 401, that did not help.
        self._useless_logins = 0

    async def obtain(self, refused: Token | None = None) -> Token:
        """Return a usable token, another one than ``refused``; log in if needed.

        One login is under way for all who need it. Raises its error, or the one that tripped the brake.
        """
        self._brake.check()
        token = self.token
        if token and token is not refused and self._clock.timestamp() < token.renew_at:
            return token
        if self._login is None or self._login.done():
            is_refused = refused is not None and refused is self.token
            self._login = asyncio.ensure_future(self._replace(refused=is_refused))
        # The login goes on for the others when one who waits for it is cancelled.
        return await asyncio.shield(self._login)

    def has_other(self, token: Token) -> bool:
        """Whether there is another token than one that was answered 401, or a login may help."""
        return token is not self.token or self._useless_logins < _MOST_USELESS

    def helped(self) -> None:
        """Note that a request was accepted when it was repeated after a 401."""
        self._useless_logins = 0

    def close(self) -> None:
        """End a login that nobody waits for any more."""
        if self._login is not None:
            self._login.cancel()

    async def _replace(self, *, refused: bool) -> Token:
        """Log in; ``refused``: because the current token was answered 401."""
        stale = self.token
        try:
            attempt = partial(self._exchange.send, login(), self._basic)
            issued, expires_at = await with_retries(self._policy, attempt, self._brake.sleep)
        except ServiceError as error:
            now = self._clock.timestamp()
            if stale and not refused and error.retryable and now < stale.expires_at:
                # It still holds. It is due again after half of the time that it has left.
                stale.renew_at = now + (stale.expires_at - now) / 2
                logger.debug("%s; the old token is still valid", error)
                return stale
            # Without a token nothing else works, and the request that needed it was never sent.
            error.fatal, error.not_sent, error.retryable = True, True, False
            self._brake.trip(error)
            raise
        self._useless_logins += refused and not (stale and stale.used_up)
        self._exchange.counts.logins += 1
        left = expires_at - self._clock.timestamp()
        # One that came expired is never due: the service decides, and a 401 leads to a login.
        margin = min(_MARGIN, left * _MARGIN_SHARE) if left > 0 else float("-inf")
        headers = self._exchange.authorize(f"Bearer {issued}")
        self.token = Token(headers, expires_at, expires_at - margin)
        logger.debug("session token renewed" if stale else "session token obtained")
        return self.token
