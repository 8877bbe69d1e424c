"""The service's four operations (docs/service.md 4), made dependable.

One `ServiceClient` for a run. Each request waits for its place (`pace`), carries the session's token
(`session`), is sent (`exchange`), and is repeated (`retry`) when its failure is worth it. The brake
(`outage`) and the watch over access (`access`) end the client when no request can succeed any more.
"""

import copy
import time
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Literal, Self, TypeVar

import httpx
import msgspec

from pipeline.service.access import AccessWatch
from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import (
    Forbidden,
    RateLimited,
    ServiceError,
    Unauthorized,
    UnexpectedShape,
)
from pipeline.service.exchange import Exchange
from pipeline.service.models import (
    ActivityDetails,
    AuthorizationRequest,
    SessionToken,
    details_reader,
    read_page,
)
from pipeline.service.outage import Brake
from pipeline.service.pace import Pace
from pipeline.service.requests import ListQuery, RequestBuilder, SecretHeaders, path_segment
from pipeline.service.retry import persist
from pipeline.service.session import Session

__all__ = ["FetchedDetails", "ListQuery", "ListedPage", "ServiceClient"]

T = TypeVar("T")

#: A request is repeated with a new token once, and again only when that token's time was over too.
_MOST_REPEATS = 5
_SHOWN_ID = 80


@dataclass(frozen=True, slots=True)
class ListedPage:
    """One page of the list: its rows as received, one JSON text each, and when (service's clock)."""

    has_next: bool
    rows: list[msgspec.Raw] = field(repr=False)
    received_at: datetime


@dataclass(frozen=True, slots=True)
class FetchedDetails:
    """One activity's details: the body as received, the same decoded, and when it came."""

    body: bytes = field(repr=False)
    activity: ActivityDetails
    received_at: datetime


@dataclass(slots=True)
class _Operation(Generic[T]):
    """One request for one thing: how it is built, what succeeds, how its body is read."""

    kind: Literal["list", "details", "create"]
    name: str
    build: Callable[[SecretHeaders], httpx.Request]
    read: Callable[[bytes], T]
    success: Container[int] = (200,)


class ServiceClient:
    """Speaks to the service as one business; an async context manager, for one event loop.

    ``counts`` and ``clock`` are live. ``time_source``: epoch seconds of this machine.
    Raises ValueError for an address or credentials that no request can carry, `Unreachable` where the
    environment names certificates that can't be read.

    Every operation raises `ServiceError`. After a ``fatal`` one every request fails:
    `LoginRefused` and other failed logins, `AccessLost`, `Outage`.
    """

    def __init__(
        self, config: ServiceConfig, *, time_source: Callable[[], float] = time.time
    ) -> None:
        self.clock = ServiceClock(time_source)
        self._policy = config.retry
        self._requests = RequestBuilder(config)
        self._exchange = Exchange(config, self._requests.host, self.clock)
        self.counts = self._exchange.counts
        self._brake = Brake(config.outage, config.max_concurrency, config.retry.sleep)
        self._pace = Pace(config.max_concurrency, config.requests_per_second, self._brake.rest)
        self._session = Session(
            self._requests, self._exchange, self.clock, config.retry, self._brake.rest
        )
        self._access = AccessWatch(self._probe, self._session.renew)
        self._closed = False

    def __repr__(self) -> str:
        return f"ServiceClient({self._requests.host})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections. The client sends nothing afterwards."""
        self._closed = True
        await self._exchange.aclose()

    @property
    def concurrency(self) -> int:
        """How many requests may be in flight now; fewer while the service returns errors."""
        return self._pace.limit

    async def login(self) -> SessionToken:
        """Obtain the session token (docs/service.md 4.1) unless there is one.

        The other operations log in by themselves. Raises `CredentialsRefused`, `KeyRefused`, or the
        error that kept the login from an answer.
        """
        self._check()
        return (await self._session.obtain()).issued

    async def list_activities(self, query: ListQuery) -> ListedPage:
        """Fetch one page of the list (docs/service.md 4.3). Raises `ServiceError`."""
        name = "the list of activities"

        def read(body: bytes) -> ListedPage:
            page = read_page(body, name)
            return ListedPage(page.has_next, page.data, self.clock.now())

        return await self._ask(
            _Operation("list", name, lambda headers: self._requests.list(headers, query), read)
        )

    async def activity_details(self, activity_id: str) -> FetchedDetails:
        """Fetch one activity's details (docs/service.md 4.4).

        Raises `ServiceError`; among those `UnaddressableId`, and `UnexpectedShape` also for the
        details of another activity.
        """
        segment = path_segment(activity_id)
        name = f"details of activity {segment[:_SHOWN_ID]}"

        def read(body: bytes) -> FetchedDetails:
            activity = details_reader.read(body, name)
            if activity.id != activity_id and activity.id.lower() != activity_id.lower():
                mistaken = UnexpectedShape(name, "the details of another activity came")
                mistaken.body = body
                raise mistaken
            return FetchedDetails(body, activity, self.clock.now())

        return await self._ask(
            _Operation(
                "details", name, lambda headers: self._requests.details(headers, segment), read
            )
        )

    async def create_authorization(self, request: AuthorizationRequest) -> None:
        """Create an Authorization activity, once (docs/service.md 4.2).

        Never repeated, except after a 401, which proves that nothing was done. Any other
        `ServiceError` without ``not_sent`` and without a 4xx status leaves open whether the
        activity was created.
        """
        content = msgspec.json.encode(request)
        await self._ask(
            _Operation(
                "create",
                "creation of an authorization",
                lambda headers: self._requests.creation(headers, content),
                lambda _: None,
                success=(201,),
            )
        )

    async def _ask(self, operation: _Operation[T]) -> T:
        """Make one whole request, with its retries."""
        failure: ServiceError | None = None
        try:
            if operation.kind == "create":
                result = await self._try(operation, 1)
            else:
                result = await persist(
                    self._policy, lambda number: self._try(operation, number), self._brake.rest
                )
        except ServiceError as error:
            failure = error
        if failure is not None:
            if not await self._deserves_last_try(operation, failure):
                raise failure
            result = await self._try(operation, 2)
        self._brake.request_succeeded()
        self._access.granted()
        return result

    async def _deserves_last_try(self, operation: _Operation[T], failure: ServiceError) -> bool:
        """Report a failed request; True if its refusal led to a new token and it can be repeated."""
        repeatable = operation.kind != "create"
        if failure.fatal:
            return False
        self._brake.request_failed(failure)
        # The outage ended the retries, so it is the reason, and not this activity.
        if self._brake.tripped is not None and failure.retryable and repeatable:
            raise copy.copy(self._brake.tripped)
        if isinstance(failure, (Unauthorized, Forbidden)):
            is_list = operation.kind == "list"
            return await self._access.refused(operation.name, is_list=is_list) and repeatable
        if not failure.retryable:
            self._access.granted()
        return False

    async def _try(self, operation: _Operation[T], number: int) -> T:
        """Make the ``number``-th attempt of a request; after a 401 repeat it with another token."""
        repeats = 0
        while True:
            self._check()
            failure: ServiceError | None = None
            era = await self._pace.enter()
            try:
                self._check()  # much may have happened while we waited
                token = self._session.usable() or await self._session.obtain()
                # Others may succeed with this token before our answer comes.
                sent_as = token.state
                # Counted before it is sent, so that a request without an answer counts too.
                self._count(operation, again=number > 1 or repeats > 0)
                request = operation.build(token.headers)
                body, _ = await self._exchange.send(request, operation.name, operation.success)
                result = operation.read(body)
            except ServiceError as error:
                failure = error
            finally:
                self._pace.leave(era, failure)
            if failure is None:
                self._brake.answered()
                self._session.accepted(token, repeated=repeats > 0)
                return result
            self._note(failure, number)
            if (
                not isinstance(failure, Unauthorized)
                or repeats == _MOST_REPEATS
                or not await self._session.replace(token, sent_as, repeated=repeats > 0)
            ):
                raise failure
            repeats += 1

    def _count(self, operation: _Operation[T], *, again: bool) -> None:
        counts = self.counts
        counts.list_requests += operation.kind == "list"
        counts.details_requests += operation.kind == "details"
        counts.create_requests += operation.kind == "create"
        counts.retries += again

    def _note(self, failure: ServiceError, number: int) -> None:
        """Report a failed attempt to the brake and the pace."""
        if failure.fatal:
            return
        self._brake.attempt_failed(failure, number)
        asked = self._policy.asked_wait(failure)
        if asked is None and isinstance(failure, RateLimited):
            asked = self._policy.initial_wait
        if asked is not None:
            self._pace.pause(asked)

    def _check(self) -> None:
        """Refuse to go on once the client is closed, the brake has tripped or access is lost."""
        if self._brake.tripped is not None:
            raise copy.copy(self._brake.tripped)
        if self._access.lost is not None:
            raise copy.copy(self._access.lost)
        if self._closed:
            raise RuntimeError("the client is closed")

    async def _probe(self) -> bool | None:
        """Ask for one row of the list: True if granted, False if refused, None if unanswered."""
        query = ListQuery(limit=1)
        probe = _Operation(
            "list",
            "probe of access",
            lambda headers: self._requests.list(headers, query),
            lambda _: None,
        )
        try:
            await self._try(probe, 1)
        except ServiceError as error:
            if error.fatal:
                raise
            return False if isinstance(error, (Unauthorized, Forbidden)) else None
        return True
