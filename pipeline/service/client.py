"""The service's four operations (specification section 4), made dependable.

One `ServiceClient` a run. Each request passes the brake and the pace, carries the session's token,
is tried bare first, and repeated by `pipeline.service.retry` only after a failure worth it.
"""

import copy
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Literal, Self, TypeVar

import msgspec

from pipeline.service.access import AccessWatch, is_refusal
from pipeline.service.addresses import Addresses, ListQuery, path_segment
from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.counts import RequestCounts
from pipeline.service.errors import (
    RateLimited,
    ServiceError,
    Unauthorized,
    UnexpectedShape,
)
from pipeline.service.exchange import Exchange
from pipeline.service.headers import SecretHeaders, with_header
from pipeline.service.login import TokenRequest
from pipeline.service.models import (
    ActivityDetails,
    AuthorizationRequest,
    SessionToken,
    details_reader,
    read_page,
)
from pipeline.service.outage import Brake
from pipeline.service.pace import Pace
from pipeline.service.retry import persist
from pipeline.service.session import Session

__all__ = ["FetchedDetails", "ListQuery", "ListedPage", "ServiceClient"]

T = TypeVar("T")
_Kind = Literal["list", "details", "create"]
_Send = Callable[[SecretHeaders], Awaitable[T]]

#: A request is repeated with a new token once, and again only when that one's time was over too.
_MOST_REPEATS = 5
_SHOWN_ID = 80


@dataclass(frozen=True, slots=True, repr=False)
class ListedPage:
    """One page of the list: its rows as received, one JSON text each, and when (service's clock)."""

    has_next: bool
    rows: list[msgspec.Raw]
    received_at: datetime

    def __repr__(self) -> str:
        return f"ListedPage(has_next={self.has_next}, {len(self.rows)} rows)"


@dataclass(frozen=True, slots=True, repr=False)
class FetchedDetails:
    """One activity's details: the body as received, the same decoded, and when it came."""

    body: bytes
    activity: ActivityDetails
    received_at: datetime

    def __repr__(self) -> str:
        return f"FetchedDetails(id={self.activity.id!r}, {len(self.body)} bytes)"


class ServiceClient:
    """Speaks to the service as one business; an async context manager, for one event loop.

    ``counts`` and ``clock`` are live. ``time_source``: epoch seconds of this machine.
    Raises ValueError for an address or credentials that no request can carry, `Unreachable` where the
    environment names certificates that can't be read.

    Every operation raises `ServiceError`; those with ``fatal`` set end the usefulness of the client:
    `LoginRefused` and other failed logins, `AccessLost`, `Outage`.
    """

    def __init__(
        self, config: ServiceConfig, *, time_source: Callable[[], float] = time.time
    ) -> None:
        self.counts = RequestCounts()
        self.clock = ServiceClock(time_source)
        self._policy = config.retry
        self._addresses = Addresses(config.base_url)
        host = self._addresses.host
        self._exchange = Exchange(config, host, self.clock, self.counts)
        self._brake = Brake(config.outage, config.max_concurrency, config.retry.sleep)
        rest = self._brake.rest
        self._pace = Pace(config.max_concurrency, config.requests_per_second, rest)
        token_request = TokenRequest(
            config, self._addresses, self._exchange, self.clock, self.counts, rest
        )
        self._session = Session(config, host, self.clock, token_request.log_in)
        self._access = AccessWatch(self._probe, self._session.renew)
        self._closed = False

    def __repr__(self) -> str:
        return f"ServiceClient({self._addresses.host})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections; the client is of no use afterwards."""
        self._closed = True
        await self._exchange.aclose()

    @property
    def concurrency(self) -> int:
        """How many requests may be in flight now; fewer than configured while the service ails."""
        return self._pace.limit

    async def login(self) -> SessionToken:
        """Obtain the session token (4.1) unless there is one; operations do so by themselves.

        Raises `CredentialsRefused`, `KeyRefused`, or what kept the login from an answer.
        """
        self._check()
        return (await self._session.obtain()).token

    async def list_activities(self, query: ListQuery) -> ListedPage:
        """Fetch one page of the list (4.3). Raises `ServiceError`."""
        url = self._addresses.list(query)
        operation = "the list of activities"

        async def send(headers: SecretHeaders) -> ListedPage:
            body = await self._exchange.get(url, headers, operation)
            page = read_page(body, operation)
            return ListedPage(page.has_next, page.data, self.clock.now())

        return await self._ask("list", operation, send, repeat=True)

    async def activity_details(self, activity_id: str) -> FetchedDetails:
        """Fetch one activity's details (4.4).

        Raises `ServiceError`; among those `UnaddressableId`, and `UnexpectedShape` also for the
        details of another activity than asked for.
        """
        segment = path_segment(activity_id)
        url = self._addresses.details(segment)
        operation = f"details of activity {segment[:_SHOWN_ID]}"

        async def send(headers: SecretHeaders) -> FetchedDetails:
            body = await self._exchange.get(url, headers, operation)
            activity = details_reader.read(body, operation)
            if activity.id != activity_id and activity.id.lower() != activity_id.lower():
                mistaken = UnexpectedShape(operation, "the details of another activity came")
                mistaken.body = body
                raise mistaken
            return FetchedDetails(body, activity, self.clock.now())

        return await self._ask("details", segment, send, repeat=True)

    async def create_authorization(self, request: AuthorizationRequest) -> None:
        """Create an Authorization activity (4.2), once.

        Never repeated, except after a 401, which proves that nothing was done. Any other
        `ServiceError` without ``not_sent`` and without a 4xx status leaves open whether the
        activity was created.
        """
        content = msgspec.json.encode(request)

        async def send(headers: SecretHeaders) -> None:
            await self._exchange.post(
                self._addresses.authorizations,
                with_header(headers, "Content-Type", "application/json"),
                "creation of an authorization",
                content,
                (201, 201),
            )

        await self._ask("create", "create", send, repeat=False)

    async def _ask(self, kind: _Kind, subject: str, send: _Send[T], *, repeat: bool) -> T:
        """Make one whole request: the bare first try, and what follows a failure."""
        failure: ServiceError | None = None
        try:
            result = await self._try(kind, send, 1)
        except ServiceError as error:
            failure = error
        if failure is not None and failure.retryable and repeat:
            try:
                result = await persist(
                    self._policy,
                    failure,
                    lambda number: self._try(kind, send, number),
                    self._brake.rest,
                )
                failure = None
            except ServiceError as error:
                failure = error
        if failure is not None:
            result = await self._settle(kind, subject, send, failure, repeat=repeat)
        self._brake.request_succeeded()
        self._access.granted()
        return result

    async def _settle(
        self, kind: _Kind, subject: str, send: _Send[T], failure: ServiceError, *, repeat: bool
    ) -> T:
        """Account for a request that failed for good and raise why; seldom, try a last time."""
        if failure.fatal:
            raise failure
        self._brake.request_failed(failure)
        if self._brake.tripped is not None and failure.retryable and repeat:
            raise copy.copy(self._brake.tripped)
        if is_refusal(failure):
            watch = self._access
            renewed = await (watch.list_refused() if kind == "list" else watch.refused(subject))
            if renewed and repeat:
                return await self._try(kind, send, 2)
        elif not failure.retryable:
            self._access.granted()
        raise failure

    async def _try(self, kind: _Kind, send: _Send[T], number: int) -> T:
        """Make the ``number``-th attempt of a request, renewing the token if that is what it takes."""
        counts = self.counts
        turn = 0
        while True:
            self._check()
            failure: ServiceError | None = None
            era = await self._pace.enter()
            try:
                self._check()
                grant = self._session.current() or await self._session.obtain()
                if kind == "details":
                    counts.details_requests += 1
                elif kind == "list":
                    counts.list_requests += 1
                else:
                    counts.create_requests += 1
                if number > 1 or turn:
                    counts.retries += 1
                was_proven = grant.proven
                result = await send(grant.headers)
            except ServiceError as error:
                failure = error
            finally:
                self._pace.leave(era, failure)
            if failure is None:
                self._brake.answered()
                grant.proven = True
                if turn:
                    self._session.repeat_succeeded()
                return result
            self._note(failure, number)
            if (
                not isinstance(failure, Unauthorized)
                or (turn and self._session.repeat_refused(grant, was_proven=was_proven))
                or turn == _MOST_REPEATS
                or await self._session.after_refusal(grant) is None
            ):
                raise failure
            turn += 1

    def _note(self, failure: ServiceError, number: int) -> None:
        """Tell the brake and the pace of a failed attempt."""
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
        """Ask for one row of the list: whether access as such is granted, None if unanswered."""
        url = self._addresses.list(ListQuery(limit=1))
        try:
            await self._try(
                "list", lambda headers: self._exchange.get(url, headers, "probe of access"), 1
            )
        except ServiceError as error:
            if error.fatal:
                raise
            return False if is_refusal(error) else None
        return True
