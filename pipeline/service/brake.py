"""The brake: finds out whether single requests fail, or the service fails or refuses everything.

========================================  ==========================================================
what happened                            what is asked, and what follows if that fails, too
========================================  ==========================================================
many failures in a row                    other details, or a row of the list: `Outage`
20 different requests refused in a row    a row of the list, if need be with a new token: `AccessLost`
the list refused                          the same
========================================  ==========================================================

Failures in a row are of one kind of operation, with no answer between: "many" are more than two tries of
all requests in flight, and at least `_LEAST`. An answer to a list request says nothing of details, so it
ends only a row of list requests; any other answer ends every row. An error about one request (400, 403,
404, a wrong shape) is an answer: the service works (docs/design.md "Retries and outages").
"""

import asyncio
import copy
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NoReturn

from pipeline.service.errors import AccessLost, Forbidden, Outage, ServiceError, Unauthorized
from pipeline.service.models import ActivitiesPage, decode_list_item
from pipeline.service.requests import ListQuery, Operation, details, page

_LEAST = 10

#: So many different requests in a row must be refused to put access as such in doubt.
_REFUSALS = 20


class Brake:
    """Once it has tripped, the client refuses every request.

    ``ask`` sends a request with its retries, and reports nothing to `answered` and `failed`. ``renew``
    replaces the session token.
    """

    def __init__(
        self,
        concurrency: int,
        ask: Callable[[Operation[Any]], Awaitable[Any]],
        renew: Callable[[], Awaitable[object]],
    ) -> None:
        self._most = max(_LEAST, 2 * concurrency + 1)
        self._ask = ask
        self._renew = renew
        self._tripped: ServiceError | None = None
        self._ended = asyncio.Event()
        self._failures: Counter[str] = Counter()
        #: The request for details that was answered last.
        self._answered: Operation[Any] | None = None
        #: Different requests that were refused in a row.
        self._refused: set[str] = set()
        self._asking = asyncio.Lock()

    def trip(self, error: ServiceError) -> None:
        """Refuse every further request with ``error``; the first one counts."""
        self._tripped = self._tripped or error
        self._ended.set()  # requests that wait for their next try must fail now, not after the wait

    def check(self) -> None:
        """Raise the error that tripped the brake, if any."""
        if self._tripped is not None:
            raise copy.copy(self._tripped)

    async def sleep(self, seconds: float) -> None:
        """Sleep so many seconds, or until the brake trips."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)

    def answered(self, operation: Operation[Any], error: ServiceError | None = None) -> None:
        """Note an answer; ``error``: if it is one, about this request alone."""
        if operation.kind == "list":
            del self._failures["list"]
        else:
            self._failures.clear()
        if not isinstance(error, (Unauthorized, Forbidden)):
            self._refused.clear()
        if error is None and operation.kind == "details":
            self._answered = operation

    async def failed(self, operation: Operation[Any], failure: ServiceError) -> None:
        """Note a failed attempt; after too many find out what fails. Raises `Outage` or `AccessLost`.

        If a new token restores access, the client uses it afterwards.
        """
        if failure.fatal:
            return
        if failure.service_failing:
            await self._check_service(operation.kind, failure)
            return
        self.answered(operation, failure)
        if isinstance(failure, (Unauthorized, Forbidden)):
            await self._check_access(operation, failure)

    async def _check_service(self, kind: str, failure: ServiceError) -> None:
        """Count a failure; after many in a row ask for something else."""
        self._failures[kind] += 1
        if self._failures[kind] < self._most:
            return
        async with self._asking:
            number = self._failures[kind]
            if number < self._most:  # another caller asked while this one waited
                return
            if not await self._is_answered(kind):
                cause = f"the last {number} attempts all failed (the last one: {failure.cause})"
                remedy = f"{failure.remedy}; " if failure.remedy else ""
                remedy += "this run sends nothing more; run again once it works"
                self._end(Outage("the service fails", cause, remedy), failure)
            del self._failures[kind]

    async def _is_answered(self, kind: str) -> bool:
        """Ask for something else than what failed; return whether the service answers."""
        for question in [_probe()] if kind == "list" else await self._other_details():
            failure = await self._failure_of(question)
            if failure is None or not (failure.fatal or failure.service_failing):
                return True
        return False

    async def _other_details(self) -> list[Operation[Any]]:
        """Return a request for details that were answered before, else for some that the list shows."""
        if self._answered:
            return [self._answered]
        others: list[Operation[Any]] = []
        with suppress(ServiceError):  # the list may fail, too
            listed = await self._ask(page(ListQuery(limit=500), set()))
            for row in listed.rows:
                with suppress(ServiceError):  # a row may be unreadable
                    others.append(details(decode_list_item(row).id))
        return others[:: max(1, len(others) // 3)]

    async def _failure_of(self, question: Operation[Any]) -> ServiceError | None:
        try:
            await self._ask(question)
        except ServiceError as error:
            return error
        return None

    async def _check_access(self, operation: Operation[Any], refusal: ServiceError) -> None:
        """After a refusal that puts access as such in doubt, ask for a row of the list.

        The service refuses an activity whose sharing has ended and a bad key or token alike, by 403.
        """
        finding = "the list of activities was refused"
        if operation.kind != "list":
            self._refused.add(operation.name)
            finding = f"{len(self._refused)} requests in a row were refused"
            if len(self._refused) < _REFUSALS:
                return
        async with self._asking:
            if not self._refused and operation.kind != "list":  # another caller asked meanwhile
                return
            failure = await self._failure_of(_probe())
            if isinstance(failure, (Unauthorized, Forbidden)):
                await self._renew()
                failure = await self._failure_of(_probe())
            if isinstance(failure, (Unauthorized, Forbidden)):
                cause = f"{finding}, also with a new session token"
                remedy = "check the API key and what the account may read"
                self._end(AccessLost("access to the service", cause, remedy), refusal)
            self.check()
            self._refused.clear()

    def _end(self, error: ServiceError, last: ServiceError) -> NoReturn:
        """Trip after the ``last`` failure; raise the first reason for it."""
        error.proxy = last.proxy
        self.trip(error)
        raise copy.copy(self._tripped or error)


def _probe() -> Operation[ActivitiesPage]:
    """Return a request for one row of the list: whether it may be read, and whether the service works."""
    return page(ListQuery(limit=1), set())
