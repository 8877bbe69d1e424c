"""Details: workers fetch them and hand each outcome to the loader (docs/design.md "Fetch").

One bad record never stops the others. A fatal error (refused key, outage) stops all workers; what
was fetched until then is loaded.

What a details request that failed for good means, first match first:

====================  ===================================  ========================================
answer                activity                             outcome
====================  ===================================  ========================================
403, 404              a verified walk no longer lists it   candidate for gone, judged by the brake
403                   its sharing period is over           withheld, stored at the end of the run
403, 404              fetched without a row of the list    refused: the caller decides
401, 403, 429, 5xx,   any                                  postponed: stored at the end of the run,
no or half an answer                                       when no outage and no lost access ended it
anything else         any                                  quarantined at once
====================  ===================================  ========================================
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from pipeline.service.client import ServiceClient
from pipeline.service.errors import (
    Forbidden,
    MalformedResponse,
    NotFound,
    ServerFault,
    ServiceError,
    Unauthorized,
    UnexpectedShape,
    Unreachable,
)
from pipeline.service.models import decode_list_item
from pipeline.sync.fields import Unstorable
from pipeline.sync.listing import ListRow
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper
from pipeline.sync.options import Progress
from pipeline.warehouse.rows import Failure, Outcome


@dataclass(slots=True)
class Work:
    """One activity whose details are needed.

    ``listed``: its new row of the list. ``unlisted``: a verified walk no longer lists it, so a 403
    or 404 is the evidence that it is gone. ``over``: its sharing period is known to be over.
    """

    activity_id: str
    day: date | None
    listed: ListRow | None = None
    unlisted: bool = False
    over: bool = False


@dataclass
class Undecided:
    """Outcomes that the fetcher did not hand to the loader; see the table of this module."""

    postponed: list[Outcome] = field(default_factory=list)
    gone: list[Outcome] = field(default_factory=list)
    refused: list[Outcome] = field(default_factory=list)


@dataclass
class _Batch(Undecided):
    """The works of one call of `Fetcher.fetch`: what they left undecided, and how many are open."""

    open: int = 0
    finished: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False, repr=False)
class Fetcher:
    """A fixed number of workers that fetch details. Call `fetch` inside the block of `working`."""

    client: ServiceClient
    mapper: Mapper
    loader: Loader
    progress: Progress
    workers: int

    def __post_init__(self) -> None:
        # Bounded, so that a window's works wait here only as far as the workers can take them soon.
        self._queue: asyncio.Queue[tuple[Work, _Batch]] = asyncio.Queue(maxsize=2 * self.workers)
        self._known = self._done = 0

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Keep the workers at work during the block.

        A worker's error cancels the block. However the block ends early, the loader loads what was
        fetched, and the first error is raised, without the group around it.
        """
        try:
            async with asyncio.TaskGroup() as group:
                workers = [group.create_task(self._work()) for _ in range(self.workers)]
                yield
                # They wait for work for ever, and the group waits for them.
                for worker in workers:
                    worker.cancel()
        except BaseException as error:
            # The workers have ended by now, so nothing is added while the last batch is loaded.
            await self.loader.flush_last(hurried=isinstance(error, asyncio.CancelledError))
            raise _first_cause(error) from None

    async def fetch(self, works: Sequence[Work]) -> Undecided:
        """Fetch the details of ``works``; return when all that came is committed.

        Several tasks may call this at the same time; they share the workers.
        """
        batch = _Batch(open=len(works))
        self._known += len(works)
        # The batch knows its size before the first put, so no worker can close it too early.
        for work in works:
            await self._queue.put((work, batch))
        if works:
            await batch.finished.wait()
        await self.loader.flush()
        return batch

    async def _work(self) -> None:
        while True:
            work, batch = await self._queue.get()
            outcome = await self._fetch(work, batch)
            if outcome is not None:
                await self.loader.add(outcome)
            self._done += 1
            self.progress.advance(self._done, self._known)
            # Only now, when the loader has the outcome: the caller flushes once all works are closed.
            batch.open -= 1
            if batch.open == 0:
                batch.finished.set()

    async def _fetch(self, work: Work, batch: _Batch) -> Outcome | None:
        try:
            fetched = await self.client.activity_details(work.activity_id)
        except ServiceError as error:
            # Ends all workers through their task group: the next request would fail as well.
            if error.fatal:
                raise
            return self._judge_failure(work, batch, error)
        received_at = datetime.now(UTC)
        outcome = self._listed_outcome(work)
        try:
            outcome.details = self.mapper.details(
                fetched.body,
                fetched.activity,
                work.activity_id,
                received_at,
                self.client.clock.now(),
            )
        except Unstorable as error:
            outcome.failures.append(_details_failure(work, str(error), fetched.body))
        else:
            for failure in outcome.failures:
                if failure.day_guessed and outcome.details.day is not None:
                    failure.day, failure.day_guessed = outcome.details.day, False
        return outcome

    def _judge_failure(self, work: Work, batch: _Batch, error: ServiceError) -> Outcome | None:
        """Return what to load now; None when ``batch`` holds the outcome back."""
        refused = isinstance(error, Forbidden | NotFound)
        if refused and work.unlisted:
            batch.gone.append(Outcome(work.activity_id, gone_at=datetime.now(UTC)))
            return None
        outcome = self._listed_outcome(work)
        listed = outcome.listed
        over = listed is not None and (work.over or listed.status == "EXPIRED")
        if over and isinstance(error, Forbidden):
            outcome.withheld_at = datetime.now(UTC)
            batch.postponed.append(outcome)
            return None
        body = error.body if isinstance(error, UnexpectedShape | MalformedResponse) else None
        outcome.failures.append(_details_failure(work, str(error), body))
        if refused and work.listed is None:
            batch.refused.append(outcome)
        elif _may_be_the_service(error):
            batch.postponed.append(outcome)
        else:
            return outcome
        return None

    def _listed_outcome(self, work: Work) -> Outcome:
        row = work.listed
        return list_outcome(self.mapper, row) if row is not None else Outcome(work.activity_id)


def list_outcome(mapper: Mapper, row: ListRow) -> Outcome:
    """Return the outcome of a row of the list: mapped, or the reason why that can't be done."""
    reason = row.malformed
    if reason is None:
        try:
            item = decode_list_item(row.body)
            listed = mapper.listed(row.body, item, row.received_at, row.day, row.fingerprint)
            return Outcome(row.subject, listed=listed)
        except UnexpectedShape as error:
            reason = error.cause
        except Unstorable as error:
            reason = str(error)
    failure = Failure(
        source="list",
        subject=row.subject,
        activity_id=row.activity_id,
        day=row.day,
        reason=reason,
        payload=row.body,
        at=row.received_at,
        day_guessed=row.created_at is None and row.activity_id == row.subject,
    )
    return Outcome(row.subject, failures=[failure])


def _details_failure(work: Work, reason: str, payload: bytes | None) -> Failure:
    return Failure(
        source="details",
        subject=work.activity_id,
        activity_id=work.activity_id,
        day=work.day,
        reason=reason,
        payload=payload,
        at=datetime.now(UTC),
        day_guessed=work.listed is not None and work.listed.created_at is None,
    )


def _may_be_the_service(error: ServiceError) -> bool:
    """Whether this may be the fault of the service or the session, not of the activity."""
    # Malformed: a proxy's page or a cut body, which an outage may answer too.
    return error.retryable or isinstance(
        error, ServerFault | Unreachable | MalformedResponse | Unauthorized | Forbidden
    )


def _first_cause(error: BaseException) -> BaseException:
    """Return the first error of nested groups: the one that ended the run and cancelled the rest."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
