"""One run: settle the open calls, send what is queued, find what was created.

The order is in docs/design.md "Authorizations".
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.authorizations.context import Context
from pipeline.authorizations.rules import Rules
from pipeline.authorizations.sending import CallSender
from pipeline.authorizations.settling import settle_calls
from pipeline.service.client import ServiceClient
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import ServiceError
from pipeline.service.pace import Pace
from pipeline.sync.day_boundaries import stored_day_boundaries
from pipeline.sync.days import day_of, start_of
from pipeline.sync.listing import PageSize
from pipeline.warehouse import authorizations
from pipeline.warehouse.authorization_sender import open_sender_connection
from pipeline.warehouse.engine import open_engine


@dataclass(frozen=True)
class Summary:
    """What a run did.

    ``now``: requests by the state that this run brought them to; one that was sent and then linked
    counts for both. ``states``: all requests by state after the run. ``problems``: one line for each
    thing that a person may want to know. ``stopped``: why sending ended early, None if it did not.
    """

    now: Counter[str]
    states: dict[str, int]
    problems: list[str]
    stopped: str | None


@dataclass(frozen=True)
class AuthorizationRun:
    """What a run needs. ``say`` takes lines about progress, with counts only.

    `send` and `settle` raise ``SenderBusy`` when another process sends, other ``WarehouseError`` and
    fatal ``ServiceError``. Everything done until then is recorded, and the next run continues there.
    """

    service: ServiceConfig
    warehouse_url: str
    rules: Rules
    say: Callable[[str], None]

    async def send(self) -> Summary:
        """Settle the open calls, then send what is queued, up to the daily limit."""
        async with self._begin() as run:
            await run.settle()
            await run.send()
            return run.summary()

    async def settle(self) -> Summary:
        """Find out what earlier calls did, without sending anything."""
        async with self._begin() as run:
            await run.settle()
            return run.summary()

    @asynccontextmanager
    async def _begin(self) -> AsyncIterator["_Running"]:
        engine, rules = open_engine(self.warehouse_url), self.rules
        try:
            async with ServiceClient(self.service) as client:
                with open_sender_connection(engine) as requests:
                    # The answer to the login shows the service's time, by which all calls are judged.
                    await client.login()
                    zone, boundaries = (
                        ZoneInfo(self.service.timezone),
                        stored_day_boundaries(engine),
                    )
                    page_size = PageSize(rules.page_size)
                    context = Context(client, requests, rules, zone, boundaries, page_size)
                    requests.recover(context.now())
                    pace = Pace(1, rules.per_second, asyncio.sleep)
                    sender = CallSender(context, authorizations.find_labels(engine), pace)
                    yield _Running(context, engine, sender, self.say)
        finally:
            engine.dispose()


@dataclass
class _Running:
    """A run under way. ``settled`` counts calls by the state that settling found."""

    context: Context
    engine: sa.Engine
    sender: CallSender
    say: Callable[[str], None]
    settled: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    stopped: str | None = None

    async def settle(self) -> None:
        """Look once at every open call."""
        counts = await settle_calls(self.context)
        self.settled += counts
        if counts:
            found = ", ".join(f"{number} {state}" for state, number in counts.items())
            self.say(f"settled earlier calls: {found}")

    async def send(self) -> None:
        """Send batch by batch, and link the activities of each batch before the next one."""
        rules, requests, now = self.context.rules, self.context.requests, self.context.now
        done = 0
        while allowed := max(0, rules.per_day - requests.count_calls(self._day_began())):
            rows = requests.next(min(rules.batch, allowed), now(), 2 * rules.tolerance)
            if not rows:
                break
            began = now()
            self.say(f"sending {len(rows)} of {self._queued()} queued; {done} done")
            try:
                await self.sender.send(rows)
            except ServiceError as error:
                self.stopped = str(error)
                if error.fatal:
                    return
            await self._link(began)
            if self.stopped:
                return
            done += len(rows)
        self._explain_the_rest(allowed)

    async def _link(self, began: datetime) -> None:
        """Settle the calls since ``began``, again after a pause where the list lags behind."""
        for pause in self.context.rules.pauses:
            await asyncio.sleep(pause)
            still_open = self.context.requests.open_calls(began)
            if not any(row.sent_at and row.sent_at >= began for row in still_open):
                break
            await self.settle()

    def _explain_the_rest(self, allowed: int) -> None:
        left = self._queued()
        if left and not allowed:
            self.problems.append(
                f"{left} stay queued: the daily limit of {self.context.rules.per_day} calls is reached"
                " (ACTIVITIES_AUTHORIZATIONS_PER_DAY)"
            )
        elif left:
            self.problems.append(
                f"{left} stay queued until calls with the same message are settled"
            )

    def summary(self) -> Summary:
        """Return what was done, with the states as they are now."""
        states = authorizations.count_by_state(self.engine)
        now = self.sender.ended + self.settled
        problems = list(self.problems)
        if states["unknown"]:
            minutes = self.context.rules.settle.total_seconds() / 60
            problems.append(
                f"{states['unknown']} may or may not have been created: runs find out from"
                f" {minutes:g} minutes after the call, or a person decides;"
                " `pipeline authorize list --state unknown` names them"
            )
        problems += [
            f"{now[state]} {what}: `pipeline authorize list --state {state}` shows why"
            for state, what in (("rejected", "were answered 400"), ("failed", "failed"))
            if now[state]
        ]
        return Summary(now, states, problems, self.stopped)

    def _queued(self) -> int:
        return authorizations.count_by_state(self.engine)["queued"]

    def _day_began(self) -> datetime:
        zone = self.context.zone
        return start_of(day_of(self.context.now(), zone), zone)
