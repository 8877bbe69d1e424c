"""The service's four operations (docs/service.md 4), made dependable.

One `ServiceClient` for a run. From the caller to the socket a request passes three files: this one waits
for its place (`pace`), takes the session's token (`session`) and repeats what is worth it (`retry`);
`exchange` builds and sends it and reads the answer; `aiohttp_transport` holds the connections. The brake
(`brake`) ends the client when no request can succeed any more.
"""

import asyncio
import copy
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Self, TypeVar

import msgspec

from pipeline.service.brake import Brake
from pipeline.service.clock import ServiceClock
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import (
    AccessLost,
    Forbidden,
    Outage,
    RateLimited,
    ServerFault,
    ServiceError,
    Unauthorized,
    UnexpectedShape,
)
from pipeline.service.exchange import Exchange
from pipeline.service.models import (
    ActivitiesPage,
    ActivityDetails,
    AuthorizationRequest,
    decode_details,
    decode_list_item,
    read_page,
)
from pipeline.service.pace import Pace
from pipeline.service.requests import ListQuery, Operation, path_segment
from pipeline.service.retry import with_retries
from pipeline.service.session import Session
from pipeline.service.unknown import unknown_fields

__all__ = ["FetchedDetails", "ListQuery", "ServiceClient", "or_none"]

T = TypeVar("T")

#: Stands for the number of a request that failed in an earlier run.
FAILED_BEFORE = -1

#: So many different requests in a row must be refused to put access as such in doubt.
_REFUSALS = 20

#: A token may end while a repeated request waits for its place, so this bounds a request's 401s.
_MOST_REPEATS = 5

_LIST = "the list of activities"
_SHOWN_ID = 80

#: Asks for one row of the list: whether it may be read, and whether the service works.
_PROBE = Operation("list", "probe of access", f"/activities{ListQuery(limit=1).encoded()}", bytes)


@dataclass(frozen=True, slots=True)
class FetchedDetails:
    """One activity's details: the body as received, and the same decoded."""

    body: bytes = field(repr=False)
    activity: ActivityDetails


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
        self._brake = Brake()
        self.pace = Pace(config.max_concurrency, config.requests_per_second, self._brake.sleep)
        self._session = Session(self._exchange, self.clock, config.retry, self._brake.sleep)
        #: The newest request for details that was answered: its number, and the activity.
        self._answered, self._answered_id = 0, ""
        #: Different requests that were refused in a row; the answer to the last question about that.
        self._refused: set[str] = set()
        self._questions, self._renewed = 0, False
        self._asking = asyncio.Lock()
        self._closed = False

    def __repr__(self) -> str:
        return f"ServiceClient({self._exchange.host})"

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
        return await self._ask(self._list_page(query))

    async def activity_details(self, activity_id: str, failed: int | None = None) -> FetchedDetails:
        """Fetch one activity's details (docs/service.md 4.4).

        ``failed``: what ``pace.sent`` was when `try_details` failed. Raises `ServiceError`; among those
        `UnaddressableId`, and `UnexpectedShape` also for the details of another activity.
        """
        return await self._ask(_details(activity_id, failed))

    async def try_details(self, activity_id: str, failed: int | None = None) -> FetchedDetails:
        """Fetch one activity's details in one try.

        ``failed``: `FAILED_BEFORE` if it is known to fail. Raises as `activity_details`.
        """
        return await self._ask(_details(activity_id, failed), once=True)

    async def create_authorization(self, request: AuthorizationRequest) -> None:
        """Create an Authorization activity, once (docs/service.md 4.2).

        Never repeated, except after a 401, which proves that nothing was done. Any other
        `ServiceError` without ``not_sent`` and without a 4xx status leaves open whether the
        activity was created.
        """
        name, path = "creation of an authorization", "/activities/authorizations"
        content = msgspec.json.encode(request)
        operation = Operation("create", name, path, lambda _: None, content, success=(201,))
        await self._ask(operation, once=True)

    def _list_page(self, query: ListQuery) -> Operation[ActivitiesPage]:
        def read(body: bytes) -> ActivitiesPage:
            page = read_page(body, _LIST)
            self.unnamed.update(unknown_fields(body, ActivitiesPage))
            return page

        return Operation("list", _LIST, f"/activities{query.encoded()}", read)

    async def _ask(self, operation: Operation[T], *, once: bool = False) -> T:
        """Make one whole request, with its retries unless ``once``."""
        attempt = partial(self._attempt, operation)
        tried = int((operation.failed or 0) > 0)
        try:
            if once:
                result = await attempt(tried + 1)
            else:
                result = await with_retries(self._policy, attempt, self._brake.sleep, failed=tried)
        except (Unauthorized, Forbidden):
            if not await self._access_restored(operation) or operation.kind == "create":
                raise
            result = await self._try(operation, 2)
        self._refused.clear()
        return result

    async def _attempt(self, operation: Operation[T], number: int) -> T:
        """Make the ``number``-th attempt; when it shows that there may be an outage, find out first."""
        try:
            return await self._try(operation, number)
        except ServiceError as failure:
            if failure.service_failing and not failure.fatal:
                await self._check_for_outage(operation, failure)
                # The outage is the reason, and not this activity.
                if self._brake.tripped is not None and operation.kind != "create":
                    raise copy.copy(self._brake.tripped) from None
            elif not isinstance(failure, (Unauthorized, Forbidden)):
                self._refused.clear()
            raise

    async def _try(self, operation: Operation[T], number: int, repeats: int = 0) -> T:
        """Send a request when it is its turn; after a 401 repeat it with another token."""
        while True:
            failure: ServiceError | None = None
            self._check()
            queued = time.monotonic()
            place = await self.pace.enter()
            self.counts.waited += time.monotonic() - queued
            try:
                self._check()  # much may have happened while we waited
                token = self._session.usable() or await self._session.obtain()
                again = repeats > 0 and not token.accepted
                self.counts.retries += number > 1 or repeats > 0
                result = await self._exchange.send(operation, token.headers)
            except ServiceError as error:
                failure = error
            finally:
                self.pace.leave()
            if failure is None:
                if operation.kind == "details":
                    self._answered = max(self._answered, place)
                    self._answered_id = operation.subject or ""
                self._brake.answered(operation.kind)
                self.pace.answered()
                self._session.accepted(token, repeated=repeats > 0)
                return result
            if not failure.fatal:
                self._note_failure(operation, failure, place)
            if (
                not isinstance(failure, Unauthorized)
                or repeats == _MOST_REPEATS
                or not await self._session.replace(token, again=again)
            ):
                raise failure
            repeats += 1

    def _note_failure(self, operation: Operation[T], failure: ServiceError, place: int) -> None:
        """Tell pace and brake what a failure says about the service."""
        limited = isinstance(failure, RateLimited)
        others_answer = (
            operation.kind == "details"
            and operation.failed is not None
            and self.answered_after(operation.failed)
        )
        # A limit on requests answers some and refuses others, so a 429 counts until the next run.
        counts = (limited and operation.failed != FAILED_BEFORE) or not others_answer
        if operation.failed is None:
            operation.failed = self.pace.sent
        if not failure.service_failing:
            self._brake.answered(operation.kind)
            self.pace.answered()
        elif counts:
            self._brake.failed(operation.kind)
            if limited or (isinstance(failure, ServerFault) and failure.status == 503):
                self.pace.slow_down(place)
            wait = self._policy.asked_wait(failure)
            if wait is not None or limited:
                self.pace.pause(self._policy.initial_wait if wait is None else wait)

    def _check(self) -> None:
        """Refuse to go on once the client is closed, or no request can succeed."""
        if self._brake.tripped is not None:
            raise copy.copy(self._brake.tripped)
        if self._closed:
            raise RuntimeError("the client is closed")

    async def _check_for_outage(self, operation: Operation[T], failure: ServiceError) -> None:
        """After many failures in a row ask for something else; trip the brake if that fails, too."""
        kind = operation.kind
        if not self._brake.suspects(kind):
            return
        async with self._asking:  # another caller may have asked while this one waited
            if self._brake.tripped is not None or not (number := self._brake.suspects(kind)):
                return
            with suppress(ServiceError):
                if kind != "create":
                    await (self._patiently(_PROBE) if kind == "list" else self._try_others(failure))
                    self._brake.answered(kind)
                    return
            remedy = f"{failure.remedy}; " if failure.remedy else ""
            outage = Outage(
                "the service fails",
                f"the last {number} attempts all failed (the last one: {failure.cause})",
                f"{remedy}this run sends nothing more; run again once it works",
            )
            outage.proxy = failure.proxy
            self._brake.trip(outage)

    async def _try_others(self, failure: ServiceError) -> None:
        """Ask for an activity that was answered before, else for three that the list shows.

        Raises the last failure, or ``failure`` if there are no others.
        """
        if self._answered_id:
            others = [_details(self._answered_id)]
        else:
            page = await self._patiently(self._list_page(ListQuery(limit=35)))
            others = []
            for row in page.rows:
                with suppress(ServiceError):  # a row may be unreadable
                    others.append(_details(decode_list_item(row).id))
            others = others[:: max(1, len(others) // 3)]
        for other in others:
            try:
                await self._patiently(other)
            except ServiceError as error:
                if error.service_failing:
                    failure = error
                    continue
            return
        raise failure

    async def _patiently(self, operation: Operation[T]) -> T:
        """Send a request with its retries, outside the counts that led to it."""
        return await with_retries(self._policy, partial(self._try, operation), self._brake.sleep)

    async def _access_restored(self, operation: Operation[T]) -> bool:
        """After a refusal that puts access as such in doubt, find out; True: a new token restored it.

        The service refuses an activity whose sharing has ended and a bad key or token alike, by 403. Raises
        `AccessLost` if one row of the list is refused, also with a new token.
        """
        finding = "the list of activities was refused"
        if operation.kind != "list":
            self._refused.add(operation.name)
            finding = f"{len(self._refused)} requests in a row were refused"
            if len(self._refused) < _REFUSALS:
                return False
        asked = self._questions
        async with self._asking:
            self._check()
            if self._questions == asked:  # else another caller asked while this one waited
                self._renewed = await self._restore_access(finding)
                self._questions += 1
            return self._renewed

    async def _restore_access(self, finding: str) -> bool:
        for renewed in (False, True):
            if renewed:
                await self._session.renew()
            try:
                await self._try(_PROBE, 1)
            except (Unauthorized, Forbidden):
                continue
            except ServiceError as error:
                if error.fatal:
                    raise
                return False  # nothing is known; the next refusal asks again
            self._refused.clear()
            return renewed
        remedy = "check the API key and what the account may read"
        cause = f"{finding}, also with a new session token"
        lost = AccessLost("access to the service", cause, remedy)
        lost.proxy = self.proxy
        self._brake.trip(lost)
        raise copy.copy(lost)


def _details(activity_id: str, failed: int | None = None) -> Operation[FetchedDetails]:
    """Return the request for one activity's details (docs/service.md 4.4). Raises `UnaddressableId`."""
    segment = path_segment(activity_id)
    name = f"details of activity {segment[:_SHOWN_ID]}"

    def read(body: bytes) -> FetchedDetails:
        activity = decode_details(body, name)
        if activity.id != activity_id and activity.id.lower() != activity_id.lower():
            mistaken = UnexpectedShape(name, "the details of another activity came")
            mistaken.body = body
            raise mistaken
        return FetchedDetails(body, activity)

    path = f"/activities/{segment}"
    return Operation("details", name, path, read, failed=failed, subject=activity_id)


async def or_none(answer: Awaitable[T]) -> T | None:
    """Return an answer that is only a help; None where it failed, unless no other can succeed either."""
    try:
        return await answer
    except ServiceError as error:
        if error.fatal:
            raise
        return None
