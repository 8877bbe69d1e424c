"""One pass over the list: follow ``has_next``, trust neither page length nor order.

Implements docs/service.md 4.3 and docs/design.md "Walk".
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from random import Random

from pipeline.service.client import ListQuery
from pipeline.service.errors import BadRequest, ServiceError
from pipeline.service.models import ActivitiesPage
from pipeline.sync.days import ONE_DAY, Dates, day_of
from pipeline.sync.list_rows import ListRow, Reading, read_row

#: Pages in a row without a new row, after which a pass ends: the service may repeat them for ever.
MOST_IDLE_PAGES = 3

#: Pages requested at once, where an earlier pass shows that there are as many.
_SIDE_BY_SIDE = 8

#: ``limit`` where a request has none (docs/service.md 4.3).
_DEFAULT = 35

#: Page sizes to try when a larger ``limit`` fails.
PAGE_SIZES = (500, 250, 100, _DEFAULT, 10, 1)

#: How often a smaller page must be granted before it is asked for at once, and after how many queries
#: the full size is asked for again all the same.
_PROOFS, _TRY_AGAIN = 3, 16

ListPage = Callable[[ListQuery], Awaitable[ActivitiesPage]]


@dataclass
class PageSize:
    """The largest page that the service grants, learned from its answers, shared by all walks of a run.

    One short page may be a mishap, so a smaller size is believed when it was granted several times,
    and the size ``asked`` for is tried again now and then. The next run begins with it.
    """

    asked: int
    random: Random = field(default_factory=Random)
    granted: int | None = None
    _proofs: int = 0
    _queries: int = 0

    @property
    def limit(self) -> int:
        """The largest ``limit`` worth asking for."""
        return self.granted if self.granted and self._proofs >= _PROOFS else self.asked

    def draw(self, current: "Pass") -> int:
        """Return the ``limit`` for the next query of a pass.

        Another size means other page edges and another address: so a row lost at an edge, and an
        answer kept in a cache, show as a difference between two passes.
        """
        if current.small:
            return self.vary(min(self.limit, current.alone or self.asked), current)
        self._queries += 1
        return self.vary(self.asked if self._queries % _TRY_AGAIN == 0 else self.limit, current)

    def vary(self, largest: int, current: "Pass") -> int:
        """Return a page size for a pass that is at most ``largest``."""
        if current.small:  # what the service leaves out of large pages shows, too
            again = current.turn - 1
            largest = max(1, min(largest * 3 // 4, _DEFAULT) * 3**again // 4**again)
        else:
            largest -= current.turn % 2 * (largest // 4)
        return largest - self.random.randint(0, largest // 8)

    def lower(self, limit: int) -> None:
        """Remember that ``limit`` is granted where a larger one failed or was cut."""
        # Several walks learn at the same time, in any order: the smallest answer stays.
        self.granted = min(limit, self.granted or limit)
        self._proofs += 1


@dataclass
class Pass:
    """One pass over a window, and what it brought.

    ``started_at``: by the service's clock. ``drift``: signs that rows moved while it was read.
    ``rows``: those of the window's days, by subject. ``everything``: creations by subject of all
    rows that came, those of other days included. ``sizes``: rows of each query. ``failed``: why a
    query could not be read to its end; what came before stays in. ``turn``: passes before this one.
    ``small``: whether its pages are small on purpose, below ``alone``: most rows that were a query's
    only page, since they may be cut off. ``found_more``: whether it lists what the pass before lacks;
    ``agrees``: whether both list the same. ``edges``: rows, by subject, that are the last of a page with
    another after it. ``span``: the most days between two rows of one query, ``reach``: the most that a
    query must answer to list the window's days, from either end of its dates.
    """

    list_page: ListPage
    page_size: PageSize
    reading: Reading
    started_at: datetime
    turn: int = 0
    small: bool = False
    alone: int = 0
    found_more: bool = False
    agrees: bool = False
    rows: dict[str, ListRow] = field(default_factory=dict)
    everything: dict[str, datetime | None] = field(default_factory=dict)
    pages: int = 0
    sizes: list[int] = field(default_factory=list)
    edges: set[str] = field(default_factory=set)
    span: int = 0
    reach: int = 0
    drift: list[str] = field(default_factory=list)
    failed: str | None = None

    async def read(self, queries: Sequence[Dates], previous: "Pass | None") -> None:
        """Page once through each of ``queries`` and keep what belongs to the days of ``reading``.

        ``previous``: the pass before, from which this one differs. A query ends after `MOST_IDLE_PAGES`
        without new rows, whatever the service answers. Dates that the service refuses because they are in
        its future hold nothing. Raises only a fatal ``ServiceError``.
        """
        times: list[datetime] = []
        undated = 0
        if previous is not None:
            self.turn, self.alone = previous.turn + 1, previous.alone
            # Again small only where a single page lacked rows: else they were lost at edges, not cut off.
            cut_off = previous.found_more and previous.alone > 0 and not previous.drift
            self.small = previous.turn == 0 or cut_off
            times = [at for at in previous.everything.values() if at]
            undated = len(previous.everything) - len(times)
        today = day_of(self.started_at, self.reading.zone)
        try:
            for dates in queries:
                try:
                    expected = len(self._within(dates, times)) + undated // len(queries)
                    await self._read_query(dates, expected)
                except BadRequest:
                    if dates[0] <= today:
                        raise
                if self.failed is not None:
                    break
        except ServiceError as error:
            if error.fatal:
                raise
            self.failed = str(error)

    async def _read_query(self, dates: Dates, expected: int) -> None:
        """Add the rows of one query, about ``expected``, page by page. A row may come in another, too."""
        seen: dict[str, None] = {}  # in the order of the list
        edge: str | None = None
        idle = number = 0
        limit, first, other = await self._first_page(dates)
        if other is not None:
            self._take(other, {})
        async with aclosing(self._pages(dates, limit, first, expected // limit)) as pages:
            async for page in pages:
                self.pages += 1
                number += 1
                if number == 1 and not page.has_next and not self.small:
                    self.alone = max(self.alone, len(page.rows))
                if edge is not None:
                    self.edges.add(edge)
                fresh = self._take(page, seen)
                # A page of one row does not count: lost, it leaves an empty page.
                edge = next(reversed(seen)) if len(page.rows) > 1 else None
                if fresh < len(page.rows):
                    repeated = len(page.rows) - fresh
                    self.drift.append(
                        f"page {number} repeated {repeated} of its {len(page.rows)} rows"
                    )
                idle = 0 if fresh else idle + 1
                if idle >= MOST_IDLE_PAGES and page.has_next:
                    self.failed = f"{idle} pages in a row brought nothing new and said has_next"
                    break
        self.sizes.append(len(seen))
        # Rows of other days don't show how much of these dates is answered.
        times = self._within(dates, [at for name in seen if (at := self.everything[name])])
        if times:
            self.span = max(self.span, (max(times) - min(times)).days + 1)

    def _within(self, dates: Dates, times: Sequence[datetime]) -> list[datetime]:
        """Return those of ``times`` that lie within ``dates``, cut in UTC."""
        since = datetime.combine(dates[0], time(), UTC)
        until = datetime.combine((dates[1] or self.started_at.date()) + ONE_DAY, time(), UTC)
        return [at for at in times if since <= at < until]

    async def _pages(
        self, dates: Dates, limit: int, page: ActivitiesPage, expected: int
    ) -> AsyncGenerator[ActivitiesPage, None]:
        """Yield the first ``page`` and those after it; request the ``expected`` ones a few at a time."""
        yield page
        number = 1
        while page.has_next:
            most = max(1, min(_SIDE_BY_SIDE, expected - number))
            queries = (_query(dates, limit, number + each) for each in range(1, most + 1))
            asked = map(self.list_page, queries)
            # The list may be shorter now. Answers for pages after the last one mean nothing, errors too:
            # so an error counts only when its page is reached.
            for found in await asyncio.gather(*asked, return_exceptions=True):
                if isinstance(found, BaseException):
                    raise found
                page = found
                number += 1
                yield page
                if not page.has_next:
                    break

    async def _first_page(self, dates: Dates) -> tuple[int, ActivitiesPage, ActivitiesPage | None]:
        """Return ``limit`` and the first page with it; learn what the service grants.

        Where the page can't be had, a smaller ``limit`` is tried. When fewer rows come than requested,
        although more follow, the page is requested again with no more than came: then page numbers mean
        the same to both sides, and each pass has its own. The other answer comes third: it is a witness
        of its rows.
        """
        limit = asked = self.page_size.draw(self)
        while True:
            try:
                page = await self.list_page(_query(dates, limit, 1))
                break
            except ServiceError as error:
                # Nothing is learned unless a smaller limit is granted: something else may be wrong.
                smaller = [size for size in PAGE_SIZES if size < limit]
                if error.fatal or not smaller:
                    raise
                limit = smaller[0]
        if limit < asked:
            self.page_size.lower(limit)
        rows = len(page.rows)
        if not page.has_next or not 0 < rows < limit:
            return limit, page, None
        limit = self.page_size.vary(rows, self)
        again = await self.list_page(_query(dates, limit, 1))
        # Otherwise the list has just changed, or its pages lose rows: the first answer proves no limit.
        if len(again.rows) == limit and not self.small:
            self.page_size.lower(rows)
        return limit, again, page

    def _take(self, page: ActivitiesPage, seen: dict[str, None]) -> int:
        """Add a page's rows; return how many were not ``seen`` before in this query."""
        received_at = self.reading.stamp()
        before = len(seen)
        for raw in page.rows:
            row = read_row(bytes(raw), received_at, self.reading)
            seen[row.subject] = None
            self.everything[row.subject] = row.created_at
            # A row of another day only shows movement.
            if row.day in self.reading.days:
                row.note_other(self.rows.get(row.subject))
                self.rows[row.subject] = row
        return len(seen) - before


def _query(dates: Dates, limit: int, page: int) -> ListQuery:
    return ListQuery(limit=limit, page=page, from_=dates[0], to=dates[1])
