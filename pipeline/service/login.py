"""The token operation (specification 4.1)."""

from pipeline.service.addresses import Addresses
from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.counts import RequestCounts
from pipeline.service.errors import (
    BadRequest,
    CredentialsRefused,
    Forbidden,
    KeyRefused,
    MalformedResponse,
    ServiceError,
    Unauthorized,
    UnexpectedShape,
)
from pipeline.service.exchange import Exchange
from pipeline.service.headers import basic_headers
from pipeline.service.models import SessionToken, token_reader
from pipeline.service.retry import Sleep, persist

_OPERATION = "login"
_CHECK = "check the credentials; it is not tried again, since accounts get locked"


class TokenRequest:
    """Asks the service for a session token. Keeps nothing: `Session` decides when to ask."""

    def __init__(
        self,
        config: ServiceConfig,
        addresses: Addresses,
        exchange: Exchange,
        clock: ServiceClock,
        counts: RequestCounts,
        rest: Sleep,
    ) -> None:
        self._url = addresses.token
        self._headers = basic_headers(config, addresses.host)
        self._policy = config.retry
        self._exchange = exchange
        self._clock = clock
        self._counts = counts
        self._rest = rest

    async def log_in(self) -> SessionToken:
        """Obtain a token, with the retries of the policy.

        Raises `CredentialsRefused` (401) or `KeyRefused` (403), each after a single attempt, or
        another `ServiceError`.
        """
        try:
            return await self._attempt(1)
        except ServiceError as error:
            failure = error
        if not failure.retryable:
            raise failure
        return await persist(self._policy, failure, self._attempt, self._rest)

    async def _attempt(self, number: int) -> SessionToken:
        self._counts.login_requests += 1
        self._counts.retries += number > 1
        sent = self._clock.local()
        failure: ServiceError
        try:
            response, body = await self._exchange.post(
                self._url, self._headers, _OPERATION, b"", (200, 299)
            )
            self._clock.learn(response.headers.get("date"), sent)
            token = token_reader.read(body, _OPERATION)
        except (BadRequest, MalformedResponse, UnexpectedShape) as error:
            error.body = b""  # it may hold a token, or what was sent
            failure = error
        except Unauthorized:
            failure = CredentialsRefused(
                _OPERATION, "401, the service refuses the username or the password", _CHECK
            )
        except Forbidden:
            failure = KeyRefused(_OPERATION, "403, the service refuses the API key", _CHECK)
        except ServiceError as error:
            failure = error
        else:
            text = token.token
            if text.isascii() and text.isprintable() and text.strip() == text != "":
                self._counts.logins += 1
                return token
            failure = UnexpectedShape(_OPERATION, "the session token cannot stand in a header")
        raise failure
