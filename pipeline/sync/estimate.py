"""What a run would do, from at most three questions to the list (docs/nights.md "What will it cost?").

It fetches no details and stores nothing. Days that the questions do not reach are taken as they were listed
before. Those that were never read are taken to be as full as the days that were asked for.
"""

import time
from collections import Counter
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field
from datetime import date
from math import ceil

from pipeline.sync.days import DayRange, asked_around, day_of, shown_around, windows
from pipeline.sync.limits import ESTIMATE_QUESTIONS, SMALL_PAGE
from pipeline.sync.listing import ListReader
from pipeline.sync.options import SyncError, Tools
from pipeline.sync.plan import plan_older_days
from pipeline.sync.questions import (
    fewer_rows,
    first_size,
    grown,
    in_windows,
    small_limit,
    with_large_pages,
    with_large_pages_again,
    with_small_pages,
)
from pipeline.sync.storing import why_news
from pipeline.sync.verify import night_sample
from pipeline.sync.walk import APART, list_todo
from pipeline.warehouse.state import coverage, ledger, runs, verifications
from pipeline.warehouse.state.coverage import DayCoverage
from pipeline.warehouse.state.todo import Todo

#: Reasons of days.
_NEWEST, _BROKEN = "newest", "never read, or not complete"

#: A page has up to an eighth fewer rows than the largest one, at random: so many in the mean.
_PAGE = 15 / 16


@dataclass(frozen=True)
class Estimate:
    """What a run would do. ``days`` that it reads, and ``details`` that it fetches, by reason.

    ``minutes``: by ``requests_per_second``, which the newest long run has reached (``measured``), else what
    the questions took. ``questions``: how many were asked. ``extrapolated``: days that they did not reach;
    ``never_read`` of these were taken to have ``rows_a_day``, the others as they were listed before.
    """

    days: dict[str, int]
    list_requests: int
    details: dict[str, int]
    minutes: float
    requests_per_second: float
    measured: bool
    questions: int
    extrapolated: int
    never_read: int
    rows_a_day: float


@dataclass(eq=False, repr=False)
class Estimator(Tools):
    """Estimates one run; errors are those of a run. ``rate``: most requests a second; None: no limit.

    ``empty``: whether the warehouse has no schema yet. Nothing else runs meanwhile, so it reads the
    warehouse without a thread.
    """

    rate: float | None
    empty: bool
    _known: Mapping[date, DayCoverage] = field(default_factory=dict)
    _rows: dict[date, int] = field(default_factory=dict)
    _days: dict[str, date | None] = field(default_factory=dict)
    _news: dict[str, Todo] = field(default_factory=dict)
    _size: int = 0
    _questions: int = 0
    _pages: int = 0
    _seconds: float = 0.0

    async def days(self, days: DayRange) -> Estimate:
        """Estimate `SyncRunner.sync_days`."""
        await self._begin(days)
        return await self._walk({"asked for": set(days)})

    async def night(self, newest: DayRange) -> Estimate:
        """Estimate a night: the ``newest`` days, what is due before them, and the sample at its end."""
        await self._begin(newest)
        if self.empty:
            start = min(self.options.start or newest.first, newest.first)
            older = set(DayRange(start, newest.last)) - set(newest)
            return await self._walk({_NEWEST: set(newest), _BROKEN: older})
        plan = plan_older_days(self, newest.first, self._reader.limit)
        reasons = {
            _NEWEST: set(newest),
            _BROKEN: set(plan.broken),
            "read longest ago": set(plan.audit),
            "with activities that are not final": set(plan.days - plan.broken - plan.audit),
        }
        return await self._walk(reasons, plan.audit, plan.todo)

    async def recent(self, newest: DayRange, requests: int) -> Estimate:
        """Estimate `SyncRunner.sync_recent`: ``newest`` days, and all ``requests`` for older ones."""
        await self._begin(newest)
        again = {each.day for each in self._news.values() if each.day is not None}
        reasons = {_NEWEST: set(newest), "again, for their news": again}
        listed = self._pages + requests + self._list_requests(again)
        return self._sum_up(reasons, listed, self._due(again))

    async def _begin(self, newest: DayRange) -> None:
        """Log in, read what is known, and ask for the newest days."""
        await self.client.login()
        if not self.empty:
            self._known = coverage.between(self.engine)
        now, size = self.client.clock.now, self.options.page_size
        self._reader = ListReader(self.client, self.zone, size, now)
        self._size = first_size(newest, self._known, self.options.window_days)
        limit = self._reader.limit
        await self._ask(next(in_windows(newest, self._known, limit, lambda: self._size)))

    async def _ask(self, window: DayRange) -> None:
        """Ask for a window, and note what of it is news. Raises `SyncError` if it can't be read."""
        began = time.monotonic()
        question = await self._reader.ask(window, self._reader.limit, 0)
        self._seconds += time.monotonic() - began
        self._questions += 1
        self._pages += question.pages
        if question.failed:
            raise SyncError(f"{window} could not be read: {question.failed}")
        ids = [row.subject for row in question.rows.values() if row.activity_id == row.subject]
        stored = {} if self.empty else ledger.read(self.engine, ids)
        self._rows |= dict.fromkeys(window, 0)
        for name, row in question.rows.items():
            before = stored.get(name)
            day = before.day if before else None
            day = day or (day_of(row.created_at, self.zone) if row.created_at else None)
            if day is not None and day in window:
                self._rows[day] += 1
            self._days[name] = day
            reason = None if row.malformed else why_news(row, before)
            # As a run does: what is news on days that nobody reads, or has read, is left alone.
            if reason and (day in window or day in self._known):
                self._news[name] = Todo(name, day, reason)
        self._size = grown(self._size, len(window), len(question.rows))

    async def _walk(
        self,
        reasons: Mapping[str, Set[date]],
        audit: Set[date] = frozenset(),
        single: Collection[Todo] = (),
    ) -> Estimate:
        """Estimate a walk of days, and what is fetched beside it. ``audit``: days that are read twice."""
        days = set[date]().union(*reasons.values())
        while self._questions < ESTIMATE_QUESTIONS and (left := days - self._rows.keys()):
            # The oldest days, then those in the middle of the rest.
            found = windows(left - self._known.keys() or left, self._size)
            await self._ask(found[0] if self._questions == 1 else found[len(found) // 2])
        todo = [*single, *self._due(days)]
        if self.options.full:
            todo += [Todo(name, day, "full") for name, day in self._days.items() if day in days]
        # A night walks its newest days first, and for themselves.
        newest = set(reasons.get(_NEWEST, ()))
        requests = self._list_requests(newest) + self._list_requests(days - newest, audit)
        return self._sum_up(reasons, requests, todo)

    def _due(self, days: Set[date]) -> list[Todo]:
        """Return what is due in ``days``, and of other rows that the questions have shown; no news."""
        if self.empty or not days:
            return []
        around = shown_around(DayRange(min(days), max(days)))
        return [
            each
            for each in list_todo(self, around.first, around.last)
            if each.day in days or (each.activity_id in self._days and each.reason not in APART)
        ]

    def _list_requests(self, days: Set[date], audit: Set[date] = frozenset()) -> int:
        """Return about how many requests a walk sends. ``audit``: days that are asked for twice."""
        limit, known, requests = self._reader.limit, self._known, 0
        twice = {each.day for each in self._news.values()}
        twice |= {day for day in days if day not in known or not known[day].complete}
        twice |= {day for day in days & known.keys() if self._rows_of(day) != known[day].listed}
        self._size = first_size(days, known, self.options.window_days)
        for window in in_windows(days, known, limit, lambda: self._size):
            listed = round(sum(map(self._rows_of, window)))
            self._size = grown(self._size, len(window), listed)
            for part in with_large_pages(window, known):
                requests += self._pages_of(part, limit)
            for part in with_large_pages_again((audit - twice) & {*window}):
                requests += self._pages_of(part, fewer_rows(limit))
            left = days & twice & {*window}
            for part in with_small_pages(left, window, known, listed, window.last):
                most = min(SMALL_PAGE, fewer_rows(limit))
                requests += self._pages_of(part, small_limit(most, self._rows_around(part)))
        return requests

    def _pages_of(self, days: DayRange, limit: int) -> int:
        return max(1, ceil(self._rows_around(days) / (limit * _PAGE)))

    def _rows_around(self, days: DayRange) -> int:
        """Return about how many rows a question has: its dates reach beyond the days."""
        return round(sum(map(self._rows_of, asked_around(days))))

    def _rows_of(self, day: date) -> float:
        if day in self._rows:
            return self._rows[day]
        if day in self._known:
            return self._known[day].listed
        return self._rows_a_day if day <= self._reader.today() else 0

    @property
    def _rows_a_day(self) -> float:
        return sum(self._rows.values()) / len(self._rows)

    def _sum_up(
        self, reasons: Mapping[str, Set[date]], list_requests: int, todo: Collection[Todo]
    ) -> Estimate:
        """Return the estimate. ``todo``: details without the news that the questions have shown."""
        chosen = {each.activity_id: each.reason for each in [*todo, *self._news.values()]}
        details = Counter(chosen.values())
        beyond = set[date]().union(*reasons.values()) - self._rows.keys()
        never = beyond - self._known.keys()
        details["new"] += round(len(never) * self._rows_a_day)
        if self.options.full:
            details["full"] += sum(self._known[day].listed for day in beyond - never)
        stored = 0 if self.empty else verifications.count_stored(self.engine)
        measured = None if self.empty else runs.newest_pace(self.engine)
        if _BROKEN in reasons:  # a night
            sent = list_requests + details.total()
            details["sampled"] = min(night_sample(self.options, sent), stored + details["new"])
        pace = measured or self.options.workers * self._pages / self._seconds
        pace = min(pace, self.rate or pace)
        return Estimate(
            days={reason: len(each) for reason, each in reasons.items()},
            list_requests=list_requests,
            details=dict(+details),
            minutes=round((1 + list_requests + details.total()) / pace / 60, 1),
            requests_per_second=round(pace, 1),
            measured=measured is not None,
            questions=self._questions,
            extrapolated=len(beyond),
            never_read=len(never),
            rows_a_day=round(self._rows_a_day, 1),
        )
