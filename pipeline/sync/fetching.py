"""Details: N workers fetch, each outcome goes to the loader, failures go to quarantine.

One bad record never stops the others; a fatal error (bad key, outage) stops them all and leaves
in place what was fetched.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from pipeline.service.client import ServiceClient
from pipeline.service.errors import (
    ConnectionLost,
    Forbidden,
    MalformedResponse,
    NotFound,
    RateLimited,
    ServerFault,
    ServiceError,
    TimedOut,
    Unauthorized,
    UnexpectedShape,
    Unreachable,
)
from pipeline.service.models import decode_list_item
from pipeline.sync.listing import ListRow
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper, Unstorable
from pipeline.sync.options import Progress
from pipeline.warehouse.rows import Failure, ListObservation, Outcome

#: May be the service's or the session's trouble: no activity is blamed before the run's work is done.
_DOUBTFUL = (
    RateLimited,
    ServerFault,
    TimedOut,
    Unreachable,
    ConnectionLost,
    MalformedResponse,  # a proxy's page, a cut body: what an outage answers, too
    Unauthorized,
    Forbidden,
)


@dataclass
class Tally:
    """The works of one window: how many are under way, and what they left behind.

    ``doubtful``: failures that may not be the activity's own, held back. ``refused``: 403 and
    404 for activities fetched one by one, held back (with ``hold_refusals``) until their day is walked.
    """

    hold_refusals: bool = False
    pending: int = 0
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    doubtful: list[Outcome] = field(default_factory=list)
    gone: list[Outcome] = field(default_factory=list)
    refused: "list[tuple[Work, Outcome]]" = field(default_factory=list)

    def begin(self) -> None:
        """Count one more work under way."""
        self.pending += 1
        self.idle.clear()

    def end(self) -> None:
        """Count one work as done."""
        self.pending -= 1
        if self.pending == 0:
            self.idle.set()

    async def settled(self) -> None:
        """Wait until no work is under way."""
        if self.pending:
            await self.idle.wait()


@dataclass(slots=True)
class Work:
    """One activity whose details are wanted.

    ``listed``: its new row of the list. ``unlisted``: a verified walk no longer lists it, so that a
    403 or 404 is the evidence that it is gone. ``over``: its sharing period is known to be over.
    """

    activity_id: str
    day: date | None
    tally: Tally
    listed: ListRow | None = None
    unlisted: bool = False
    over: bool = False


class Fetcher:
    """The workers. Use as an async context manager around all that adds work."""

    def __init__(
        self,
        client: ServiceClient,
        mapper: Mapper,
        loader: Loader,
        progress: Progress,
        workers: int,
    ) -> None:
        self._client = client
        self._mapper = mapper
        self._loader = loader
        self._progress = progress
        self._workers = workers
        self._queue: asyncio.Queue[Work] = asyncio.Queue(maxsize=2 * workers)
        self.known = 0
        self.done = 0

    async def add(self, work: Work) -> None:
        """Queue one activity; waits while the queue is full."""
        work.tally.begin()
        await self._queue.put(work)

    def start(self, group: asyncio.TaskGroup) -> list[asyncio.Task[None]]:
        """Start the workers in ``group``; they work until cancelled."""
        return [group.create_task(self._run()) for _ in range(self._workers)]

    async def _run(self) -> None:
        while True:
            work = await self._queue.get()
            outcome = await self._fetch(work)
            if outcome is not None:
                await self._loader.add(outcome)
            self.done += 1
            self._progress.fetched(self.done, self.known)
            work.tally.end()

    async def _fetch(self, work: Work) -> Outcome | None:
        outcome = Outcome(work.activity_id)
        try:
            fetched = await self._client.activity_details(work.activity_id)
        except ServiceError as error:
            if error.fatal:
                raise
            return self._failed(work, outcome, error)
        received_at = datetime.now(UTC)
        service_time = self._client.clock.now()
        add_listed(self._mapper, outcome, work.listed)
        try:
            outcome.details = self._mapper.details(
                fetched.body, fetched.activity, work.activity_id, received_at, service_time
            )
        except Unstorable as error:
            outcome.failures.append(details_failure(work, str(error), fetched.body))
        else:
            for failure in outcome.failures:
                if failure.day_guessed and outcome.details.day is not None:
                    failure.day, failure.day_guessed = outcome.details.day, False
        return outcome

    def _failed(self, work: Work, outcome: Outcome, error: ServiceError) -> Outcome | None:
        """Judge a details request that failed for good; None: judged when the run's work is done."""
        if work.unlisted and isinstance(error, Forbidden | NotFound):
            outcome.gone_at = datetime.now(UTC)
            work.tally.gone.append(outcome)
            return None
        add_listed(self._mapper, outcome, work.listed)
        listed = outcome.listed
        over = listed is not None and (work.over or listed.status == "EXPIRED")
        if over and isinstance(error, Forbidden):
            outcome.withheld_at = datetime.now(UTC)
            work.tally.doubtful.append(outcome)
            return None
        body = error.body if isinstance(error, UnexpectedShape | MalformedResponse) else None
        outcome.failures.append(details_failure(work, str(error), body))
        if work.tally.hold_refusals and isinstance(error, Forbidden | NotFound):
            work.tally.refused.append((work, outcome))
            return None
        if isinstance(error, _DOUBTFUL):
            work.tally.doubtful.append(outcome)
            return None
        return outcome


def add_listed(mapper: Mapper, outcome: Outcome, row: ListRow | None) -> None:
    """Add the list row to the outcome, or the reason why it can't be stored."""
    if row is None:
        return
    listed = observe_list(mapper, row)
    if isinstance(listed, Failure):
        outcome.failures.append(listed)
    else:
        outcome.listed = listed


def observe_list(mapper: Mapper, row: ListRow) -> ListObservation | Failure:
    """Map a row of the list, or say why that can't be done."""
    reason = row.malformed
    if reason is None:
        try:
            item = decode_list_item(row.body)
            return mapper.listed(row.body, item, row.received_at, row.day, row.fingerprint)
        except UnexpectedShape as error:
            reason = error.cause
        except Unstorable as error:
            reason = str(error)
    return Failure(
        source="list",
        subject=row.subject,
        activity_id=row.activity_id,
        day=row.day,
        reason=reason,
        payload=row.body,
        at=row.received_at,
        day_guessed=row.undated and row.activity_id == row.subject,
    )


def details_failure(work: Work, reason: str, payload: bytes | None) -> Failure:
    """Return the quarantine entry for details that could not be had or stored."""
    return Failure(
        source="details",
        subject=work.activity_id,
        activity_id=work.activity_id,
        day=work.day,
        reason=reason,
        payload=payload,
        at=datetime.now(UTC),
        day_guessed=work.listed is not None and work.listed.undated,
    )
