"""The service's four operations (docs/service.md 4), made dependable.

One `ServiceClient` for a run. From the caller to the socket a request passes three files: `requests` says
what is asked and how the answer is read; this one waits for a place (`pace`), takes the session token
(`tokens`) and repeats what is worth it (`retry`); `exchange` sends it. The brake (`brake`) ends the client
when no request can succeed any more.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Self, TypeVar

from pipeline.service.brake import Brake
from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import ServiceError, Unauthorized
from pipeline.service.exchange import Exchange
from pipeline.service.models import ActivitiesPage, AuthorizationRequest
from pipeline.service.pace import Pace
from pipeline.service.requests import FetchedDetails, ListQuery, Operation, creation, details, page
from pipeline.service.retry import OVERLOADED, with_retries
from pipeline.service.tokens import Token, TokenProvider

__all__ = ["FetchedDetails", "ListQuery", "ServiceClient"]

T = TypeVar("T")


class ServiceClient:
    """Speaks to the service as one business; an async context manager, for one event loop.

    ``counts``, ``clock`` and ``pace`` are live, as is ``unnamed``: the members of a list's envelope that
    the interface does not name. ``proxy``: ``host:port`` of the proxy in use. ``time_source``: epoch
    seconds of this machine. Raises `Unreachable` where the environment names certificates that can't be
    read, or a proxy of another kind.

    Every operation raises `ServiceError`. After a ``fatal`` one every request fails:
    `LoginRefused` and other failed logins, `AccessLost`, `Outage`.
    """

    def __init__(
        self, config: ServiceConfig, *, time_source: Callable[[], float] = time.time
    ) -> None:
        self.clock = ServiceClock(time_source)
        self.unnamed: set[str] = set()
        self._policy = config.retry
        self._exchange = Exchange(config, self.clock)
        self.counts, self.proxy = self._exchange.counts, self._exchange.proxy
        self._brake = Brake(config.max_concurrency, self._ask_apart, self._renew)
        self.pace = Pace(config.max_concurrency, config.requests_per_second, self._brake.sleep)
        self._tokens = TokenProvider(self._exchange, self.clock, config, self._brake)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        self._tokens.close()
        await self._exchange.aclose()

    async def login(self) -> None:
        """Obtain the session token (docs/service.md 4.1) unless there is one.

        The other operations log in by themselves. Raises `LoginRefused`, or the error that kept the
        login from an answer.
        """
        await self._tokens.obtain()

    async def list_activities(self, query: ListQuery) -> ActivitiesPage:
        """Fetch one page of the list (docs/service.md 4.3). Raises `ServiceError`."""
        return await self._ask(page(query, self.unnamed))

    async def activity_details(
        self, activity_id: str, *, once: bool = False, sick: bool = False
    ) -> FetchedDetails:
        """Fetch one activity's details (docs/service.md 4.4).

        ``once``: in one try, without retries. ``sick``: in one try, too; they failed in an earlier run, so
        another failure says nothing of the service. Raises `ServiceError`; among those `UnaddressableId`,
        and `UnexpectedShape` also for the details of another activity.
        """
        operation = details(activity_id)
        if sick:
            return await self._send(operation)
        return await (self._attempt(operation) if once else self._ask(operation))

    async def create_authorization(self, request: AuthorizationRequest) -> None:
        """Create an Authorization activity, once (docs/service.md 4.2).

        Never repeated, except after a 401, which proves that nothing was done. Any other
        `ServiceError` without ``not_sent`` and without a 4xx status leaves open whether the
        activity was created.
        """
        await self._send(creation(request))  # who sends these stops after a few failures

    async def _ask(self, operation: Operation[T]) -> T:
        """Make one whole request, with its retries."""
        attempt = partial(self._attempt, operation)
        return await with_retries(self._policy, attempt, self._brake.sleep)

    async def _ask_apart(self, operation: Operation[T]) -> T:
        """Make a whole request of the brake, which asks no further question if it fails."""
        return await with_retries(self._policy, partial(self._send, operation), self._brake.sleep)

    async def _renew(self) -> None:
        await self._tokens.obtain(self._tokens.token)

    async def _attempt(self, operation: Operation[T]) -> T:
        """Make one attempt; tell the brake how it ended."""
        try:
            result = await self._send(operation)
        except ServiceError as failure:
            token = self._tokens.token
            await self._brake.failed(operation, failure)
            if failure.service_failing or self._tokens.token is token:
                raise
            result = await self._send(operation)  # a new token has restored access
        self._brake.answered(operation)
        return result

    async def _send(self, operation: Operation[T]) -> T:
        """Send a request when it is its turn; after a 401 repeat it once, with another token."""
        refused: Token | None = None
        while True:
            queued = time.monotonic()
            place = await self.pace.enter()
            self.counts.waited += time.monotonic() - queued
            try:
                # Raises if the brake has tripped meanwhile.
                token = await self._tokens.obtain(refused)
                result = await self._exchange.send(operation, token.headers)
            except ServiceError as failure:
                self._keep_pace(failure, place, operation.kind)
                again = False
                if isinstance(failure, Unauthorized):
                    token.refused += 1
                    again = self._tokens.has_other(token)
                if refused or not again:
                    failure.retryable |= again and token.accepted
                    raise
                refused = token
            else:
                self.pace.answered()
                token.accepted, token.refused = True, 0
                if refused:
                    self._tokens.helped()
                return result
            finally:
                self.pace.leave()

    def _keep_pace(self, failure: ServiceError, place: int, kind: str) -> None:
        """Slow down if a failure says that the service has too much to do."""
        if not failure.service_failing:
            self.pace.answered()
        if failure.status in OVERLOADED:
            self.pace.slow_down(place)
            asked, most = failure.retry_after, self._policy.max_retry_after
            # A limit of creations by the day holds up no other request: who sends these stops.
            if kind != "create" or asked is None or asked <= most:
                self.pace.pause(self._policy.initial_wait if asked is None else min(asked, most))
