"""One run: settle the open calls, send what is queued, find what was created.

The order is in docs/design.md "Authorizations".
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from pipeline.authorizations.context import Context
from pipeline.authorizations.phones import read_country, read_number
from pipeline.authorizations.rules import Rules
from pipeline.authorizations.sending import send_calls
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
from pipeline.warehouse.authorization_sender import open_sender_connection
from pipeline.warehouse.authorizations import Row, count_by_state, find_labels
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.service_facts import learn_database

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
        async with self._begin() as context:
            await settle_calls(context)
            began = context.now()
            stopped = await _send(context, only)
            if stopped and stopped.fatal:
                return _summary(context, [], str(stopped))
            await _wait_for_the_list(context, began)
            _count_refusals(context)
            if stopped:
                return _summary(context, [], str(stopped))
            return _summary(context, _left(context, only))

    async def settle(self) -> Summary:
        """Find out what earlier calls did, without sending anything."""
        async with self._begin() as context:
            await settle_calls(context)
            return _summary(context, [])

    @asynccontextmanager
    async def _begin(self) -> AsyncIterator[Context]:
        engine, rules = open_engine(self.warehouse_url), self.rules
        try:
            async with ServiceClient(self.service) as client, shared_budget(engine, client):
                with open_sender_connection(engine) as requests:
                    restored = learn_database(engine)
                    # The answer to the login shows the service's time, by which all calls are judged.
                    await client.login()
                    # Add the same seconds as the last run did, if the service agrees.
                    clock, last = client.clock.skew, requests.last_clock()
                    clock = last if last is not None and abs(last - clock) < _NOISE else clock
                    context = Context(
                        engine,
                        client,
                        requests,
                        rules,
                        find_labels(engine),
                        ZoneInfo(self.service.timezone),
                        stored_day_boundaries(engine),
                        PageSize(rules.page_size),
                        clock,
                        self.say,
                        Pace(1, rules.per_second, asyncio.sleep),
                        [restored] if restored else [],
                    )
                    requests.recover(context.now())
                    requests.rewrite_numbers(_number)
                    yield context
        finally:
            engine.dispose()


async def read_activity(service: ServiceConfig, activity_id: str) -> ActivityDetails:
    """Return the details of an activity. Raises ``ServiceError``."""
    async with ServiceClient(service) as client:
        return (await client.activity_details(activity_id)).activity


def _number(row: Row) -> str:
    """Return the number of a request in E.164. Raises ValueError."""
    return read_number(row.phone_number, read_country(row.phone_country_code))


async def _send(context: Context, only: Sequence[str] | None) -> ServiceError | None:
    """Send batch by batch, and link the activities of each batch before the next one.

    Returns why sending ended early, None if it did not.
    """
    stopped, done = None, 0
    while stopped is None and (allowed := _calls_left(context)):
        size = min(context.rules.batch, allowed)
        rows = context.requests.next(size, only, list(context.refused))
        if not rows:
            break
        queued = context.requests.count_queued(only)
        context.say(f"sending {len(rows)} of {queued} queued; {done} done")
        try:
            await send_calls(context, rows)
        except ServiceError as error:
            if error.fatal:
                return error
            stopped = error
        await settle_calls(context)
        done += len(rows)
    return stopped


def _calls_left(context: Context) -> int:
    """Return how many calls are left of this day's."""
    began = start_of(day_of(context.now(), context.zone), context.zone)
    return max(0, context.rules.per_day - context.requests.count_calls(began))


async def _wait_for_the_list(context: Context, began: datetime) -> None:
    """Look again while activities of this run are not listed, less and less often.

    A run that was killed shortly before is waited for, too.
    """
    longest = context.rules.wait.total_seconds()
    since = began - context.rules.wait
    waited, pause = 0.0, 1.0
    while waited < longest and (missing := context.requests.count_sent(since)):
        pause = min(pause, longest - waited)
        context.say(
            f"{missing} created activities are not listed yet; waited {waited:.0f} s"
            f" of at most {longest:.0f}"
        )
        await asyncio.sleep(pause)
        waited, pause = waited + pause, min(2 * pause, _LONGEST_PAUSE)
        await settle_calls(context)


def _count_refusals(context: Context) -> None:
    """Let requests fail that were refused too often."""
    # While the service takes other requests, a refusal is about the request.
    taken = context.reached["sent"] > 0
    theirs = [name for name, surely in context.refused.items() if surely or taken]
    failed = context.requests.count_refusals(theirs, context.rules.most_attempts)
    context.reached["failed"] += failed


def _left(context: Context, only: Sequence[str] | None) -> list[str]:
    """Return a line that says why requests stay queued, if some do."""
    left = context.requests.count_queued(only)
    if not left:
        return []
    if _calls_left(context):
        why = "the service did not take them; `pipeline authorize list --state queued` shows why"
    else:
        limit = context.rules.per_day
        why = f"the daily limit of {limit} calls is reached (ACTIVITIES_AUTHORIZATIONS_PER_DAY)"
    return [f"{left} stay queued: {why}"]


def _summary(context: Context, problems: list[str], stopped: str | None = None) -> Summary:
    """Return what was done, with the states as they are now."""
    settle = context.rules.settle
    problems = [*context.problems, *problems]
    states = count_by_state(context.engine)
    overdue = count_by_state(context.engine, context.now() - settle)
    minutes = f"{settle.total_seconds() / 60:g} minutes after the call"
    lines = {
        "sent": f"{states['sent']} were created, but their activities are not found,"
        f" {overdue['sent']} of them {minutes} or later; until they are, calls at about the same time"
        " without a clear answer are neither linked nor sent again;"
        " `pipeline authorize list --state sent` names them",
        "unknown": f"{states['unknown']} may or may not have been created: runs find out from"
        f" {minutes}, or a person decides; `pipeline authorize list --state unknown` names them",
    }
    problems += [line for state, line in lines.items() if states[state]]
    reached = context.reached
    ended = {"rejected": "were rejected by the service", "failed": "failed"}
    problems += [
        f"{reached[state]} {what}: `pipeline authorize list --state {state}` shows why"
        for state, what in ended.items()
        if reached[state]
    ]
    return Summary(reached, states, problems, stopped, overdue["sent"] + overdue["unknown"])
