"""Details: fetched a few at a time, each outcome handed to the loader (docs/design.md "Fetch").

One bad record never stops the others. What is in quarantine already is asked once, after them. A fatal
error (refused key, outage) stops all fetching; what was fetched until then is loaded.

What a details request that failed for good means, first match first:

====================  ===================================  ========================================
answer                activity                             outcome
====================  ===================================  ========================================
5xx, 429, no or half  not yet known to fail                put aside: asked again, with retries,
an answer                                                  after all others
403, 404              a verified walk no longer lists it   candidate for gone, judged by the brake
403                   its sharing period is over           withheld, stored at the end of the run
403, 404              fetched without a row of the list    refused: the caller decides
401, 403, 429, 3xx,   any, and others were answered since  quarantined with its window
5xx, no or half an    it first failed
answer
the same              any other                            postponed: stored at the end of the run,
                                                           when no outage and no lost access ended it
anything else         any                                  quarantined at once
====================  ===================================  ========================================
"""

import asyncio
from collections.abc import AsyncIterator, Container, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from pipeline.service.client import FAILED_BEFORE, ListQuery, or_none
from pipeline.service.errors import Forbidden, NotFound, ServiceError, Unauthorized, UnexpectedShape
from pipeline.service.models import decode_list_item
from pipeline.sync.codes import FIELD
from pipeline.sync.fields import Unstorable
from pipeline.sync.list_rows import ListRow, list_outcome
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper
from pipeline.sync.options import Tools
from pipeline.sync.stamps import Stamp
from pipeline.telemetry import step
from pipeline.warehouse.doubts import agreed, disagreement
from pipeline.warehouse.load import refused
from pipeline.warehouse.rows import DetailsObservation, Failure, Outcome, Row


@dataclass(slots=True)
class Work:
    """One activity whose details are needed.

    ``listed``: its new row of the list. ``unlisted``: a verified walk no longer lists it, so a 403
    or 404 is the evidence that it is gone. ``hidden``: the list does not show it, so its details can't be
    compared now. ``over``: its sharing period is known to be over.
    ``failed``: as the client takes it, set when the activity is put aside or is known to fail.
    ``known``: what is stored of it where the list must agree, too; what has changed there is compared
    with the list.
    ``again``: answers contradicted each other, so the list is asked for it alone, then the details.
    """

    activity_id: str
    day: date | None
    listed: ListRow | None = None
    unlisted: bool = False
    hidden: bool = False
    over: bool = False
    failed: int | None = None
    known: Row = ()
    again: bool = False


@dataclass
class Batch:
    """The works of one call of `Fetcher.fetch`, and what they left undecided.

    ``postponed``, ``gone``, ``refused``: outcomes that the loader did not get; see this module's table.
    ``aside``: works to ask again, with retries, once the ``patient`` part begins. ``doubtful``:
    outcomes that may be the service's fault, and what was sent when the activity first failed.
    ``contradicting``: works whose details contradict the list.
    """

    postponed: list[Outcome] = field(default_factory=list)
    gone: list[Outcome] = field(default_factory=list)
    refused: list[Outcome] = field(default_factory=list)
    contradicting: list[Work] = field(default_factory=list)
    patient: bool = False
    aside: list[Work] = field(default_factory=list)
    doubtful: list[tuple[int, Outcome]] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class Fetcher:
    """Fetches details, at most so many at once as the options say. Call `fetch` inside `working`.

    ``sick``: activities whose details failed in earlier runs. ``failed``: those that failed in this,
    maybe by the service's fault, or contradict the list: nobody asks for them once more.
    """

    tools: Tools
    mapper: Mapper
    loader: Loader
    stamp: Stamp
    sick: Container[str] = frozenset()
    failed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._client = self.tools.client
        self._places = asyncio.Semaphore(self.tools.options.workers)
        self._known = self._done = 0
        self._fields: set[str] = set()

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Load what was fetched, however the block ends early; raise the first error, without groups."""
        try:
            yield
        except BaseException as error:
            # Every fetch has ended by now, so nothing is added while the last batch is loaded.
            await self.loader.flush_last(hurried=isinstance(error, asyncio.CancelledError))
            raise _first_cause(error) from None

    async def fetch(self, works: Sequence[Work]) -> Batch:
        """Fetch the details of ``works``; return when all that came is committed.

        Several tasks may call this at the same time; they share the places.
        """
        batch = Batch()
        with step("fetch"):
            for work in works:
                work.failed = FAILED_BEFORE if work.activity_id in self.sick else None
            await self._take(batch, sorted(works, key=_order))
            batch.patient = True
            await self._take(batch, batch.aside)
            # Last: by then a replica that lags may have caught up.
            await self._take(batch, [replace(work, again=True) for work in batch.contradicting])
            for failed, outcome in batch.doubtful:
                if self._client.answered_after(failed):
                    await self.loader.add(outcome)
                else:
                    batch.postponed.append(outcome)
            await self.loader.flush()
        return batch

    async def _take(self, batch: Batch, works: Sequence[Work]) -> None:
        """Work off a part of a batch; return when the loader has its outcomes."""
        self._known += len(works)
        # All tasks share one iterator. Taking from it has no await, so no work is taken twice.
        waiting = iter(works)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.tools.options.workers, len(works))):
                group.create_task(self._work(waiting, batch))

    async def _work(self, works: Iterator[Work], batch: Batch) -> None:
        for work in works:
            async with self._places:
                self.loader.check()  # others that failed have left their places
                outcome = await self._fetch(work, batch)
                if outcome is not None:
                    await self.loader.add(outcome)
            self._done += 1
            self.tools.progress.advance(self._done, self._known)

    async def _fetch(self, work: Work, batch: Batch) -> Outcome | None:
        ask = self._client.activity_details if batch.patient else self._client.try_details
        try:
            if work.again:
                work = await self._list_again(work)
            fetched = await ask(work.activity_id, work.failed)
        except ServiceError as error:
            # Ends all fetching through the task groups: the next request would fail as well.
            if error.fatal:
                raise
            if error.retryable and work.failed is None and not batch.patient:
                work.failed = self._client.pace.sent
                batch.aside.append(work)
                return None
            return self._judge_failure(work, batch, error)
        received_at = self.stamp()
        outcome = self._listed_outcome(work)
        try:
            outcome.details = self.mapper.details(
                fetched.body,
                fetched.activity,
                work.activity_id,
                received_at,
                self._client.clock.now(),
            )
        except Unstorable as error:
            outcome.failures.append(_details_failure(work, str(error), fetched.body, received_at))
            return outcome
        for failure in outcome.failures:
            if failure.day_guessed and outcome.details.day is not None:
                failure.day, failure.day_guessed = outcome.details.day, False
        reason = disagreement(outcome.listed, outcome.details) if outcome.listed else None
        # In quarantine, maybe because the list contradicts its details: only the list can clear it.
        alone = outcome.listed is None and work.activity_id in self.sick
        # When asked again, the list had no row of it to compare with.
        outcome.unproven = alone or work.hidden or (work.again and outcome.listed is None)
        changed = alone or (work.known and agreed(outcome.details) != work.known)
        if (reason is not None or changed) and not work.again:
            batch.contradicting.append(work)
            return None
        if reason is None:
            # Only here: with details that are not believed, the second answer would be lost.
            outcome.details = await self._ask_twice(outcome.details)
            return outcome
        self.failed.add(work.activity_id)
        return refused(outcome, f"doubtful: {reason}")

    async def _ask_twice(self, details: DetailsObservation) -> DetailsObservation:
        """Return details with a second answer, if they are the first with a field that nobody names.

        What differs between the two is volatile, so no later run takes it for a change.
        """
        fields = {name for kind, name in details.codes if kind == FIELD} - self._fields
        if not fields:
            return details
        self._fields |= fields
        second = await or_none(self._client.activity_details(details.activity_id))
        return replace(details, before=second.body if second else None)

    async def _list_again(self, work: Work) -> Work:
        """Return the work with the row of the list as it is now; as it was if none comes."""
        page = await or_none(self._client.list_activities(ListQuery(id=work.activity_id)))
        for raw in page.rows if page else ():
            # A service that does not filter by id answers others.
            with suppress(UnexpectedShape):
                body = bytes(raw)
                if decode_list_item(body).id.lower() == work.activity_id and work.day is not None:
                    row = ListRow.of_one(work.activity_id, work.day, body, self.stamp())
                    return replace(work, listed=row)
        return work

    def _judge_failure(self, work: Work, batch: Batch, error: ServiceError) -> Outcome | None:
        """Return what to load now; None when ``batch`` holds the outcome back."""
        refused = isinstance(error, Forbidden | NotFound)
        if refused and work.unlisted:
            batch.gone.append(Outcome(work.activity_id, gone_at=self.stamp()))
            return None
        outcome = self._listed_outcome(work)
        listed = outcome.listed
        over = listed is not None and (work.over or listed.said["status"] == "EXPIRED")
        if over and isinstance(error, Forbidden):
            outcome.withheld_at = self.stamp()
        else:
            body = error.body if isinstance(error, UnexpectedShape) else None
            outcome.failures.append(_details_failure(work, str(error), body, self.stamp()))
            if refused and work.listed is None:
                batch.refused.append(outcome)
                return None
            # Else it may be the fault of the service or the session, not of the activity.
            if not (error.service_failing or isinstance(error, Unauthorized | Forbidden)):
                return outcome
            self.failed.add(work.activity_id)
        # How many requests this client had sent when the activity first failed.
        sent = self._client.pace.sent if work.failed is None else max(work.failed, 0)
        batch.doubtful.append((sent, outcome))
        return None

    def _listed_outcome(self, work: Work) -> Outcome:
        row = work.listed
        return list_outcome(self.mapper, row) if row is not None else Outcome(work.activity_id)


def _order(work: Work) -> tuple[bool, str]:
    """Sort what is known to fail behind the rest, and spread what may fail together, as one day's."""
    return work.failed is not None, work.activity_id[::-1]


def _details_failure(work: Work, reason: str, payload: bytes | None, at: datetime) -> Failure:
    return Failure(
        source="details",
        subject=work.activity_id,
        activity_id=work.activity_id,
        day=work.day,
        reason=reason,
        payload=payload,
        at=at,
        day_guessed=work.listed is not None and work.listed.created_at is None,
    )


def _first_cause(error: BaseException) -> BaseException:
    """Return the first error of nested groups: the one that ended the run and cancelled the rest."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
