"""Verified walks: a window is read until it is proven, or called unverified (docs/design.md "Walk").

==================  ===========================================================  ==================
after a pass        the window                                                   next
==================  ===========================================================  ==================
clean               lists what the pass before listed, or what is stored         verified
not so              has more than one day, and fewer than three passes           one more pass
not so              has more than one day, and three passes                      cut in two halves
not so              is one day with fewer than five passes                       one more pass
not so              is one day with five passes                                  unverified
a page failed                                                                    unverified
==================  ===========================================================  ==================
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from pipeline.service.errors import ServiceError
from pipeline.sync.days import DayBoundaries, DayRange, day_of, service_dates
from pipeline.sync.listing import ListPage, ListRow, PageSize, Pass, read_pass

#: Passes over one window before it is cut in two, and over a single day before it is unverified.
PASSES_BEFORE_SPLIT = 3
MOST_PASSES = 5


@dataclass
class WalkResult:
    """What a walk found: rows by subject, and for each day why it is not verified (None: it is)."""

    rows: dict[str, ListRow]
    days: dict[date, str | None]
    passes: int
    pages: int

    def by_day(self) -> dict[date, list[ListRow]]:
        """Return the rows of each walked day, without rows that are stored under other days."""
        days: dict[date, list[ListRow]] = {day: [] for day in self.days}
        for row in self.rows.values():
            if row.day in days:
                days[row.day].append(row)
        return days

    def __str__(self) -> str:
        unverified = sum(reason is not None for reason in self.days.values())
        text = f"{self.pages} pages in {self.passes} passes"
        return f"{text}, {unverified} days unverified" if unverified else text


@dataclass(frozen=True)
class Walker:
    """Walks windows of days.

    ``stored``: digests of what each day listed when last verified. ``now``: the service's clock.
    """

    list_page: ListPage
    zone: ZoneInfo
    page_size: PageSize
    boundaries: DayBoundaries
    stored: Mapping[date, bytes]
    now: Callable[[], datetime]

    @property
    def today(self) -> date:
        """The service's current day, in the configured zone."""
        return day_of(self.now(), self.zone)

    async def walk(self, days: DayRange) -> WalkResult:
        """Read ``days`` until each of them is verified, or all allowed passes are used.

        A window on which passes disagree is cut in two: the list of a short one may fit on one page,
        where no row can move to another page. Raises only a fatal ``ServiceError``; other ones leave
        days unverified.
        """
        # A single day can't be cut, so it gets more passes.
        most = MOST_PASSES if len(days) == 1 else PASSES_BEFORE_SPLIT
        previous: Pass | None = None
        rows: dict[str, ListRow] = {}
        read: dict[bytes, ListRow] = {}
        reason = "passes disagree"
        passes = pages = 0
        for _ in range(most):
            try:
                current = await self._read(days, read, previous)
            except ServiceError as error:
                if error.fatal:
                    raise
                return WalkResult(rows, dict.fromkeys(days, str(error)), passes, pages)
            passes, pages = passes + 1, pages + current.pages
            if self._verifies(current, previous, days):
                return WalkResult(current.rows, dict.fromkeys(days), passes, pages)
            # An unverified day keeps the rows of all passes: whatever one pass listed does exist.
            rows |= current.rows
            reason = current.drift[0] if current.drift else reason
            previous = current
        if len(days) == 1:
            reason = f"{reason}, in each of {most} passes"
            return WalkResult(rows, dict.fromkeys(days, reason), passes, pages)
        first, second = [await self.walk(half) for half in days.split((len(days) + 1) // 2)]
        return WalkResult(
            first.rows | second.rows,
            first.days | second.days,
            passes + first.passes + second.passes,
            pages + first.pages + second.pages,
        )

    async def _read(
        self, days: DayRange, read: dict[bytes, ListRow], previous: Pass | None
    ) -> Pass:
        # Computed for each pass: the service's day may have changed since the last one.
        dates = service_dates(days, self.zone, self.boundaries, self.today)
        expected = previous.pages if previous else 1
        return await read_pass(
            self.list_page, days, dates, self.zone, self.page_size, self.now(), read, expected
        )

    def _verifies(self, current: Pass, previous: Pass | None, days: DayRange) -> bool:
        """Whether ``current`` is proven: by an equal pass before it, or by what is stored."""
        if current.drift:
            return False
        if previous is not None and not previous.drift:
            since = previous.started_at
            if _existing_before(since, previous) == _existing_before(since, current):
                return True
        if days.last >= self.today:  # rows of today still come in: the stored digest proves nothing
            return False
        found: dict[date, list[str]] = defaultdict(list)
        for row in current.rows.values():
            found[row.day].append(row.subject)
        return all(listed_digest(found.get(day, ())) == self.stored.get(day) for day in days)


def listed_digest(subjects: Iterable[str]) -> bytes:
    """Return the digest of a set of ids, whatever their order."""
    return hashlib.blake2b("\n".join(sorted(subjects)).encode(), digest_size=16).digest()


def _existing_before(moment: datetime, found: Pass) -> set[str]:
    """Return the ids of rows that existed before ``moment``: later ones may be in one pass only.

    Rows of the days around count too: one that comes or goes there moves the rows of these days.
    """
    return {name for name, at in found.everything.items() if at is None or at < moment}
