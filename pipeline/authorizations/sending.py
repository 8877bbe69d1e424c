"""Sending what is queued, each request by one call (specification 4.2)."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pipeline.authorizations.phones import masked_in
from pipeline.authorizations.requests import Authorization, fields_of, text_of
from pipeline.authorizations.rules import Rules
from pipeline.authorizations.validation import Labels, checked
from pipeline.service.client import ServiceClient
from pipeline.service.errors import BadRequest, RateLimited, ServiceError, StatusError, Unauthorized
from pipeline.warehouse.authorization_sender import Desk
from pipeline.warehouse.authorizations import Row

Sleep = Callable[[float], Awaitable[None]]

#: Answers that say that the request was looked at and not carried out. The specification names 400,
#: 401 and 403; of these others no service makes anything else. Whatever is not here may have had effect.
_UNDONE = frozenset({400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431})
_MOST_BODY = 2000
_LONGEST_WAIT = 30.0


@dataclass
class Sender:
    """Makes the calls, one at a time. ``ended`` counts them by the state they led to.

    ``now``: the service's clock.
    """

    client: ServiceClient
    desk: Desk
    labels: Labels
    rules: Rules
    now: Callable[[], datetime]
    sleep: Sleep = asyncio.sleep
    ended: Counter[str] = field(default_factory=Counter)
    _next_start: float = field(default=0.0, init=False)
    _failures: int = field(default=0, init=False)

    async def send(self, rows: list[Row], told: Callable[[], None]) -> None:
        """Send a batch; ``told`` is called after each request.

        After a call without a clear answer no more with that message follow: it is settled first.
        Raises a ``ServiceError`` when going on makes no sense: then what is left stays queued.
        """
        paused: set[str] = set()
        for row in rows:
            message = text_of(row.description, []).description
            if message not in paused:
                if await self._finished(row) == "unknown":
                    paused.add(message)
                told()

    async def _finished(self, row: Row) -> str | None:
        """Send one request to its end, even when cancelled in the middle: a call is not left half-way."""
        task = asyncio.ensure_future(self._send(row))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise

    async def _send(self, row: Row) -> str | None:
        """Return the state that the request has come to; None when it was not ours to send any more."""
        found = checked(fields_of(row), self.labels)
        if found.authorization is None:
            self.desk.refuse(row.id, "; ".join(found.problems))
            self.ended["failed"] += 1
            return "failed"
        while True:
            await self._take_turn()
            await self.client.login()  # a login that fails must not leave a call in doubt
            if not self.desk.begin(row.id, self.now()):
                return None
            failure = await self._call(found.authorization)
            state = self._record(row, found.authorization, failure)
            if state != "queued":
                self.ended[state] += 1
            self._count(failure)
            if state != "queued":
                return state
            await self._back_off(failure)

    async def _call(self, authorization: Authorization) -> ServiceError | None:
        try:
            await self.client.create_authorization(authorization.body())
        except ServiceError as error:
            return error
        return None

    def _record(self, row: Row, authorization: Authorization, failure: ServiceError | None) -> str:
        """Write down how a call ended, and return the state that follows."""
        soon = timedelta()
        if failure is None:
            state, reason, look_in = "sent", None, soon
        elif isinstance(failure, BadRequest):
            state, reason, look_in = "rejected", _with_body(failure, authorization.number), None
        elif failure.not_sent or isinstance(failure, (RateLimited, Unauthorized)):
            state, reason, look_in = "queued", failure.cause, None
        elif isinstance(failure, StatusError) and failure.status in _UNDONE:
            state, reason, look_in = "failed", failure.cause, None
        else:
            state, reason, look_in = "unknown", failure.cause, self.rules.settle
        self.desk.end(row.id, state, reason, self.now(), look_in)
        return state

    def _count(self, failure: ServiceError | None) -> None:
        """Stop when further calls make no sense; a 400 says nothing against them."""
        if failure is None or isinstance(failure, BadRequest):
            self._failures = 0
            return
        self._failures += 1
        if (
            failure.fatal
            or self._failures >= self.rules.most_failures
            or isinstance(failure, Unauthorized)
        ):
            raise failure

    async def _take_turn(self) -> None:
        """Wait until the next call may begin."""
        now = time.monotonic()
        start = max(now, self._next_start)
        self._next_start = start + 1 / self.rules.per_second
        if start > now:
            await self.sleep(start - now)

    async def _back_off(self, failure: ServiceError | None) -> None:
        """Wait before a call is repeated that had no effect, as long as the service asks for."""
        asked: float = getattr(failure, "retry_after", None) or 0.0
        spread = random.uniform(0, 2.0**self._failures)  # noqa: S311 - a pause, not a secret
        await self.sleep(min(asked + spread, _LONGEST_WAIT))


def _with_body(failure: BadRequest, number: str) -> str:
    """Return the cause with the answer's body: on one line, short, and with the number masked."""
    body = failure.body[: 4 * _MOST_BODY].decode("utf-8", "replace").replace("\0", "\ufffd")
    text = " ".join(masked_in(body, number).split())[:_MOST_BODY]
    return f"{failure.cause}: {text}" if text else failure.cause
