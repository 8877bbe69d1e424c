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
from typing import Any

from pipeline.service.errors import AccessLost, Forbidden, Outage, ServiceError, Unauthorized
from pipeline.service.models import decode_list_item
from pipeline.service.requests import ListQuery, Operation, details, list_page

_LEAST = 10

#: So many different requests in a row must be refused to put access as such in doubt.
_REFUSALS = 20

#: Asks for one row of the list: whether it may be read, and whether the service works.
_PROBE = list_page(ListQuery(limit=1), set())


class Brake:
    """Once it has tripped, the client refuses every request.

    ``ask`` sends a request with its retries, and reports neither failures nor refusals to
    `check_for_outage` and `access_restored`. ``renew`` replaces the session's token.
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
        #: The activity whose details were answered last.
        self._answered_id = ""
        #: Different requests that were refused in a row; the answer to the last question about that.
        self._refused: set[str] = set()
        self._questions, self._renewed = 0, False
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
            self._answered_id = operation.subject

    def failed(self, operation: Operation[Any]) -> None:
        """Note an attempt that failed by the service's fault."""
        self._failures[operation.kind] += 1

    async def check_for_outage(self, operation: Operation[Any], failure: ServiceError) -> None:
        """After many failures in a row ask for something else. Raises `Outage` if that fails, too."""
        kind = operation.kind
        if self._failures[kind] < self._most:
            return
        async with self._asking:
            number = self._failures[kind]
            if number < self._most:  # another caller asked while this one waited
                return
            with suppress(ServiceError):
                await (self._ask(_PROBE) if kind == "list" else self._ask_others(failure))
                del self._failures[kind]
                return
            remedy = f"{failure.remedy}; " if failure.remedy else ""
            outage = Outage(
                "the service fails",
                f"the last {number} attempts all failed (the last one: {failure.cause})",
                f"{remedy}this run sends nothing more; run again once it works",
            )
            outage.proxy = failure.proxy
            self.trip(outage)
            self.check()  # the first reason to stop counts

    async def _ask_others(self, failure: ServiceError) -> None:
        """Ask for an activity that was answered before, else for three that the list shows.

        Raises the last failure, or ``failure`` if there are no others.
        """
        if self._answered_id:
            others = [details(self._answered_id)]
        else:
            page = await self._ask(list_page(ListQuery(limit=500), set()))
            others = []
            for row in page.rows:
                with suppress(ServiceError):  # a row may be unreadable
                    others.append(details(decode_list_item(row).id))
            others = others[:: max(1, len(others) // 3)]
        for other in others:
            try:
                await self._ask(other)
            except ServiceError as error:
                if error.service_failing:
                    failure = error
                    continue
            return
        raise failure

    async def access_restored(self, operation: Operation[Any], refusal: ServiceError) -> bool:
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
            self.check()
            if self._questions == asked:  # else another caller asked while this one waited
                self._renewed = await self._restore_access(finding, refusal)
                self._questions += 1
            return self._renewed

    async def _restore_access(self, finding: str, refusal: ServiceError) -> bool:
        for renewed in (False, True):
            if renewed:
                await self._renew()
            try:
                await self._ask(_PROBE)
            except (Unauthorized, Forbidden):
                continue
            except ServiceError as error:
                if error.fatal:
                    raise
                return False  # nothing is known; the next refusal asks again
            return renewed
        remedy = "check the API key and what the account may read"
        cause = f"{finding}, also with a new session token"
        lost = AccessLost("access to the service", cause, remedy)
        lost.proxy = refusal.proxy
        self.trip(lost)
        raise lost
