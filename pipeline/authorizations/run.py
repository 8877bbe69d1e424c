"""One run: settle the open calls, send what is queued, find what was created.

The order is in docs/design.md "Authorizations".
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.authorizations.context import Context
from pipeline.authorizations.phones import read_country, read_number
from pipeline.authorizations.rules import Rules
from pipeline.authorizations.sending import CallSender
from pipeline.authorizations.settling import settle_calls
from pipeline.service.client import ServiceClient
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import ServiceError
from pipeline.service.models import ActivityDetails
from pipeline.service.pace import Pace
from pipeline.sync.budget import shared_budget
from pipeline.sync.day_boundaries import stored_day_boundaries
from pipeline.sync.days import day_of, start_of
from pipeline.sync.listing import PageSize
from pipeline.warehouse import authorizations
from pipeline.warehouse.authorization_sender import SenderConnection, open_sender_connection
from pipeline.warehouse.engine import open_engine

#: Seconds by which two measurements of the service's clock can differ: its headers have whole seconds.
_NOISE = 2.0
_LONGEST_PAUSE = 30.0


@dataclass(frozen=True)
class Summary:
    """What a run did.

    ``now``: requests by the state that this run brought them to; one that was sent and then linked
    counts for both. ``states``: all requests by state after the run. ``problems``: one line for each
    thing that a person may want to know. ``stopped``: why sending ended early, None if it did not.
    ``overdue``: calls that are not settled though the settling period is over.
    """

    now: Counter[str]
    states: dict[str, int]
    problems: list[str]
    stopped: str | None
    overdue: int = 0


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

    async def send(self, only: Sequence[str] | None = None) -> Summary:
        """Settle the open calls, then send what is queued, up to the daily limit.

        ``only``: ids of the requests that may be sent, None for all.
        """
        async with self._begin() as run:
            await run.settle()
            await run.send(only)
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
            async with ServiceClient(self.service) as client, shared_budget(engine, client):
                with open_sender_connection(engine) as requests:
                    # The answer to the login shows the service's time, by which all calls are judged.
                    await client.login()
                    zone = ZoneInfo(self.service.timezone)
                    boundaries = stored_day_boundaries(engine)
                    page_size = PageSize(rules.page_size)
                    # Add the same seconds as the last run did, if the service agrees.
                    clock, last = client.clock.skew, requests.last_clock()
                    clock = last if last is not None and abs(last - clock) < _NOISE else clock
                    context = Context(client, requests, rules, zone, boundaries, page_size, clock)
                    requests.recover(context.now())
                    _hold_in_e164(requests)
                    pace = Pace(1, rules.per_second, asyncio.sleep)
                    sender = CallSender(context, authorizations.find_labels(engine), pace)
                    yield _Running(context, engine, sender, self.say)
        finally:
            engine.dispose()


async def read_activity(service: ServiceConfig, activity_id: str) -> ActivityDetails:
    """Return the details of an activity. Raises ``ServiceError``."""
    async with ServiceClient(service) as client:
        return (await client.activity_details(activity_id)).activity


def _hold_in_e164(requests: SenderConnection) -> None:
    """Rewrite the numbers that other systems wrote in another form."""
    for row in requests.other_numbers():
        with suppress(ValueError):  # it fails when it is sent, with the reason
            requests.rewrite_number(
                row, read_number(row.phone_number, read_country(row.phone_country_code))
            )


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
        if counts["linked"]:
            self.context.requests.learn()
        if counts:
            found = ", ".join(f"{number} {state}" for state, number in counts.items())
            self.say(f"settled earlier calls: {found}")

    async def send(self, only: Sequence[str] | None) -> None:
        """Send batch by batch, and link the activities of each batch before the next one."""
        rules, requests, now = self.context.rules, self.context.requests, self.context.now
        began, done = now(), 0
        while allowed := max(0, rules.per_day - requests.count_calls(self._day_began())):
            rows = requests.next(min(rules.batch, allowed), only, list(self.sender.refused))
            if not rows:
                break
            self.say(f"sending {len(rows)} of {requests.count_queued(only)} queued; {done} done")
            try:
                await self.sender.send(rows)
            except ServiceError as error:
                self.stopped = str(error)
                if error.fatal:
                    return
            await self.settle()
            if self.stopped:
                break
            done += len(rows)
        await self._wait_for_the_list(began)
        # While the service takes other requests, a refusal is about the request.
        taken = self.sender.ended["sent"] > 0
        theirs = [name for name, surely in self.sender.refused.items() if surely or taken]
        self.sender.ended["failed"] += requests.count_refusals(theirs, rules.most_attempts)
        left = requests.count_queued(only)
        if left and not self.stopped:
            why = (
                "the service did not take them; `pipeline authorize list --state queued` shows why"
                if allowed
                else f"the daily limit of {rules.per_day} calls is reached"
                " (ACTIVITIES_AUTHORIZATIONS_PER_DAY)"
            )
            self.problems.append(f"{left} stay queued: {why}")

    async def _wait_for_the_list(self, began: datetime) -> None:
        """Look again while activities of this run are not listed, less and less often.

        A run that was killed shortly before is waited for, too.
        """
        longest = self.context.rules.wait.total_seconds()
        since = began - self.context.rules.wait
        waited, pause = 0.0, 1.0
        while waited < longest:
            rows = self.context.requests.open_calls(since)
            missing = [
                row for row in rows if row.state == "sent" and row.sent_at and row.sent_at >= since
            ]
            if not missing:
                return
            pause = min(pause, longest - waited)
            self.say(
                f"{len(missing)} created activities are not listed yet; waited {waited:.0f} s"
                f" of at most {longest:.0f}"
            )
            await asyncio.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, _LONGEST_PAUSE)
            await self.settle()

    def summary(self) -> Summary:
        """Return what was done, with the states as they are now."""
        states = authorizations.count_by_state(self.engine)
        settle = self.context.rules.settle
        before = self.context.now() - settle
        unfound, unclear = (
            authorizations.count_overdue(self.engine, state, before)
            for state in ("sent", "unknown")
        )
        now = self.sender.ended + self.settled
        problems = list(self.problems)
        minutes = f"{settle.total_seconds() / 60:g} minutes after the call"
        if states["sent"]:
            problems.append(
                f"{states['sent']} were created, but their activities are not found, {unfound}"
                f" of them {minutes} or later; until they are, calls at about the same time"
                " without a clear answer are neither linked nor sent again;"
                " `pipeline authorize list --state sent` names them"
            )
        if states["unknown"]:
            problems.append(
                f"{states['unknown']} may or may not have been created: runs find out from"
                f" {minutes}, or a person decides;"
                " `pipeline authorize list --state unknown` names them"
            )
        problems += [
            f"{now[state]} {what}: `pipeline authorize list --state {state}` shows why"
            for state, what in (("rejected", "were rejected by the service"), ("failed", "failed"))
            if now[state]
        ]
        return Summary(now, states, problems, self.stopped, unfound + unclear)

    def _day_began(self) -> datetime:
        zone = self.context.zone
        return start_of(day_of(self.context.now(), zone), zone)
