"""One pass over the list: follow ``has_next``, trust neither page length nor order.

Implements docs/service.md 4.3 and docs/design.md "Walk".
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TypeAlias
from zoneinfo import ZoneInfo

import msgspec

from pipeline.service.client import ListedPage, ListQuery
from pipeline.service.errors import BadRequest, UnexpectedShape
from pipeline.service.instants import instant_from_carrier
from pipeline.service.models import Carrier, decode_list_item
from pipeline.sync.days import ONE_DAY, DayRange, day_of
from pipeline.sync.fields import Unstorable, activity_id, digest, fingerprint

#: Pages in a row without a new row, after which a pass ends: the service may repeat them for ever.
MOST_IDLE_PAGES = 3

#: Pages requested at once, where an earlier pass shows that there are as many.
_SIDE_BY_SIDE = 4

#: Days by which a row may lie outside the requested dates, because of time zones. Beyond, its date
#: is wrong.
_SLACK = 3 * ONE_DAY

#: Page sizes to try when a larger ``limit`` is refused; the last is the service's default.
PAGE_SIZES = (500, 250, 100, 50, 35)

ListPage = Callable[[ListQuery], Awaitable[ListedPage]]


class _Glance(msgspec.Struct, gc=False):
    """The fields that an unchanged row needs: reading no more keeps a walk cheap."""

    id: str
    created_at: Carrier | None = None
    entity: msgspec.Raw = msgspec.Raw(b"null")


_glance = msgspec.json.Decoder(_Glance)


@dataclass(slots=True)
class ListRow:
    """One row of the list as received. ``subject``: the id, else the row's digest in hexadecimal.

    ``created_at``: None when it can't be read, so that ``day`` is a guess. ``entity_digest``: of the
    nested entity's bytes. ``malformed``: why the row can't be read. ``moved``: it is stored under a day
    outside the window that lists it now.
    """

    subject: str
    day: date
    created_at: datetime | None
    body: bytes = field(repr=False)
    digest: bytes
    entity_digest: bytes
    received_at: datetime
    malformed: str | None = None
    activity_id: str | None = None
    moved: bool = False
    _fingerprint: bytes | None = field(default=None, repr=False)

    @property
    def fingerprint(self) -> bytes:
        """Digest of the row without its entity: when it changes, details are needed. Made lazily."""
        if self._fingerprint is None:
            self._fingerprint = fingerprint(self.body)
        return self._fingerprint


@dataclass
class PageSize:
    """The largest page that the service grants, learned from its answers, shared by all walks."""

    asked: int
    granted: int | None = None

    @property
    def limit(self) -> int:
        """The ``limit`` to request."""
        return self.granted or self.asked

    def lower(self, limit: int) -> None:
        """Remember that ``limit`` is granted where a larger one was refused or cut."""
        # Several walks learn at the same time, in any order: the smallest answer stays.
        self.granted = min(limit, self.limit)


@dataclass
class Pass:
    """What one pass over a window brought. ``drift``: signs that rows moved while it was read.

    ``rows``: those of the window's days, by subject. ``everything``: creations by subject of all
    rows that came, those of other days included.
    """

    started_at: datetime
    rows: dict[str, ListRow] = field(default_factory=dict)
    everything: dict[str, datetime | None] = field(default_factory=dict)
    pages: int = 0
    drift: list[str] = field(default_factory=list)


async def read_pass(
    list_page: ListPage,
    days: DayRange,
    dates: tuple[date, date | None],
    zone: ZoneInfo,
    page_size: PageSize,
    started_at: datetime,
    read: dict[bytes, ListRow],
    expected: int,
) -> Pass:
    """Page once through ``dates`` (``from``, ``to``) and keep what belongs to ``days``.

    ``started_at``: by the service's clock. ``read``: rows of earlier passes by their bytes, which
    are not parsed again; the rows of this pass are added. ``expected``: how many pages an earlier
    pass took. Ends after `MOST_IDLE_PAGES` without new rows, whatever the service answers.
    Raises a ``ServiceError`` when a page fails for good.
    """
    result = Pass(started_at)
    last = dates[1] or day_of(started_at, zone)
    possible = DayRange(dates[0] - _SLACK, max(last, dates[0]) + _SLACK)
    reading = _Reading(days, zone, possible, read)
    idle = 0
    async with aclosing(_pages(list_page, dates, page_size, expected)) as pages:
        async for page in pages:
            result.pages += 1
            idle = 0 if _take(result, page, reading) else idle + 1
            if idle >= MOST_IDLE_PAGES and page.has_next:
                result.drift.append(f"{idle} pages in a row brought nothing new and said has_next")
                break
    return result


async def _pages(
    list_page: ListPage, dates: tuple[date, date | None], page_size: PageSize, expected: int
) -> AsyncGenerator[ListedPage, None]:
    """Yield pages while ``has_next`` promises more; request the ``expected`` ones a few at a time."""
    limit, page = await _first_page(list_page, dates, page_size)
    yield page
    number = 1
    while page.has_next:
        most = max(1, min(_SIDE_BY_SIDE, expected - number))
        queries = [_query(dates, limit, number + each) for each in range(1, most + 1)]
        # The list may be shorter now. Answers for pages after the last one mean nothing, errors too:
        # so an error counts only when its page is reached.
        for found in await asyncio.gather(*map(list_page, queries), return_exceptions=True):
            if isinstance(found, BaseException):
                raise found
            page = found
            number += 1
            yield page
            if not page.has_next:
                break


async def _first_page(
    list_page: ListPage, dates: tuple[date, date | None], page_size: PageSize
) -> tuple[int, ListedPage]:
    """Return the first page and the ``limit`` for the next ones; learn what the service grants.

    A refused ``limit`` is lowered. When fewer rows come than requested, although more follow, the
    page is requested again with exactly that ``limit``: then page numbers mean the same to both sides.
    """
    # Read once: another walk may lower it while this one waits for its answer.
    limit = page_size.limit
    while True:
        try:
            page = await list_page(_query(dates, limit, 1))
            break
        except BadRequest:
            # Nothing is learned unless a smaller limit is granted: something else may be wrong.
            smaller = [size for size in PAGE_SIZES if size < limit]
            if not smaller:
                raise
            limit = smaller[0]
    if limit < page_size.limit:
        page_size.lower(limit)
    rows = len(page.rows)
    if not page.has_next or not 0 < rows < limit:
        return limit, page
    again = await list_page(_query(dates, rows, 1))
    # Not the same number: the list has just changed, so the first answer proves no limit.
    if len(again.rows) != rows:
        return limit, page
    page_size.lower(rows)
    return rows, again


def _query(dates: tuple[date, date | None], limit: int, page: int) -> ListQuery:
    return ListQuery(limit=limit, page=page, from_=dates[0], to=dates[1])


def _take(result: Pass, page: ListedPage, reading: "_Reading") -> bool:
    """Add a page's rows; return whether any was new."""
    received_at = datetime.now(UTC)
    before = len(result.everything)
    for raw in page.rows:
        subject, created_at, row = _read_row(bytes(raw), received_at, reading)
        result.everything[subject] = created_at
        if row is not None:
            result.rows[subject] = row
    fresh = len(result.everything) - before
    if fresh < len(page.rows):
        repeated = len(page.rows) - fresh
        result.drift.append(f"page {result.pages} repeated {repeated} of its {len(page.rows)} rows")
    return fresh > 0


@dataclass(frozen=True)
class _Reading:
    """How rows are read. ``possible``: days whose rows the service may send for these dates."""

    days: DayRange
    zone: ZoneInfo
    possible: DayRange
    read: dict[bytes, ListRow]


#: Subject, creation and row; no row for days outside the window: such a row only shows movement.
_Read: TypeAlias = tuple[str, datetime | None, ListRow | None]


def _read_row(body: bytes, received_at: datetime, reading: _Reading) -> _Read:
    row = reading.read.get(body)
    if row is not None:
        row.received_at = received_at
        return row.subject, row.created_at, row
    entity, malformed = b"", None
    try:
        glance = _glance.decode(body)
        name: str | None = activity_id(glance.id)
        shown = name
        created_at = instant_from_carrier(glance.created_at)
        entity = digest(bytes(glance.entity))
    except (ValueError, RecursionError, Unstorable):
        name, shown, created_at, malformed = _read_malformed(body)
    # The window's first day stands for the day of a row that does not tell it.
    day = reading.days.first if created_at is None else day_of(created_at, reading.zone)
    if day not in reading.possible:
        day, created_at = reading.days.first, None
        malformed = "created_at lies far outside the days that were asked for"
    own = digest(body)
    subject = name or own.hex()
    if day not in reading.days:
        return subject, created_at, None
    row = reading.read[body] = ListRow(
        subject=subject,
        day=day,
        created_at=created_at,
        body=body,
        digest=own,
        entity_digest=entity,
        received_at=received_at,
        malformed=malformed,
        activity_id=shown,
    )
    return subject, created_at, row


def _read_malformed(body: bytes) -> tuple[str | None, str | None, datetime | None, str]:
    """Return what can be read of a malformed row: its id as a UUID and as sent, creation, reason."""
    name, shown, created_at, reason = None, None, None, "does not have the specified shape"
    try:
        loose = msgspec.json.decode(body, type=dict[str, object])
        given = loose.get("id")
        if isinstance(given, str):
            # An id that is no UUID is kept for people to read: short, and without NUL.
            shown = given[:100].replace("\0", "\ufffd")
            name = shown = activity_id(given)
        created_at = instant_from_carrier(loose.get("created_at"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # the whole row is unreadable: the decoding below says why
    except (ValueError, Unstorable) as error:
        reason = str(error)
    try:
        decode_list_item(body)
    except UnexpectedShape as error:
        reason = error.cause
    return name, shown, created_at, reason
