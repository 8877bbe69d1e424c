"""Verified walks: a window is read until it is proven, or called unverified (docs/design.md "Walk").

====================  =========================================================  ==================
after a pass          the window                                                 next
====================  =========================================================  ==================
clean                 lists what the pass before listed, or what is stored [1]_  verified
not so                has more than one day, and fewer than three passes         one more pass
not so, or it failed  has more than one day, and three passes, or a page failed  cut in two halves
not so, or it failed  is one day with fewer than four passes                     one more pass
not so, or it failed  is one day with four passes, or its smallest queries fail  unverified
====================  =========================================================  ==================

.. [1] Two passes whose pages end at the same rows don't prove each other: see `_lose_alike`.

No two passes ask alike: each draws its page sizes (`PageSize.draw`) and cuts its dates into other
queries. So an answer that depends on the question shows as a difference.

Queries reach a day further than needed. Only a day's third and fourth pass ask for its own dates alone,
date by date, once it is known exactly how the service cuts days: so a day that can't be read spoils no
neighbour.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TypeGuard
from zoneinfo import ZoneInfo

from pipeline.sync.days import ONE_DAY, Dates, DayBoundaries, DayRange, cut, day_of, service_dates
from pipeline.sync.fields import digest
from pipeline.sync.list_rows import ListRow, Reading
from pipeline.sync.listing import ListPage, PageSize, Pass
from pipeline.sync.stamps import Stamp

#: Places at which each pass cuts its dates. A single day is asked for in ever smaller queries, at last
#: for its own dates alone.
_EVERYWHERE = 10
_CUTS = (0, 1, 1)
_CUTS_OF_A_DAY = (0, 1, _EVERYWHERE, _EVERYWHERE)

#: Days by which a row may lie outside the requested dates, because of time zones. Beyond, its date
#: is wrong.
_SLACK = 3 * ONE_DAY


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
    ``caps``: numbers of rows at which the service may have ended a query that has more. ``lengths``: all
    numbers of rows that a query had; ``sizes``: those of each verified window. ``elsewhere``: days of
    rows, by subject, that came for other windows than their own, or in a pass that did not count: they
    are witnesses against a verified day that lacks them. ``silent``: windows of which two passes
    listed no row at all. ``listed``: days of which rows came. ``spans``: days between two rows of one
    query; ``reaches``: for each verified window, how many days its queries had to answer; ``most_days``:
    so many days a query is known to be answered, and windows that need more are not verified.
    ``proof_days``: what is stored proves nothing where a window begins a multiple of
    so many days ago, so that each is read by two passes now and then.
    """

    list_page: ListPage
    zone: ZoneInfo
    page_size: PageSize
    boundaries: DayBoundaries
    stored: Mapping[date, bytes]
    now: Callable[[], datetime]
    stamp: Stamp
    caps: set[int] = field(default_factory=set)
    lengths: set[int] = field(default_factory=set)
    sizes: dict[DayRange, list[int]] = field(default_factory=dict)
    elsewhere: dict[str, date] = field(default_factory=dict)
    silent: list[DayRange] = field(default_factory=list)
    listed: set[date] = field(default_factory=set)
    spans: set[int] = field(default_factory=set)
    reaches: dict[DayRange, int] = field(default_factory=dict)
    most_days: int | None = None
    proof_days: int = 1

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
        previous: Pass | None = None
        rows: dict[str, ListRow] = {}
        read: dict[bytes, ListRow] = {}
        reason = "passes disagree"
        passes = pages = 0
        for cuts in _CUTS_OF_A_DAY if len(days) == 1 else _CUTS:
            current = await self._read(days, read, previous, cuts)
            passes, pages = passes + 1, pages + current.pages
            self._remember_others(current, days)
            for name, row in current.rows.items():
                row.note_other(rows.get(name))
                self.listed.add(row.day)
            if self._verifies(current, previous, days):
                self.sizes[days], self.reaches[days] = current.sizes, current.reach
                if previous is not None and not current.everything:
                    self.silent.append(days)
                self._remember(rows, current.rows)
                return WalkResult(current.rows, dict.fromkeys(days), passes, pages)
            # An unverified day keeps the rows of all passes: whatever one pass listed does exist.
            rows |= current.rows
            reason = current.drift[0] if current.drift else reason
            previous = current
            if current.failed is not None:
                reason = current.failed
                if len(days) > 1 or cuts == _EVERYWHERE:  # else smaller queries may do
                    break
        if len(days) == 1:
            reason = reason if current.failed else f"{reason}, in each of {passes} passes"
            return WalkResult(rows, dict.fromkeys(days, reason), passes, pages)
        first, second = [await self.walk(half) for half in days.split((len(days) + 1) // 2)]
        found = first.days | second.days
        kept = {name: row for name, row in rows.items() if found.get(row.day)}
        kept |= first.rows | second.rows
        for name, row in kept.items():
            row.note_other(rows.get(name))
        self._remember(rows, kept)
        return WalkResult(
            kept,
            found,
            passes + first.passes + second.passes,
            pages + first.pages + second.pages,
        )

    def capped(self) -> list[DayRange]:
        """Return the verified windows that may lack rows: a query of theirs was as long as a cap."""
        return [days for days, sizes in self.sizes.items() if self._is_capped(sizes)]

    def _is_capped(self, sizes: list[int]) -> bool:
        # A longer query refutes a cap: then a row was lost for another reason.
        longest = max(self.lengths, default=0)
        return longest in self.caps and longest in sizes

    async def count_answered_days(self) -> int | None:
        """Return of how many days a query is known to be answered; None where nothing speaks against more.

        A service may answer only the first or the last days of long dates, without a word. Rows far apart
        in one answer refute that. Where none came, two listed days are asked for that are as far apart.
        """
        needed = max(self.reaches.values(), default=0)
        if max(self.spans, default=0) >= needed:
            return None
        days = sorted(self.listed)
        pairs = [
            DayRange(day, days[later])
            for day in days
            if (later := bisect_left(days, day + needed * ONE_DAY)) < len(days)
        ]
        if not pairs:
            return None
        await self._read(min(pairs, key=len), {}, None, 0)
        return max(1, *self.spans)

    def too_long(self) -> list[DayRange]:
        """Return the verified windows whose queries were for more than ``most_days``, in short pieces."""
        if (most := self.most_days) is None:
            return []
        found = [days for days, reach in self.reaches.items() if reach > most]
        return [piece for days in found for piece in days.split(max(1, most // 2))]

    async def _read(
        self, days: DayRange, read: dict[bytes, ListRow], previous: Pass | None, cuts: int
    ) -> Pass:
        # Computed for each pass: the service's day may have changed since the last one.
        alone = cuts == _EVERYWHERE and self.boundaries.exact
        needed = service_dates(days, self.zone, self.boundaries, self.today, 0 * ONE_DAY)
        dates = service_dates(days, self.zone, self.boundaries, self.today)
        queries = self._queries(days, needed if alone else dates, cuts, previous)
        # The service's clock may be far behind: its today does not end what it has.
        latest = max(self.today, days.last, day_of(datetime.now(UTC), self.zone))
        first, last = queries[0][0], queries[-1][1] or latest
        possible = DayRange(first - _SLACK, max(last, first) + _SLACK)
        reading = Reading(days, self.zone, possible, self.stamp, read)
        current = Pass(self.list_page, self.page_size, reading, self.now())
        await current.read(queries, previous)
        current.reach = max(_reach(query, needed, self.today) for query in queries)
        if _clean(previous):
            # They existed then, and the queries of that pass covered their days.
            before, after = _existing_before(previous, current, self.now())
            current.found_more, current.agrees = not after <= before, after == before
            if current.found_more and (most := max(previous.sizes, default=0)):
                self.caps.add(most)
        self.lengths.update(current.sizes)
        self.spans.add(current.span)
        if self._is_capped(current.sizes):
            most = max(current.sizes)
            current.drift.append(
                f"the service ends a query after {most} rows, although it has more"
            )
        return current

    def _queries(
        self, days: DayRange, dates: Dates, cuts: int, previous: Pass | None
    ) -> list[Dates]:
        """Cut ``dates`` at ``cuts`` places; a single one lies among the days that ``previous`` listed."""
        first, last = dates
        whole = self.boundaries.to_whole_day
        # A query for one date may be empty if `to` stops at its midnight.
        least = 0 if whole else 1
        # The service's clock may be behind: then its today is before the window's end.
        most = ((last or max(self.today, days.last)) - first).days
        inside = [first + number * ONE_DAY for number in range(least, most)]
        times = previous.everything.values() if previous and cuts == 1 else ()
        listed = [day_of(at, self.zone) for at in times if at is not None]
        # Elsewhere one part would list nothing and the other the same as before, cut off or not.
        apart = [day for day in inside if listed and min(listed) <= day < max(listed)]
        # A single listed day is asked for alone: what was cut off is before or after it.
        ends = [day for day in inside if listed and max(listed) - ONE_DAY <= day <= max(listed)]
        if apart:
            ends = [self.page_size.random.choice(apart)]
        if not ends:
            places = self.page_size.random.sample(inside, min(cuts, len(inside)))
            return cut(dates, places, to_whole_day=whole)
        later = [day + ONE_DAY for day in ends]
        places = [*(ends if whole is not False else ()), *(later if not whole else ())]
        return cut(dates, {*places}, to_whole_day=whole)

    def _verifies(self, current: Pass, previous: Pass | None, days: DayRange) -> bool:
        """Whether ``current`` is proven: by an equal pass before it, or by what is stored."""
        too_long = self.most_days is not None and current.reach > self.most_days
        if not _clean(current) or too_long:
            return False
        # What is new may be in the later pass only.
        if previous is not None and current.agrees and not _lose_alike(previous, current):
            return True
        # Rows of today still come in. And an old copy of the list has what was stored, night after night.
        if days.last >= self.today or (self.today - days.first).days % self.proof_days == 0:
            return False
        found: dict[date, list[str]] = defaultdict(list)
        for row in current.rows.values():
            found[row.day].append(row.subject)
        return all(listed_digest(found.get(day, ())) == self.stored.get(day) for day in days)

    def _remember(self, seen: Mapping[str, ListRow], kept: Mapping[str, ListRow]) -> None:
        """Remember rows that some pass listed and the result lacks."""
        self.elsewhere.update((name, row.day) for name, row in seen.items() if name not in kept)

    def _remember_others(self, current: Pass, days: DayRange) -> None:
        """Remember rows of other days, even of a pass that does not count for these."""
        for name, created_at in current.everything.items():
            row = current.rows.get(name)
            if created_at is None or (row is not None and row.created_at == created_at):
                continue  # most rows are the window's own: their days are known
            day = day_of(created_at, self.zone)
            if day not in days:
                self.elsewhere[name] = day


def listed_digest(subjects: Iterable[str]) -> bytes:
    """Return the digest of a set of ids, whatever their order."""
    return digest("\n".join(sorted(subjects)).encode())


def _reach(query: Dates, needed: Dates, today: date) -> int:
    """Return how many days a query must answer, from either end, to list its part of the needed dates."""
    since, until = query[0], query[1] or today
    first, last = max(since, needed[0]), min(until, needed[1] or today)
    return max((until - first).days, (last - since).days) + 1 if first <= last else 0


def _clean(found: Pass | None) -> TypeGuard[Pass]:
    return found is not None and not found.drift and not found.failed


def _lose_alike(previous: Pass, current: Pass) -> bool:
    """Whether pages of both passes end at the same rows, so that both may have lost the same ones there."""
    # A pass of single pages loses none. And after a day's last pass nothing else can be asked: a service
    # that ignores `limit` ends its pages where it likes.
    if not (previous.edges and current.edges) or current.turn == len(_CUTS_OF_A_DAY) - 1:
        return False
    return previous.edges <= current.edges or current.edges <= previous.edges


def _existing_before(previous: Pass, current: Pass, now: datetime) -> tuple[set[str], set[str]]:
    """Return the ids of each pass that existed before ``previous``: later ones may be in one pass only.

    Rows of the days around count too: one that comes or goes there moves the rows of these days.
    ``now``: by the service's clock, after ``current``.
    """
    # The service's clock may be behind. Whatever was created before the newest row of the earlier pass
    # existed when it was read; and no row is from the future, so whatever was created longer ago than
    # that pass, as seen from the newest row of both, existed, too.
    created = {name: at for found in (previous, current) for name, at in found.everything.items()}
    known = [at for at in previous.everything.values() if at]
    latest = max((at for at in created.values() if at), default=previous.started_at)
    since = max(previous.started_at, latest - (now - previous.started_at), *known)
    existing = {name for name, at in created.items() if at is None or at <= since}
    return previous.everything.keys() & existing, current.everything.keys() & existing
