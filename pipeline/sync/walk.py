"""Reads the list of days until it is proven, in rounds (docs/design.md "Rounds").

First all windows, the newest days first: one question with large pages for the whole window, then, for the
days that this does not prove, questions for a few days each with small pages. Then the days that are still
not proven, each alone, in other ways. Details are fetched beside the questions.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from pipeline.sync.context import Run
from pipeline.sync.days import ONE_DAY, DayRange, asked_around, day_of, shown_around
from pipeline.sync.limits import SMALL_PAGE
from pipeline.sync.options import Tools
from pipeline.sync.proof import Answer
from pipeline.sync.questions import (
    fewer_rows,
    first_size,
    grown,
    in_windows,
    never_proven,
    small_limit,
    with_large_pages,
    with_large_pages_again,
    with_small_pages,
)
from pipeline.sync.storing import store
from pipeline.telemetry import step
from pipeline.warehouse.state import coverage, todo
from pipeline.warehouse.state.coverage import DayCoverage
from pipeline.warehouse.state.rows import is_id
from pipeline.warehouse.state.todo import Todo

#: What is asked for apart from the days that are walked.
APART = ("no longer listed", "doubtful")

#: How a single day is asked for: in pieces or not, and the share of the largest page.
_WAYS = ((False, 0.0), (False, 1.0), (False, 0.95), (True, 0.0))


@dataclass(eq=False)
class Walk:
    """Reads the list of ``days``. ``known``: the coverage before.

    ``need_two``: days that only two questions prove, so that an old copy of the list is found out.
    """

    run: Run
    days: frozenset[date]
    known: Mapping[date, DayCoverage]
    need_two: frozenset[date] = frozenset()
    _storing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _finding: asyncio.Lock = field(default_factory=asyncio.Lock)
    _worked: set[date] = field(default_factory=set)
    _size: int = 0
    _grown: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._reader = self.run.reader
        self._reading = asyncio.Semaphore(self.run.options.walks)

    async def read(self) -> None:
        """Read all days. Those that can't be proven are recorded with the reason."""
        run = self.run
        run.walked |= self.days
        run.looked_at |= self.days
        self._size = first_size(self.days, self.known, run.options.window_days)
        with step("walk"):
            if not self._reader.learned.undated:
                # Windows grow while the list has few rows.
                windows = in_windows(self.days, self.known, self._reader.limit, lambda: self._size)
                await self._side_by_side(windows, self._window)
            if self._reader.learned.undated:
                await self._read_without_dates()
            for way in () if self._reader.learned.undated else _WAYS:
                run.note_reopened()
                left = sorted(self.days - run.proven, reverse=True)
                if not left:
                    break
                await self._side_by_side(iter(left), partial(self._day, way=way))
            await self._conclude()
        run.reopened -= self.days

    async def _read_without_dates(self) -> None:
        """Ask twice for everything: dates mean something else than the creation. Days are cut here."""
        run, rows = self.run, 0
        days = DayRange(min(self.days), max(self.days))
        for limit in (self._reader.limit, fewer_rows(self._reader.limit)):
            answer = await self._ask(days, limit, rows)
            rows = len(answer.subjects)
            await self._work(answer)
            await self._prove(self.days)
        run.progress.log(
            "the service's from and to do not mean the creation: rows far outside came. The whole list is"
            f" read without them: {rows} rows, {2 * answer.pages} requests each time"
        )

    async def _side_by_side(
        self, items: Iterator[date] | Iterator[DayRange], read: Callable[..., Awaitable[None]]
    ) -> None:
        # All tasks share one iterator. Taking from it has no await, so nothing is taken twice. The first
        # answer tells how long the other windows may be.
        async def work(number: int) -> None:
            if number > 0:
                await self._grown.wait()
            for each in items:
                if self._reader.learned.undated:
                    return
                await read(each)

        async with asyncio.TaskGroup() as group:
            for number in range(2 * self.run.options.walks):
                group.create_task(work(number))

    async def _window(self, days: DayRange) -> None:
        run = self.run
        # Fewer are read than are in work: details take longer than lists, and rows take memory.
        async with asyncio.TaskGroup() as group, self._reading:
            answers = await self._read_window(days, group)
        for answer in answers:
            await self._work(answer)
        self._worked |= self.days.intersection(days)
        async with self._storing:
            dropped = run.evidence.drop(run.proven & self._worked, run.walked)
        # A night asks for what is gone in these days after the walk, unless the walk did.
        if not self.need_two:
            run.forget(dropped)
        done = len(run.walked & run.proven)
        run.progress.step(f"{days} read; {done} of {len(run.walked)} days proven")

    async def _read_window(self, days: DayRange, group: asyncio.TaskGroup) -> list[Answer]:
        """Ask for a window, then for what this does not prove; ``group`` fetches details beside."""
        answers = [
            await self._ask(part, self._reader.limit, self._expected(part))
            for part in with_large_pages(days, self.known)
        ]
        listed = frozenset[str]().union(*(answer.subjects for answer in answers))
        self._size = grown(self._size, len(days), len(listed))
        self._grown.set()
        if self._reader.learned.undated:
            return []
        for answer in answers:
            group.create_task(self._work(answer))
        wanted = self.days.intersection(days)
        left = wanted - await self._prove(wanted)
        for asked in with_large_pages_again(self._as_before(left & self.need_two)):
            await self._ask(asked, fewer_rows(self._reader.limit), self._expected(asked))
            left -= await self._prove(left.intersection(asked))
        newest = self._newest(listed) if left else None
        async with asyncio.TaskGroup() as asking:
            for asked in with_small_pages(left, days, self.known, len(listed), newest):
                asking.create_task(self._ask_small(asked))
        await self._prove(left)
        self._reader.forget(listed)
        return answers

    def _newest(self, listed: Collection[str]) -> date | None:
        """Return the day of the newest of these rows."""
        created = map(self.run.evidence.created.get, listed)
        newest = max((at for at in created if at), default=None)
        return day_of(newest, self.run.zone) if newest else None

    def _as_before(self, days: Collection[date]) -> set[date]:
        """Return those of ``days`` that have as many rows as when they were proven last."""
        count, known = self.run.evidence.count, self.known
        return {day for day in days if day in known and count(day) == known[day].listed}

    def _expected(self, days: DayRange) -> int:
        """Return about how many rows an answer for ``days`` has, by what was listed before."""
        return sum(self.known[day].listed for day in days if day in self.known)

    async def _day(self, day: date, *, way: tuple[bool, float]) -> None:
        """Ask for a single day, in a way in which it was not asked for yet."""
        run = self.run
        if day in run.proven:
            return
        in_pieces, share = way
        alone = DayRange(day, day)
        limit = int(self._most * share) or max(1, min(self._small, self._most) // 2)
        answers = [await self._ask(alone, limit, run.evidence.count(day))]
        if in_pieces:
            neighbours = [DayRange(day - ONE_DAY, day), DayRange(day, day + ONE_DAY)]
            answers += [await self._ask(each, limit, 0) for each in neighbours]
        for answer in answers:
            await self._work(answer)
        await self._prove([day])

    @property
    def _most(self) -> int:
        """Most rows that a page really has. If more were asked for, all ways would have the same edges."""
        return min(self._reader.limit, self.run.evidence.page or self._reader.limit)

    @property
    def _small(self) -> int:
        most = self._most if self._reader.sparse else self._reader.limit
        return min(SMALL_PAGE, fewer_rows(most))

    async def _ask_small(self, days: DayRange) -> None:
        expected = sum(map(self.run.evidence.count, asked_around(days)))
        await self._ask(days, small_limit(self._small, expected), expected)

    async def _ask(self, days: DayRange, limit: int, expected: int) -> Answer:
        used = {each.limit for each in self.run.evidence.answers if each.days == days}
        question = await self._reader.ask(days, limit, expected, used)
        # One at a time: what is compared with the ledger must be stored before the next one compares.
        async with self._storing:
            return await asyncio.to_thread(store, self.run, question, self.days)

    async def _work(self, answer: Answer) -> None:
        """Fetch what there is to do where the answer has shown rows."""
        # Nothing here keeps the list of what is found: it is long, and fetching takes long.
        await self.run.worker.work(await self._todo(answer))

    async def _todo(self, answer: Answer) -> Iterator[Todo]:
        around = shown_around(answer.days)
        # One at a time: each thread keeps the memory that its longest result took.
        async with self._finding:
            found = await asyncio.to_thread(list_todo, self.run, around.first, around.last)
        return self._chosen(answer, found)

    def _chosen(self, answer: Answer, found: list[Todo]) -> Iterator[Todo]:
        """Yield what is fetched for an answer: of other days, only what it may have brought."""
        for each in found:
            near = each.day in self.days or each.activity_id in answer.subjects
            if near and each.reason not in APART:
                yield each
        for name in filter(is_id, answer.subjects if self.run.options.full else ()):
            day = self.run.evidence.days.get(name)
            if day is not None:
                yield Todo(name, day, "full")

    async def _prove(self, days: Collection[date]) -> set[date]:
        """Record which of ``days`` are proven by now, and return them."""
        run = self.run
        if not days:
            return set()
        # Behind the lock: a row that is being stored may belong to one of these days.
        async with self._storing:
            run.note_reopened()
            found, subjects, at = run.evidence.listed(set(days), self.need_two)
            if at is None:
                return set()
            listed = run.evidence.created
            still_listed = [
                name for source, name in run.quarantined if source == "list" and name in listed
            ]
            prove = partial(coverage.prove, run.engine, run.run_id, full=run.options.full)
            proven = await asyncio.to_thread(prove, found, subjects, still_listed, at)
            run.proven |= proven
        return proven

    async def _conclude(self) -> None:
        run = self.run
        run.note_reopened()
        left = sorted(self.days - run.proven)
        # What was proven stays so when it is too old for the list.
        new = never_proven(left, self.known)
        left = [day for day in left if day > self._reader.opens or day in new]
        if not left:
            return
        reasons = {day: run.evidence.reason(day) for day in left}
        listed = {day: len(run.evidence.by_day.get(day, ())) for day in left}
        await asyncio.to_thread(coverage.leave_unproven, run.engine, run.run_id, reasons, listed)


def list_todo(run: Tools, first: date, last: date) -> list[Todo]:
    """Return what there is to do from ``first`` to ``last``. Raises a ``WarehouseError``."""
    now = run.client.clock.now()
    return todo.todo(run.engine, first, last, now, now - run.options.recheck)
