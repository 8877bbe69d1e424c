"""Sending queued requests, each by one call (docs/service.md 4.2)."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from pipeline.authorizations.context import Context
from pipeline.authorizations.matching import plain_message
from pipeline.authorizations.phones import mask_in
from pipeline.authorizations.requests import Authorization, Labels, check_row
from pipeline.service.errors import BadRequest, RateLimited, ServiceError, StatusError, Unauthorized
from pipeline.service.pace import Pace
from pipeline.warehouse.authorizations import Row

#: Statuses that say: the request was read and not carried out. docs/service.md 7 names 400, 401 and 403.
#: A call that ends with any status that is not here may have taken effect.
_NOTHING_DONE = frozenset({400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431})
_MOST_BODY = 2000


@dataclass
class CallSender:
    """Makes the calls, one at a time. ``ended`` counts them by the state that they led to.

    ``pace``: lets one call begin at a time.
    """

    context: Context
    labels: Labels
    pace: Pace
    ended: Counter[str] = field(default_factory=Counter)
    _failures: int = field(default=0, init=False)

    async def send(self, rows: Sequence[Row]) -> None:
        """Send a batch. A message is held back after a call with it that got no clear answer.

        Two open calls with the same message could not be told apart. Raises a ``ServiceError`` when
        further calls make no sense; the rest of the batch stays queued.
        """
        held: set[str] = set()
        for row in rows:
            message = plain_message(row.description)
            if message not in held and await self._send_to_the_end(row) == "unknown":
                held.add(message)

    async def _send_to_the_end(self, row: Row) -> str | None:
        # An interrupt cancels us in the middle of a call. The call goes on until its end is
        # recorded; otherwise it would have to be settled as if the process had died.
        task = asyncio.ensure_future(self._send(row))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise

    async def _send(self, row: Row) -> str | None:
        """Return the new state of a request; None when it is not queued any more."""
        requests, now = self.context.requests, self.context.now
        checked = check_row(row, self.labels)
        if checked.request is None:
            requests.change_state(row, "failed", "; ".join(checked.problems))
            self.ended["failed"] += 1
            return "failed"
        state: str = "queued"
        while state == "queued":
            # Only the rate is kept here; the client itself waits as ``Retry-After`` says.
            self.pace.leave(await self.pace.enter(), None)
            # Log in first: a login that fails must not leave the call in doubt.
            await self.context.client.login()
            if not requests.begin(row, now()):
                return None
            failure: ServiceError | None = None
            try:
                await self.context.client.create_authorization(checked.request.body())
            except ServiceError as error:
                failure = error
            state, reason = _outcome(failure, checked.request)
            look_in = {"sent": timedelta(), "unknown": self.context.rules.settle}.get(state)
            requests.end(row, state, reason, now(), look_in)
            if state != "queued":
                self.ended[state] += 1
            self._stop_after(failure)
        return state

    def _stop_after(self, failure: ServiceError | None) -> None:
        """Raise ``failure`` when further calls make no sense; a 400 concerns one request only."""
        if failure is None or isinstance(failure, BadRequest):
            self._failures = 0
            return
        self._failures += 1
        too_many = self._failures >= self.context.rules.most_failures
        if failure.fatal or too_many or isinstance(failure, Unauthorized):
            raise failure


def _outcome(failure: ServiceError | None, request: Authorization) -> tuple[str, str | None]:
    """Return the state that the end of a call leads to, and the reason."""
    if failure is None:
        return "sent", None
    if isinstance(failure, BadRequest):
        return "rejected", _with_body(failure, request.phone_number)
    if failure.not_sent or isinstance(failure, (RateLimited, Unauthorized)):
        return "queued", failure.cause
    if isinstance(failure, StatusError) and failure.status in _NOTHING_DONE:
        return "failed", failure.cause
    return "unknown", failure.cause


def _with_body(failure: BadRequest, number: str) -> str:
    """Return the cause with the answer's body: on one line, short, and with the number masked."""
    body = failure.body[: 4 * _MOST_BODY].decode("utf-8", "replace").replace("\0", "\ufffd")
    text = " ".join(mask_in(body, number).split())[:_MOST_BODY]
    return f"{failure.cause}: {text}" if text else failure.cause
