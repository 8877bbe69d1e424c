"""The service's four operations (docs/service.md 4), made dependable.

One `ServiceClient` for a run. Each request waits for its place (`pace`), carries the session's token
(`session`), is sent (`exchange`), and is repeated (`retry`) when its failure is worth it. The brake
(`outage`) and the watch over access (`access`) end the client when no request can succeed any more.
"""

import asyncio
import copy
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Self, TypeVar

import msgspec

from pipeline.service import operations
from pipeline.service.access import AccessWatch
from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import (
    Forbidden,
    RateLimited,
    ServiceError,
    UnaddressableId,
    Unauthorized,
)
from pipeline.service.exchange import Exchange
from pipeline.service.models import ActivitiesPage, AuthorizationRequest
from pipeline.service.operations import FetchedDetails, Operation
from pipeline.service.outage import Brake
from pipeline.service.pace import Pace
from pipeline.service.requests import ListQuery, RequestBuilder
from pipeline.service.retry import persist
from pipeline.service.session import Session

__all__ = ["FetchedDetails", "ListQuery", "ServiceClient", "or_none"]

T = TypeVar("T")

#: A request is repeated with a new token once, and again only when that token's time was over too.
_MOST_REPEATS = 5

#: Stands for the number of a request that failed in an earlier run.
FAILED_BEFORE = -1


class _Named(msgspec.Struct, gc=False):
    """What is read of a row of the list whose details are asked for."""

    id: str


class ServiceClient:
    """Speaks to the service as one business; an async context manager, for one event loop.

    ``counts``, ``clock`` and ``pace`` are live, as is ``unnamed``: the members of a list's envelope that
    the interface does not name. ``time_source``: epoch seconds of this machine.
    Raises `Unreachable` where the environment names certificates that can't be read, or a proxy of
    another kind.

    Every operation raises `ServiceError`. After a ``fatal`` one every request fails:
    `LoginRefused` and other failed logins, `AccessLost`, `Outage`.
    """

    def __init__(
        self, config: ServiceConfig, *, time_source: Callable[[], float] = time.time
    ) -> None:
        self.clock = ServiceClock(time_source)
        self._policy = config.retry
        self._requests = RequestBuilder(config)
        self.unnamed: set[str] = set()
        self._exchange = Exchange(config, self._requests.host, self.clock)
        self.counts = self._exchange.counts
        self._brake = Brake(config.max_concurrency)
        self.pace = Pace(config.max_concurrency, config.requests_per_second, self._brake.rest)
        self._session = Session(
            self._requests, self._exchange, self.clock, config.retry, self._brake.rest
        )
        self._access = AccessWatch(self._probe, self._session.renew)
        #: The newest request for details that was answered: its number, and the activity.
        self._answered = 0
        self._witness: str | None = None
        self._asking = asyncio.Lock()
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

    def answered_after(self, sent: int) -> bool:
        """Whether details were answered to one of the requests that followed the first ``sent``."""
        return self._answered > sent

    async def login(self) -> None:
        """Obtain the session token (docs/service.md 4.1) unless there is one.

        The other operations log in by themselves. Raises `LoginRefused`, or the error that kept the
        login from an answer.
        """
        self._check()
        await self._session.obtain()

    async def list_activities(self, query: ListQuery) -> ActivitiesPage:
        """Fetch one page of the list (docs/service.md 4.3). Raises `ServiceError`."""
        return await self._ask(operations.list_page(query, self.unnamed))

    async def activity_details(self, activity_id: str, failed: int | None = None) -> FetchedDetails:
        """Fetch one activity's details (docs/service.md 4.4).

        ``failed``: what ``pace.sent`` was when `try_details` failed. Raises `ServiceError`; among those
        `UnaddressableId`, and `UnexpectedShape` also for the details of another activity.
        """
        return await self._ask(operations.details(activity_id, failed))

    async def try_details(self, activity_id: str, failed: int | None = None) -> FetchedDetails:
        """Fetch one activity's details in one try, as long as other requests are answered.

        ``failed``: `FAILED_BEFORE` if it is known to fail. Raises as `activity_details`.
        """
        operation = operations.details(activity_id, failed)
        return await self._ask(operation, lambda: failed is not None or self._brake.calm)

    async def create_authorization(self, request: AuthorizationRequest) -> None:
        """Create an Authorization activity, once (docs/service.md 4.2).

        Never repeated, except after a 401, which proves that nothing was done. Any other
        `ServiceError` without ``not_sent`` and without a 4xx status leaves open whether the
        activity was created.
        """
        await self._ask(operations.create(request))

    async def _ask(self, operation: Operation[T], once: Callable[[], bool] = lambda: False) -> T:
        """Make one whole request, with its retries; ``once()``: whether without them."""
        try:
            result = await persist(
                self._policy,
                lambda number: self._try_judged(operation, number),
                self._brake.rest,
                failed=int((operation.failed or 0) > 0),
                once=lambda: operation.kind == "create" or once(),
            )
        except ServiceError as failure:
            if failure.retryable and once():
                raise
            if not await self._deserves_last_try(operation, failure):
                raise
            result = await self._try(operation, 2)
        if operation.kind != "list":
            self._brake.request_ended()
        self._access.granted()
        return result

    async def _deserves_last_try(self, operation: Operation[T], failure: ServiceError) -> bool:
        """Report a failed request; True if its refusal led to a new token and it can be repeated."""
        repeatable = operation.kind != "create"
        if failure.fatal:
            return False
        # A page may be too much for the service, and is asked for in smaller parts then.
        if operation.kind != "list":
            self._brake.request_ended(failure)
        await self._settle_suspicion(operation)
        # The outage ended the retries, so it is the reason, and not this activity.
        if self._brake.tripped is not None and failure.retryable and repeatable:
            raise copy.copy(self._brake.tripped)
        if isinstance(failure, (Unauthorized, Forbidden)):
            is_list = operation.kind == "list"
            return await self._access.refused(operation.name, is_list=is_list) and repeatable
        if not failure.retryable:
            self._access.granted()
        return False

    async def _try_judged(self, operation: Operation[T], number: int) -> T:
        """Make an attempt; when it raises the suspicion of an outage, find out before anything else."""
        try:
            return await self._try(operation, number)
        except ServiceError:
            await self._settle_suspicion(operation)
            raise

    async def _settle_suspicion(self, operation: Operation[T]) -> None:
        """Ask for other activities where details fail, and for a single row where the list does."""
        async with self._asking:
            if self._brake.suspected is not None:  # else another caller may have asked meanwhile
                if operation.kind == "details":
                    answered = await self._others_answer()
                else:
                    answered = operation.kind == "list" and await self._probe() is True
                self._brake.settle(answered=answered)

    async def _others_answer(self) -> bool:
        """Whether the service works for at least one other activity."""
        try:
            witness = self._witness
            others = [operations.details(witness, None)] if witness else await self._some_others()
        except ServiceError:
            return False
        for other in others:
            try:
                await self._try(other, 1)
            except ServiceError as error:
                if error.service_failing:
                    continue
            return True
        return False

    async def _some_others(self) -> list[Operation[FetchedDetails]]:
        """Return requests for a few activities of the list, far from each other."""
        page = await self._try(operations.list_page(ListQuery(limit=35), self.unnamed), 1)
        found: list[Operation[FetchedDetails]] = []
        for row in page.rows:
            with suppress(ValueError, RecursionError, UnaddressableId):  # a row may be unreadable
                found.append(operations.details(msgspec.json.decode(row, type=_Named).id, None))
        return found[:: max(1, len(found) // 3)]

    async def _try(self, operation: Operation[T], number: int) -> T:
        """Make the ``number``-th attempt of a request; after a 401 repeat it with another token."""
        repeats = 0
        while True:
            self._check()
            failure: ServiceError | None = None
            queued = time.monotonic()
            place = await self.pace.enter()
            self.counts.waited += time.monotonic() - queued
            try:
                self._check()  # much may have happened while we waited
                token = self._session.usable() or await self._session.obtain()
                # Others may succeed with this token before our answer comes.
                sent_as = token.state
                # Counted before it is sent, so that a request without an answer counts too.
                self.counts.list_requests += operation.kind == "list"
                self.counts.details_requests += operation.kind == "details"
                self.counts.retries += number > 1 or repeats > 0
                request = self._requests.build(operation.path, token.headers, operation.content)
                body, _ = await self._exchange.send(
                    request, operation.kind, operation.name, operation.success
                )
                result = operation.read(body)
            except ServiceError as error:
                failure = error
                failure.alone = self._is_alone(operation)
            finally:
                counts = failure is None or self._counts(operation, failure)
                if counts:
                    self.pace.leave(place, failure)
                else:
                    self.pace.release()
            if failure is None:
                if operation.kind == "details":
                    self._answered = max(self._answered, place)
                    self._witness = operation.subject
                self._brake.answered()
                self._session.accepted(token, repeated=repeats > 0)
                return result
            if operation.failed is None:
                operation.failed = self.pace.sent
            if counts:
                self._note(failure, number)
            if (
                not isinstance(failure, Unauthorized)
                or repeats == _MOST_REPEATS
                or not await self._session.replace(token, sent_as, repeated=repeats > 0)
            ):
                raise failure
            repeats += 1

    def _note(self, failure: ServiceError, number: int) -> None:
        """Report a failed attempt to the brake and the pace."""
        if failure.fatal:
            return
        self._brake.attempt_failed(failure, number)
        asked = self._policy.asked_wait(failure)
        if asked is None and isinstance(failure, RateLimited):
            asked = self._policy.initial_wait
        if asked is not None:
            self.pace.pause(asked)

    def _is_alone(self, operation: Operation[T]) -> bool:
        """Whether others, sent after the request first failed, were answered."""
        return (
            operation.kind == "details"
            and operation.failed is not None
            and self.answered_after(operation.failed)
        )

    def _counts(self, operation: Operation[T], failure: ServiceError) -> bool:
        """Whether a failure says something about the service, for brake and pace."""
        # A limit on requests answers some and refuses others, so a 429 counts until the next run.
        asks_to_wait = isinstance(failure, RateLimited) and operation.failed != FAILED_BEFORE
        return asks_to_wait or not failure.alone

    def _check(self) -> None:
        """Refuse to go on once the client is closed, the brake has tripped or access is lost."""
        if (ended := self._brake.tripped or self._access.lost) is not None:
            raise copy.copy(ended)
        if self._closed:
            raise RuntimeError("the client is closed")

    async def _probe(self) -> bool | None:
        """Ask for one row of the list: True if granted, False if refused, None if unanswered."""
        try:
            await self._try(operations.probe(), 1)
        except ServiceError as error:
            if error.fatal:
                raise
            return False if isinstance(error, (Unauthorized, Forbidden)) else None
        return True


async def or_none(answer: Awaitable[T]) -> T | None:
    """Return an answer that is only a help; None where it failed, unless no other can succeed either."""
    try:
        return await answer
    except ServiceError as error:
        if error.fatal:
            raise
        return None
