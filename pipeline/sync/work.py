"""Details: what ``sync.todo`` names is fetched, a few at a time (docs/design.md "Work").

One bad record never stops the others. What is in quarantine already is asked once, after them. A fatal
error (refused key, outage) stops all fetching; what was fetched until then is loaded.

====================  =============================================================================
answer                then
====================  =============================================================================
details               loaded with its batch; those in doubt are asked for again at the end of the run
details that can't    quarantined with their batch
be stored
403, 404              judged at the end of the run (`pipeline.sync.refused`)
5xx, 429, no or half  asked again, with retries, at the end of the run; then quarantined, when no
an answer, 401        outage and no lost access ended the run: so an activity is blamed only for its
                      own failure
anything else         quarantined with its batch
====================  =============================================================================
"""

import asyncio
from collections.abc import AsyncIterator, Container, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from pipeline.service.errors import Forbidden, NotFound, ServiceError, Unauthorized, UnexpectedShape
from pipeline.sync.fields import Unstorable
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper
from pipeline.sync.options import Tools
from pipeline.sync.stamps import Stamp
from pipeline.telemetry import step
from pipeline.warehouse.state import ledger
from pipeline.warehouse.state.rows import Failure, Outcome
from pipeline.warehouse.state.todo import Todo


@dataclass(frozen=True)
class Refusal:
    """Details that were refused or failed. ``at``: a stamp."""

    todo: Todo
    error: ServiceError
    at: datetime

    def failure(self, day: date | None = None) -> Failure:
        """Return the entry of the quarantine that it makes, under ``day`` if that is known better."""
        body = self.error.body if isinstance(self.error, UnexpectedShape) else None
        return details_failure(self.todo, str(self.error), body, self.at, day)


@dataclass(eq=False)
class _Batch:
    """Details that somebody waits for together. ``left``: how many are not fetched yet.

    ``patient``: with retries. ``spellings``: how the list spells ids, where it is not our way.
    """

    left: int
    patient: bool
    spellings: Mapping[str, str]
    done: asyncio.Event = field(default_factory=asyncio.Event)

    def end_one(self) -> None:
        """Note that one of them was fetched."""
        self.left -= 1
        if not self.left:
            self.done.set()


@dataclass(eq=False, repr=False)
class Worker:
    """Fetches details, at most so many at once as the options say. Call `work` inside `working`.

    ``sick``: activities whose details failed in earlier runs. What changes: ``asked``: activities that this
    run has asked for; ``answered``: how many details came; ``refused``, ``failed``: by activity, what is
    judged at the end; ``again``: what is asked once more.
    """

    tools: Tools
    mapper: Mapper
    loader: Loader
    stamp: Stamp
    sick: Container[str] = frozenset()
    # Changed in place alone: storing rows takes from it in a thread, and must not keep an older set.
    asked: Final[set[str]] = field(default_factory=set)
    answered: int = 0
    refused: dict[str, Refusal] = field(default_factory=dict)
    failed: dict[str, Refusal] = field(default_factory=dict)
    again: dict[str, Refusal] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._client = self.tools.client
        self._waiting = asyncio.Queue[tuple[Todo, _Batch]]()
        self._taken = self._fetched = 0

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Fetch what is asked for while the block runs. Raises the first error, without groups.

        Loads what was fetched, however the block ends early.
        """
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._work()) for _ in range(self.tools.options.workers)]
                yield
                for task in tasks:
                    task.cancel()
        except BaseException as error:
            # Every fetch has ended by now, so nothing is added while the last batch is loaded.
            await self.loader.flush_last(hurried=isinstance(error, asyncio.CancelledError))
            # The first of nested groups ended the run, and cancelled the rest.
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            raise error from None

    async def work(self, todo: Iterable[Todo]) -> None:
        """Fetch what this run has not asked for yet; return when all that came is committed.

        Several tasks may call this at the same time; who comes first is served first.
        """
        # Each once, also if there are two reasons for it.
        mine = {each.activity_id: each for each in todo if each.activity_id not in self.asked}
        self.asked.update(mine)
        with step("fetch"):
            await self._take(sorted(mine.values(), key=self._order), patient=False)
            await self.loader.flush()

    async def finish(self) -> None:
        """Ask again for what may have failed by the service's fault."""
        await self.ask_again([each.todo for each in self.again.values()])

    async def ask_again(self, todo: Sequence[Todo]) -> None:
        """Fetch, with retries, what this run may have asked for; return when all is committed."""
        self.asked.update(each.activity_id for each in todo)
        with step("fetch"):
            await self._take(todo, patient=True)
            await self.loader.flush()

    async def answers_one(self, names: Sequence[str]) -> bool:
        """Ask for these activities again, one after the other, until one is answered; whether one is."""
        before = self.answered
        self.asked.difference_update(names)
        for name in names:
            await self.work([Todo(name, None, "sampled")])
            if self.answered > before:
                return True
        return False

    def _order(self, todo: Todo) -> tuple[bool, str]:
        """Sort what is known to fail behind the rest, and spread what may fail together, as one day's."""
        return todo.activity_id in self.sick, todo.activity_id[::-1]

    async def _take(self, todo: Sequence[Todo], *, patient: bool) -> None:
        if not todo:
            return
        self._taken += len(todo)
        names = [each.activity_id for each in todo]
        spellings = await asyncio.to_thread(ledger.spellings, self.tools.engine, names)
        batch = _Batch(len(todo), patient, spellings)
        for each in todo:
            self._waiting.put_nowait((each, batch))
        await batch.done.wait()

    async def _work(self) -> None:
        while True:
            each, batch = await self._waiting.get()
            self.loader.check()  # a load may have failed meanwhile
            outcome = await self._fetch(each, batch)
            await self.loader.add(outcome)
            self._fetched += 1
            self.tools.progress.advance(self._fetched, self._taken)
            batch.end_one()

    async def _fetch(self, todo: Todo, batch: _Batch) -> Outcome:
        name, patient = todo.activity_id, batch.patient
        sick = name in self.sick
        spelling = batch.spellings.get(name, name)
        # Its first try was a request of its own.
        self._client.counts.retries += self.again.pop(name, None) is not None
        asked_at = self.stamp()
        try:
            fetched = await self._client.activity_details(spelling, once=not patient, sick=sick)
        except ServiceError as error:
            # Ends all fetching through the task groups: the next request would fail as well.
            if error.fatal:
                raise
            return self._note_failure(todo, error, patient=patient or sick)
        self.answered += 1
        self.refused.pop(name, None)
        self.failed.pop(name, None)
        received_at = self.stamp()
        try:
            details = self.mapper.details(
                fetched.body,
                name,
                asked_at,
                received_at,
                self._client.clock.now(),
            )
        except Unstorable as error:
            failure = details_failure(todo, str(error), fetched.body, received_at)
            return Outcome(name, failures=[failure])
        return Outcome(name, details=details)

    def _note_failure(self, todo: Todo, error: ServiceError, *, patient: bool) -> Outcome:
        """Return what to load now; what it means may be judged later."""
        found = Refusal(todo, error, self.stamp())
        name = todo.activity_id
        if isinstance(error, Forbidden | NotFound):
            self.refused[name] = found
        elif error.retryable and not patient:
            self.again[name] = found
        # Else it may be the fault of the service or the session, not of the activity.
        elif error.service_failing or isinstance(error, Unauthorized):
            self.failed[name] = found
        else:
            return Outcome(name, failures=[found.failure()])
        # A process that dies now leaves a day that is not complete.
        return Outcome(name, unanswered=True)


def details_failure(
    todo: Todo, reason: str, payload: bytes | None, at: datetime, day: date | None = None
) -> Failure:
    """Return the entry of the quarantine for details."""
    return Failure(
        source="details",
        subject=todo.activity_id,
        activity_id=todo.activity_id,
        day=day or todo.day,
        reason=reason,
        payload=payload,
        at=at,
    )
