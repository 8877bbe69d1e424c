"""One run: settle the open calls, send what is queued, find what was created.

The order is in docs/design.md "Authorizations".
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from pipeline.authorizations.context import Context, Rules
from pipeline.authorizations.intake import take_in
from pipeline.authorizations.listing import Look
from pipeline.authorizations.sending import end_refusals, send_calls
from pipeline.authorizations.settling import settle_calls
from pipeline.service.client import ServiceClient
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import ServiceError
from pipeline.service.models import ActivityDetails
from pipeline.sync.budget import shared_budget
from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.requests import authorizations
from pipeline.warehouse.requests.authorization_sender import open_sender
from pipeline.warehouse.requests.authorizations import change_state
from pipeline.warehouse.state.service_facts import learn

#: Calls between two looks at the list.
_BATCH = 50
_LONGEST_PAUSE = 30.0
#: Seconds for the last look of a run that was stopped: the service may hold up every request.
_LAST_LOOK = 60.0
RESTORED = (
    "the warehouse was restored from a backup: nothing is queued or sent before"
    " `pipeline authorize confirm-restore FILE` has linked what was sent since"
)
"""Why a run or a command that sends does nothing."""


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

    `send` raises ``SenderBusy`` when another process sends, other ``WarehouseError`` and fatal
    ``ServiceError``. Everything done until then is recorded, and the next run continues there.
    """

    service: ServiceConfig
    warehouse_url: str
    rules: Rules
    say: Callable[[str], None]

    async def send(self, only: Sequence[str] | None = None) -> Summary:
        """Settle the open calls, then send what is queued, up to the daily limit.

        ``only``: ids of the requests that may be sent, None for all; with none of them it only finds out
        what earlier calls did.
        """
        async with self._opened() as context:
            if context.restored and only != []:
                context.stopped = RESTORED
            try:
                await settle_calls(context)
                while await _send_batch(context, only):
                    async with asyncio.timeout(_LAST_LOOK if context.stopped else None):
                        await settle_calls(context)
                end_refusals(context)
                await _wait_for_the_list(context)
            except ServiceError as error:
                context.stopped = str(error)
            except TimeoutError:
                pass  # the next run looks
            return _summary(context, only)

    async def look(self) -> tuple[int, Look]:
        """Link what the service shows, and send nothing; return how many requests were linked."""
        async with self._opened() as context:
            found = await settle_calls(context, all_=True)
            return context.reached["linked"], found

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Context]:
        """Log in as the one sender."""
        with warehouse_engine(self.warehouse_url) as engine, open_sender(engine) as session:
            learn(engine, authorizations.REPEAT_DAYS, str(self.rules.repeat_days))
            async with ServiceClient(self.service) as client, shared_budget(engine, client):
                # The answer to the login shows the service's time, by which all calls are judged.
                await client.login()
                zone = ZoneInfo(self.service.timezone)
                context = Context(engine, client, session, self.rules, zone, self.say)
                _recover(context)
                # Before anything looks for references.
                take_in(context, authorizations.find(engine, "to_take_in"))
                yield context


async def read_activity(service: ServiceConfig, activity_id: str) -> ActivityDetails:
    """Return the details of an activity. Raises ``ServiceError``."""
    async with ServiceClient(service) as client:
        return (await client.activity_details(activity_id)).activity


def _recover(context: Context) -> None:
    """Make each call under way an unclear one: its process died, since we hold the sender's lock."""
    for row in authorizations.find(context.engine, "states", states=["sending"]):
        reason = "the process that made the call died before its answer was recorded"
        change_state(context.session, row, "unknown", reason, now=context.now())


async def _send_batch(context: Context, only: Sequence[str] | None) -> bool:
    """Send some of what is queued; return whether there was something. Raises a fatal ``ServiceError``."""
    if context.restored or context.stopped:
        return False
    queued, allowed = _waiting(context, only)
    size, refused = min(_BATCH, allowed), [each.row.id for each in context.refused]
    rows = authorizations.find(context.engine, "to_send", limit=size, only=only, refused=refused)
    if not rows:
        return False
    requests = take_in(context, rows)
    context.say(f"sending {len(rows)} of {queued} queued; {context.reached['linked']} linked")
    await send_calls(context, requests)
    return True


def _waiting(context: Context, only: Sequence[str] | None) -> tuple[int, int]:
    """Return how many requests are queued, and how many calls are left of this day's."""
    queued, _, calls = authorizations.count_waiting(
        context.engine, context.now(), context.zone.key, only
    )
    return queued, max(0, context.rules.per_day - calls)


async def _wait_for_the_list(context: Context) -> None:
    """Look again while activities of late calls are not listed, less and less often.

    A run that was killed shortly before is waited for, too.
    """
    longest = context.rules.wait.total_seconds()
    since = context.now() - context.rules.wait
    waited, pause = 0.0, 1.0
    while waited < longest and not context.stopped:
        if not (missing := authorizations.find(context.engine, "created_since", since=since)):
            return
        told = f"{len(missing)} created activities are not listed yet"
        context.say(f"{told}; waited {waited:.0f} s of at most {longest:.0f}")
        await asyncio.sleep(min(pause, longest - waited))
        waited, pause = waited + pause, min(2 * pause, _LONGEST_PAUSE)
        await settle_calls(context)


def _summary(context: Context, only: Sequence[str] | None) -> Summary:
    """Return what was done, with the states as they are now."""
    settle, reached = context.rules.settle, context.reached
    states = authorizations.count_by_state(context.engine)
    overdue = authorizations.count_by_state(context.engine, context.now() - settle)
    queued, allowed = _waiting(context, only)
    minutes = f"{settle.total_seconds() / 60:g} minutes after the call"
    limit = f"the daily limit of {context.rules.per_day} calls (ACTIVITIES_AUTHORIZATIONS_PER_DAY)"
    told = {
        "queued": f"stay queued: {'the service did not take them' if allowed else limit}",
        "sent": "were created, but their activities are not found,"
        f" {overdue['sent']} of them {minutes} or later",
        "unknown": "may or may not have been created: they are linked once the list shows them, or"
        " `pipeline authorize resolve` ends them",
        "rejected": "were rejected by the service",
        "failed": "failed",
    }
    # Open requests are told until they are settled, those that ended only by the run that ended them.
    counts = states | {state: reached[state] for state in ("rejected", "failed")}
    counts["queued"] = 0 if context.stopped else queued
    problems = [RESTORED] if context.restored else []
    if context.several:
        problems.append(f"{context.several} calls created more than one activity: all are linked")
    problems += [
        f"{counts[state]} {what}; `pipeline authorize list --state {state}` shows them"
        for state, what in told.items()
        if counts[state]
    ]
    return Summary(reached, states, problems, context.stopped, overdue["sent"] + overdue["unknown"])
