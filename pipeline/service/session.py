"""The session: one token for all requests, obtained by one caller at a time (docs/design.md "Session").

A request asks the session for a token. What happens depends on the session:

=============  ==========================================  =========================================
session        when                                        what the request gets
=============  ==========================================  =========================================
no token       before the first login                      log in, use the new token
usable         the time is before the token's `renew_at`   the token
due            the time is `renew_at` or later             log in, use the new token. If that login
                                                           fails but may work later: the old token,
                                                           due again after half of its remaining time
logging in     one request logs in for all                 wait, then its token or its error
login refused  a login failed, and no other can work       that error, without asking again
=============  ==========================================  =========================================

A token knows what the service said to it:

=======  ==================================  =======================================================
token    meaning                             leaves this state by
=======  ==================================  =======================================================
NEW      not accepted yet                    an accepted request: TRUSTED. A 401 to a request that is
                                             repeated with it: DOUBTED
TRUSTED  accepted at least once              nothing
DOUBTED  a 401 although it was new           an accepted request: TRUSTED
=======  ==================================  =======================================================

After a 401 the request is repeated with another token, or it fails. The first row that fits counts:

==============================================================  ====================================
what was refused                                                what happens
==============================================================  ====================================
a repeated request, with a usable token that was not TRUSTED    it fails: a new token did not help
when it was sent
a token that the session has replaced since                     repeat with the session's token
a DOUBTED token                                                 it fails: new tokens do not help
any token, after `_MOST_USELESS` logins of this kind in a row   it fails
without one repeated request accepted since
any other                                                       log in and repeat
==============================================================  ====================================
"""

import asyncio
import copy
import logging
from contextlib import suppress
from enum import Enum

from pipeline.service.clock import ServiceClock
from pipeline.service.errors import (
    Forbidden,
    LoginRefused,
    ServiceError,
    StatusError,
    Unauthorized,
    UnexpectedShape,
)
from pipeline.service.exchange import Exchange
from pipeline.service.instants import milliseconds
from pipeline.service.models import SessionToken, token_reader
from pipeline.service.requests import RequestBuilder, SecretHeaders
from pipeline.service.retry import RetryPolicy, Sleep, persist

logger = logging.getLogger(__name__)

#: A token is renewed this long before its end, in seconds, but at most this share of its life.
_MARGIN = 60.0
_MARGIN_SHARE = 0.1
#: Epoch milliseconds that no token outlives.
_NEVER = 10**15
_MOST_USELESS = 3
_LOGIN = "login"
_CHECK = "check the credentials; it is not tried again, since accounts get locked"
_SUCCESS = range(200, 300)  # docs/service.md 4.1 names no number


class State(Enum):
    """What the service said to a token."""

    NEW = "not accepted yet"
    TRUSTED = "accepted at least once"
    DOUBTED = "refused although it was new"


class Token:
    """A session token with the headers of every request that uses it.

    ``expires_at``, ``renew_at``: epoch seconds by the service's clock. A token that came expired is never
    due: the service decides, and a 401 leads to a login.
    """

    __slots__ = ("expires_at", "headers", "renew_at", "state")

    def __init__(self, issued: SessionToken, headers: SecretHeaders, now: float) -> None:
        self.headers = headers
        self.state = State.NEW
        self.expires_at = _expiry(issued) or 0.0
        left = self.expires_at - now
        margin = min(_MARGIN, left * _MARGIN_SHARE)
        self.renew_at = self.expires_at - margin if left > 0 else float("inf")


class Session:
    """Holds the current `Token`. A login is retried by ``policy``, which waits with ``rest``."""

    def __init__(
        self,
        requests: RequestBuilder,
        exchange: Exchange,
        clock: ServiceClock,
        policy: RetryPolicy,
        rest: Sleep,
    ) -> None:
        self._requests = requests
        self._exchange = exchange
        self._clock = clock
        self._policy = policy
        self._rest = rest
        self._token: Token | None = None
        self._login_refused: ServiceError | None = None
        self._login_result: asyncio.Future[ServiceError | None] | None = None
        self._useless_logins = 0

    def usable(self) -> Token | None:
        """Return the token if it is usable now, without waiting; else `obtain` one."""
        token = self._token
        return token if token is not None and self._clock.timestamp() < token.renew_at else None

    async def obtain(self) -> Token:
        """Return a usable token; log in if needed. Raises the login's error."""
        return self.usable() or await self._renew(self._token, refused=False)

    async def renew(self) -> None:
        """Log in again, whatever the age of the current token. Raises the login's error."""
        await self._renew(self._token, refused=True)
        self._useless_logins = 0

    def accepted(self, token: Token, *, repeated: bool) -> None:
        """Note an accepted request; ``repeated``: after a 401."""
        token.state = State.TRUSTED
        if repeated:
            self._useless_logins = 0

    async def replace(self, token: Token, sent_as: State, *, repeated: bool) -> bool:
        """Provide another token after a 401; return False if the request fails (see the table).

        ``sent_as``: the token's state when the request was sent: others may have had success with it
        since. ``repeated``: whether this request had a 401 before. Raises the login's error.
        """
        if repeated and sent_as is not State.TRUSTED and token is self.usable():
            if token.state is State.NEW:
                token.state = State.DOUBTED
            return False
        useless = token.state is State.DOUBTED or self._useless_logins >= _MOST_USELESS
        if useless and token is self._token:
            return False
        await self._renew(token, refused=True)
        return True

    async def _renew(self, stale: Token | None, *, refused: bool) -> Token:
        """Return another token than ``stale``; log in unless another caller does."""
        while True:
            if self._token is not None and self._token is not stale:
                return self._token
            if self._login_refused is not None:
                raise copy.copy(self._login_refused)
            if not refused and (token := self.usable()) is not None:
                return token  # the login we waited for failed, and the old token goes on
            if self._login_result is None:
                return await self._lead(stale, refused=refused)
            # A future wakes all who wait at once. A lock would wake them one by one, and the last
            # might find the new token expired.
            result = self._login_result
            await asyncio.wait([result])
            if (failure := result.result()) is not None:
                raise copy.copy(failure)

    async def _lead(self, stale: Token | None, *, refused: bool) -> Token:
        """Log in for all who wait. A leader that is cancelled tells them no error: one takes over."""
        self._login_result = result = asyncio.get_running_loop().create_future()
        failure: ServiceError | None = None
        try:
            issued = await persist(self._policy, self._log_in, self._rest)
            self._useless_logins += refused
            headers = self._requests.authorize(issued)
            self._token = Token(issued, headers, self._clock.timestamp())
            logger.debug("session token renewed" if stale else "session token obtained")
            return self._token
        except ServiceError as error:
            if stale is not None and not refused and self._put_off(stale, error):
                return stale
            failure = error
            if not error.retryable:
                self._login_refused = error
            # Without a token nothing else works, and the request that needed it was never sent.
            error.fatal, error.not_sent, error.retryable = True, True, False
            raise
        finally:
            # First end this login, then wake: one who wakes may have to start the next login.
            self._login_result = None
            result.set_result(failure)

    def _put_off(self, token: Token, failure: ServiceError) -> bool:
        """Use the old token for now if it has not expired; return whether it has not."""
        now = self._clock.timestamp()
        if not failure.retryable or now >= token.expires_at:
            return False
        token.renew_at = now + (token.expires_at - now) / 2
        logger.debug("%s; the old token is still valid", failure)
        return True

    async def _log_in(self, number: int) -> SessionToken:
        """Make the ``number``-th attempt to log in (docs/service.md 4.1), and set the clock by it.

        Raises `LoginRefused` (401, 403) or another `ServiceError`.
        """
        counts = self._exchange.counts
        counts.retries += number > 1
        sent = self._clock.local()
        failure: ServiceError
        try:
            body, headers = await self._exchange.send(
                self._requests.token(), "login", _LOGIN, _SUCCESS
            )
            self._clock.learn(headers.get("date"), sent)
            token = token_reader.read(body, _LOGIN)
        except (Unauthorized, Forbidden) as error:
            what = "username or the password" if error.status == 401 else "API key"
            cause = f"{error.status}, the service refuses the {what}"
            failure = LoginRefused(_LOGIN, cause, _CHECK)
        except (StatusError, UnexpectedShape) as error:
            error.body = b""  # it may hold a token, or what was sent
            failure = error
        else:
            text = token.token
            if not (text.isascii() and text.isprintable() and text.strip() == text != ""):
                failure = UnexpectedShape(_LOGIN, "the session token cannot stand in a header")
            elif _expiry(token) is None:
                failure = UnexpectedShape(_LOGIN, "expires_at is not a number of milliseconds")
            else:
                counts.logins += 1
                return token
        # Raised out here, so that the refused answer and its body are not kept as the context.
        raise failure


def _expiry(issued: SessionToken) -> float | None:
    """Return when a token ends, in epoch seconds; None if ``expires_at`` is no number."""
    with suppress(ValueError):
        return float(min(milliseconds(issued.expires_at), _NEVER)) / 1000
    return None
