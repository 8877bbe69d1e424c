"""The token operation (docs/service.md 4.1)."""

from pipeline.service.clock import ServiceClock
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
from pipeline.service.exchange import Exchange, RequestCounts
from pipeline.service.models import SessionToken, token_reader
from pipeline.service.requests import RequestBuilder

_OPERATION = "login"
_CHECK = "check the credentials; it is not tried again, since accounts get locked"
_SUCCESS = range(200, 300)  # docs/service.md 4.1 names no number


class Login:
    """Asks the service for a session token, one attempt at a time."""

    def __init__(
        self,
        requests: RequestBuilder,
        exchange: Exchange,
        clock: ServiceClock,
        counts: RequestCounts,
    ) -> None:
        self._requests = requests
        self._exchange = exchange
        self._clock = clock
        self._counts = counts

    async def attempt(self, number: int) -> SessionToken:
        """Make the ``number``-th attempt. Learns the service's time from its answer.

        Raises `CredentialsRefused` (401), `KeyRefused` (403) or another `ServiceError`.
        """
        self._counts.login_requests += 1
        self._counts.retries += number > 1
        sent = self._clock.local()
        failure: ServiceError
        try:
            body, headers = await self._exchange.send(self._requests.token(), _OPERATION, _SUCCESS)
            self._clock.learn(headers.get("date"), sent)
            token = token_reader.read(body, _OPERATION)
        except (BadRequest, MalformedResponse, UnexpectedShape) as error:
            error.body = b""  # it may hold a token, or what was sent
            failure = error
        except Unauthorized:
            cause = "401, the service refuses the username or the password"
            failure = CredentialsRefused(_OPERATION, cause, _CHECK)
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
