"""Verified walks: a window is read until two passes agree, or said to be unverified (design, "Walk")."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from pipeline.service.errors import ServiceError
from pipeline.sync.days import DayBoundaries, DayRange, day_of, service_dates
from pipeline.sync.listing import ListPage, ListRow, PageSize, Pass, read_pass

#: Passes over one window before it is cut in two, and over a single day before it is given up.
PASSES_BEFORE_SPLIT = 3
MOST_PASSES = 5


@dataclass
class Walked:
    """What a walk found: the rows, and for each day why it is not verified (None: it is)."""

    rows: dict[str, ListRow] = field(default_factory=dict)
    days: dict[date, str | None] = field(default_factory=dict)
    passes: int = 0
    pages: int = 0

    def by_day(self) -> dict[date, list[ListRow]]:
        """Return the rows of each walked day."""
        days: dict[date, list[ListRow]] = {day: [] for day in self.days}
        for row in self.rows.values():
            if row.day in days:  # else it turned out to be recorded under another day
                days[row.day].append(row)
        return days


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
        """The day it is for the service, in the configured zone."""
        return day_of(self.now(), self.zone)

    async def walk(self, days: DayRange) -> Walked:
        """Read ``days`` until it is verified, or bounded patience ends.

        A window on which passes disagree is cut in two: a short one may fit on one page, which
        nothing can shift. Raises only a fatal ``ServiceError``; other ones leave days unverified.
        """
        walked = Walked()
        await self._walk(days, walked)
        return walked

    async def _walk(self, days: DayRange, walked: Walked) -> None:
        patience = MOST_PASSES if len(days) == 1 else PASSES_BEFORE_SPLIT
        previous: Pass | None = None
        union: dict[str, ListRow] = {}
        read: dict[bytes, ListRow] = {}
        reason = "passes disagree"
        for _ in range(patience):
            try:
                current = await self._read(days, walked, read, previous)
            except ServiceError as error:
                if error.fatal:
                    raise
                self._give_up(days, walked, union, str(error))
                return
            union |= current.rows
            if self._verifies(current, previous, days):
                walked.rows |= current.rows
                walked.days |= dict.fromkeys(days, None)
                return
            reason = current.drift[0] if current.drift else reason
            previous = current
        if len(days) == 1:
            self._give_up(days, walked, union, f"{reason}, in each of {patience} passes")
            return
        for half in days.split((len(days) + 1) // 2):
            await self._walk(half, walked)

    async def _read(
        self, days: DayRange, walked: Walked, read: dict[bytes, ListRow], previous: Pass | None
    ) -> Pass:
        dates = service_dates(days, self.zone, self.boundaries, self.today)
        expected = previous.pages if previous else 1
        current = await read_pass(
            self.list_page, days, dates, self.zone, self.page_size, self.now(), read, expected
        )
        walked.passes += 1
        walked.pages += current.pages
        return current

    def _verifies(self, current: Pass, previous: Pass | None, days: DayRange) -> bool:
        """Whether ``current`` is proven: by an equal pass before it, or by what is stored."""
        if not current.clean:
            return False
        if previous is not None and previous.clean:
            since = previous.started_at
            if _settled(previous, since) == _settled(current, since):
                return True
        if days.last >= self.today:
            return False
        found = _grouped(current.rows.values())
        return all(listed_digest(found.get(day, ())) == self.stored.get(day) for day in days)

    def _give_up(
        self, days: DayRange, walked: Walked, rows: dict[str, ListRow], reason: str
    ) -> None:
        walked.rows |= rows
        walked.days |= dict.fromkeys(days, reason)


def listed_digest(subjects: Iterable[str]) -> bytes:
    """Return the digest of a set of ids, whatever their order."""
    return hashlib.blake2b("\n".join(sorted(subjects)).encode(), digest_size=16).digest()


def _settled(found: Pass, since: datetime) -> set[str]:
    """Return the ids of rows that existed before ``since``: later ones may well be in one pass only.

    Rows of the days around count too: one that comes or goes there moves those of these days.
    """
    return {name for name, at in found.everything.items() if at is None or at < since}


def _grouped(rows: Iterable[ListRow]) -> dict[date, list[str]]:
    grouped: dict[date, list[str]] = defaultdict(list)
    for row in rows:
        grouped[row.day].append(row.subject)
    return grouped
