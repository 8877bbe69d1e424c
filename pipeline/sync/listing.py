"""One question to the list, read to its end: follow ``has_next``, trust neither page length nor order.

Implements docs/service.md 4.3 and docs/design.md "List".
"""

import asyncio
from collections.abc import AsyncGenerator, Container, Set
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from random import Random
from zoneinfo import ZoneInfo

from pipeline.service.client import ListQuery, ServiceClient
from pipeline.service.errors import BadRequest, MalformedResponse, ServiceError
from pipeline.service.models import ActivitiesPage
from pipeline.sync.days import (
    ONE_DAY,
    Dates,
    DayRange,
    dates_of,
    day_of,
    days_in,
    mislead,
    parts_of,
)
from pipeline.sync.limits import (
    EMPTY_STATUSES,
    FAR_PAGE,
    MOST_IDLE_PAGES,
    MOST_ROWS_HELD,
    MOST_SPARSE_PAGES,
    PAGE_SIZES,
    RANGES,
    REFUSING_STATUSES,
    ROUND_SIZES,
    SIDE_BY_SIDE,
    SMALL_PAGE,
    SMALLEST_PAGE,
)
from pipeline.sync.list_rows import ListRow, read_row
from pipeline.sync.stamps import Stamp


@dataclass
class Question:
    """One question, and what it brought.

    ``days``: those that it covers for sure. ``dates``: None if it was asked without. ``asked_at``: a stamp.
    ``asked``: the service's time.
    ``rows``: all rows that came, by subject; ``earlier``: those that came again with another meaning, as
    they came first. ``received``: how many came, with repeats. ``cut``: rows of its first page, if fewer
    came than asked for although more followed, else 0.
    ``failed``: why it could not be read to its end; what came before counts all the same.
    """

    days: DayRange
    dates: Dates | None
    limit: int
    asked_at: datetime
    asked: datetime
    rows: dict[str, ListRow] = field(default_factory=dict, repr=False)
    earlier: dict[str, ListRow] = field(default_factory=dict, repr=False)
    pages: int = 0
    received: int = 0
    cut: int = 0
    failed: str | None = None


@dataclass
class Learned:
    """What one run finds out of the service for the next one. ``granted``: the largest page it grants.

    ``undated``: whether an answer has shown that the service's dates do not mean the creation. Then
    questions have none. ``refused``: values of ``limit`` that were refused where a smaller one was granted:
    then only usual sizes are asked for, since others may be refused, too. ``taken``: the largest one
    granted. ``endless``: whether a page far behind the end says that another one follows: then none is
    believed. ``oldest``: the oldest ``from`` that was granted. ``granted_days``: most days that a question
    was granted; ``most_days``: those to ask for, since more were refused.
    """

    granted: int | None = None
    undated: bool = False
    refused: set[int] = field(default_factory=set)
    taken: int = 0
    endless: bool = False
    oldest: date | None = None
    granted_days: int = 0
    most_days: int | None = None


@dataclass
class ListReader:
    """Asks for the list. ``zone``: in which days are cut. ``random``: by it, sizes of pages differ.

    ``sparse``: whether the service leaves rows out after it has cut pages, for example those that this
    caller may not see. Then a short page shows no limit. ``answers``: whether any list was answered.
    ``opens``: a day before which all dates are refused. ``_rows``: what was read before, by its bytes.
    """

    client: ServiceClient
    zone: ZoneInfo
    page_size: int
    stamp: Stamp
    random: Random = field(default_factory=Random)
    learned: Learned = field(default_factory=Learned)
    sparse: bool = False
    answers: bool = False
    opens: date = date.min
    _rows: dict[bytes, ListRow] = field(default_factory=dict, repr=False)

    @property
    def limit(self) -> int:
        """The largest ``limit`` worth asking for."""
        return min(self.page_size, self.learned.granted or self.page_size)

    def today(self) -> date:
        """Return the service's current day."""
        return day_of(self.client.clock.now(), self.zone)

    def forget(self, subjects: Set[str]) -> None:
        """Forget rows that have come as often as they will."""
        self._rows = {body: row for body, row in self._rows.items() if row.subject not in subjects}

    async def ask(
        self, days: DayRange, limit: int, expected: int, used: Container[int] = ()
    ) -> Question:
        """Ask for ``days`` with pages of about ``limit``, but not of a size that was ``used`` for them.

        ``expected``: about how many rows will come. Dates that the service refuses because they are in its
        future hold nothing. Raises only a fatal ``ServiceError``.
        """
        today = self.today()
        dates = None if self.learned.undated else dates_of(days, today)
        # Other page edges, and another address: a row that is lost at an edge, or a copy in a cache, shows.
        limit = max(1, limit - self.random.randint(0, limit // 8))
        if self.learned.refused:
            limit = self._granted_size(limit, used)
        else:
            while limit > 1 and limit in used:
                limit -= 1
        question = Question(days, dates, limit, self.stamp(), self.client.clock.now())
        if dates and dates[0] < self.opens:
            question.failed = f"the service refuses dates before {self.opens}: begin later"
            return question
        try:
            await self._read_dates(question, expected)
        except BadRequest as error:
            if dates is None or dates[0] <= today:
                question.failed = str(error)
        except ServiceError as error:
            if error.fatal:
                raise
            question.failed = str(error)
        if dates is not None:
            created = [row.created_at for row in question.rows.values() if row.created_at]
            self.learned.undated |= mislead(dates, created)
        return question

    def _granted_size(self, limit: int, used: Container[int]) -> int:
        """Return the size next to ``limit`` of those that may be granted, if need be a larger one."""
        sizes = [
            size
            for size in PAGE_SIZES[:-1]
            if size <= self.limit and size not in self.learned.refused
        ]
        unused = [size for size in sizes if size not in used] or sizes
        return min(unused, key=lambda size: (size > limit, abs(size - limit)), default=limit)

    async def _read_dates(self, question: Question, expected: int) -> None:
        """Read the dates of a question, in parts where the service refuses so many days."""
        parts, most = [question.dates], self.learned.most_days
        while parts:
            dates = parts.pop()
            days = days_in(dates, self.today())
            if not self.learned.most_days or days <= self.learned.most_days:
                before = question.pages
                try:
                    await self._read(question, dates, expected)
                except ServiceError as error:
                    if error.status not in REFUSING_STATUSES:
                        raise
                    # What is refused of so few days is refused for another reason.
                    if days <= max(self.learned.granted_days, RANGES[-1]):
                        # Of dates that are too old no page is granted.
                        if dates and question.pages == before and self._is_older(dates):
                            self.opens = max(self.opens, dates[0] + ONE_DAY)
                        raise
                    most = next(each for each in RANGES if each < days)
                else:
                    if dates:
                        self.learned.oldest = min(self.learned.oldest or dates[0], dates[0])
                    self.learned.granted_days = max(self.learned.granted_days, days)
                    self.learned.most_days = most
                    continue
            parts += parts_of(dates, most or days, self.today())

    async def _read(self, question: Question, dates: Dates | None, expected: int) -> None:
        idle = number = 0
        before = question.received
        limit, first = await self._first_page(question, dates)
        if _goes_on(first, limit) and len(first.rows) < question.limit:
            question.cut = len(first.rows)
        async with aclosing(self._pages(dates, limit, first, expected // limit)) as pages:
            async for page in pages:
                question.pages += 1
                number += 1
                # No limit makes this page short: it asks for no more rows than the first one had.
                more = _goes_on(page, limit)
                short = 0 < len(page.rows) < limit and more
                if short and number == 2 and not self.sparse:
                    self.sparse, question.received = True, before
                    await self._read(question, dates, expected)
                    return
                # A page that none follows shows no limit, whatever it says of a next one.
                if number == 2 and page.rows and SMALL_PAGE // 4 < limit < question.limit:
                    self.learned.granted = min(limit, self.learned.granted or limit)
                idle = 0 if self._take(question, page) else idle + 1
                most = MOST_SPARSE_PAGES if self.sparse and not page.rows else MOST_IDLE_PAGES
                if idle == MOST_IDLE_PAGES and more and await self._has_no_end(dates, limit):
                    self.sparse, question.cut = False, 0
                    return
                if idle >= most and more:
                    question.failed = f"{idle} pages in a row brought nothing new and said has_next"
                    return

    def _is_older(self, dates: Dates | None) -> bool:
        """Whether dates begin before all that were granted."""
        return bool(dates and self.learned.oldest and dates[0] < self.learned.oldest)

    async def _has_no_end(self, dates: Dates | None, limit: int) -> bool:
        """Ask for a page that no list has; return whether the service says that another one follows it."""
        with suppress(ServiceError):
            page = await self._page(_query(dates, limit, FAR_PAGE))
            self.learned.endless = self.learned.endless or page.has_next is True
        return self.learned.endless

    async def _pages(
        self, dates: Dates | None, limit: int, page: ActivitiesPage, expected: int
    ) -> AsyncGenerator[ActivitiesPage, None]:
        """Yield the first ``page`` and those after it; request the ``expected`` ones a few at a time."""
        yield page
        number = 1
        while _goes_on(page, limit):
            most = max(1, min(SIDE_BY_SIDE, expected - number))
            queries = (_query(dates, limit, number + each) for each in range(1, most + 1))
            asked = (self._page(query, promised=page.has_next is True) for query in queries)
            # The list may be shorter now. Answers for pages after the last one mean nothing, errors too:
            # so an error counts only when its page is reached.
            for found in await asyncio.gather(*asked, return_exceptions=True):
                if isinstance(found, BaseException):
                    raise found
                page = found
                number += 1
                yield page
                if not _goes_on(page, limit):
                    break

    async def _first_page(
        self, question: Question, dates: Dates | None
    ) -> tuple[int, ActivitiesPage]:
        """Return ``limit`` and the first page with it.

        Where the page can't be had, a smaller ``limit`` is tried. When fewer rows come than requested,
        although more follow, the next pages are requested with no more than came: then page numbers mean
        the same to both sides, whether the service counts by what it was asked for or by what it grants.
        """
        limit, refused = question.limit, set[int]()
        while True:
            try:
                page = await self._page(_query(dates, limit, 1))
                break
            except ServiceError as error:
                # Nothing is learned unless a smaller limit is granted: something else may be wrong.
                refused |= {limit} if 400 <= error.status < 500 else set()
                smaller = [
                    size for size in PAGE_SIZES if size < limit and size not in self.learned.refused
                ]
                refuses = error.status in REFUSING_STATUSES
                old = refuses and limit <= self.learned.taken and self._is_older(dates)
                if error.fatal or not smaller or old:
                    raise
                days = days_in(dates, self.today())
                if refuses and days > max(self.learned.granted_days, RANGES[-1]):
                    # Raises if it is not the size that is refused.
                    await self._page(_query(dates, SMALLEST_PAGE, 1))
                limit = smaller[0]
        self.learned.refused |= refused
        self.learned.taken = max(self.learned.taken, limit)
        # Only certain sizes are granted if one is refused that is smaller than another one.
        if limit < question.limit and not (
            question.limit in refused and question.limit < self.learned.taken
        ):
            self.learned.granted = min(limit, self.learned.granted or limit)
        cut = _goes_on(page, limit) and not self.sparse
        return (min(limit, len(page.rows) or limit) if cut else limit), page

    async def _page(self, query: ListQuery, *, promised: bool = False) -> ActivitiesPage:
        """Return a page. ``promised``: the page before it says that it exists, so it can't be missing."""
        try:
            page = await self.client.list_activities(query)
        except ServiceError as error:
            # A 200 without a body came to several tries; a service that fails answers no other question.
            bare = isinstance(error, MalformedResponse) and not error.body.strip()
            if not (bare or error.status in EMPTY_STATUSES) or query.from_ is None or promised:
                raise
            if bare or not self.answers:  # the address may be wrong
                await self.client.list_activities(ListQuery(limit=1))
            page = ActivitiesPage(has_next=False)
        self.answers = True
        if self.learned.endless:
            page.has_next = None
        return page

    def _take(self, question: Question, page: ActivitiesPage) -> bool:
        """Add a page's rows; return whether one of them is new. Of rows of one id the last counts."""
        received_at, read = self.stamp(), self._rows
        if len(read) > MOST_ROWS_HELD:
            read.clear()
        before = len(question.rows)
        question.received += len(page.rows)
        rows = dict[str, ListRow]()
        for raw in page.rows:
            body = bytes(raw)
            row = read.get(body)
            if row is None:
                row = read[body] = read_row(body, received_at, question.asked)
            other = rows.setdefault(row.subject, row)
            if other is not row:
                row.several = other.several or other.meaning != row.meaning
                rows[row.subject] = row
        for row in rows.values():
            row.received_at = received_at
            first = question.rows.get(row.subject, row)
            if first.meaning != row.meaning:
                question.earlier[row.subject] = first
        question.rows |= rows
        return len(question.rows) > before


def _goes_on(page: ActivitiesPage, limit: int) -> bool:
    """Whether another page follows. If a page does not say, none does unless it may be full."""
    if page.has_next is not None:
        return page.has_next
    return len(page.rows) >= limit or len(page.rows) in ROUND_SIZES


def _query(dates: Dates | None, limit: int, page: int) -> ListQuery:
    first, last = dates or (None, None)
    return ListQuery(limit=limit, page=page, from_=first, to=last)
