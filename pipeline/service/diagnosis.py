"""Finds out whether failures are about single activities, or the service fails or refuses everything.

========================================  ==========================================================
what happened                            what is asked, and what follows if that fails, too
========================================  ==========================================================
many failures in a row (`Brake`)          other details, or a row of the list: `Outage`
20 different requests refused in a row    a row of the list, if need be with a new token: `AccessLost`
the list refused                          the same
========================================  ==========================================================
"""

import asyncio
import copy
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from pipeline.service.brake import Brake
from pipeline.service.errors import AccessLost, Forbidden, Outage, ServiceError, Unauthorized
from pipeline.service.models import decode_list_item
from pipeline.service.requests import ListQuery, Operation, details, list_page
from pipeline.service.retry import RetryPolicy, with_retries
from pipeline.service.session import Session

T = TypeVar("T")

#: So many different requests in a row must be refused to put access as such in doubt.
_REFUSALS = 20

#: Asks for one row of the list: whether it may be read, and whether the service works.
_PROBE = Operation("list", "probe of access", f"/activities{ListQuery(limit=1).encoded()}", bytes)


class Diagnosis:
    """Asks by ``attempt(operation, number)``, which sends a request once."""

    def __init__(
        self,
        attempt: Callable[[Operation[Any], int], Awaitable[Any]],
        policy: RetryPolicy,
        brake: Brake,
        session: Session,
    ) -> None:
        #: The activity whose details were answered last.
        self._answered_id = ""
        self._attempt = attempt
        self._policy = policy
        self._brake = brake
        self._session = session
        #: Different requests that were refused in a row; the answer to the last question about that.
        self._refused: set[str] = set()
        self._questions, self._renewed = 0, False
        self._asking = asyncio.Lock()

    def granted(self, answered: Operation[Any] | None = None) -> None:
        """Note an answer that needed access and had it; ``answered``: to what, if it succeeded."""
        if self._refused:
            self._refused.clear()
        if answered is not None and answered.kind == "details":
            self._answered_id = answered.subject

    async def check_for_outage(self, operation: Operation[T], failure: ServiceError) -> None:
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
            others = [details(self._answered_id)]
        else:
            page = await self._patiently(list_page(ListQuery(limit=500), set()))
            others = []
            for row in page.rows:
                with suppress(ServiceError):  # a row may be unreadable
                    others.append(details(decode_list_item(row).id))
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
        return await with_retries(
            self._policy, partial(self._attempt, operation), self._brake.sleep
        )

    async def access_restored(self, operation: Operation[T], refusal: ServiceError) -> bool:
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
            if self._brake.tripped is not None:
                raise copy.copy(self._brake.tripped)
            if self._questions == asked:  # else another caller asked while this one waited
                self._renewed = await self._restore_access(finding, refusal)
                self._questions += 1
            return self._renewed

    async def _restore_access(self, finding: str, refusal: ServiceError) -> bool:
        for renewed in (False, True):
            if renewed:
                await self._session.renew()
            try:
                await self._attempt(_PROBE, 1)
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
        self._brake.trip(lost)
        raise copy.copy(lost)
