"""How a walk cuts days into questions to the list (docs/design.md "Rounds"). Pure."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from math import ceil

from pipeline.sync.days import ONE_DAY, DayRange, ends_before, windows
from pipeline.sync.limits import (
    DATES_OF_A_DAY,
    ENOUGH_ROWS,
    GROWTH,
    LONG_PIECE,
    LONGEST,
    LONGEST_EMPTY,
    NEW_ROWS,
    PIECE,
    SMALL_PAGE,
    SMALLEST_PAGE,
)
from pipeline.warehouse.state.coverage import DayCoverage

Known = Mapping[date, DayCoverage]
"""The coverage of days before the walk."""


def first_size(days: Collection[date], known: Known, otherwise: int) -> int:
    """Return the length of the first window in days: about 16,000 rows where days are known."""
    listed = [known[day].listed for day in days if day in known]
    if 2 * len(listed) < len(days):
        return otherwise
    most = max(LONGEST, otherwise)
    return max(1, min(most, ENOUGH_ROWS * len(listed) // max(1, sum(listed))))


def grown(size: int, days: int, rows: int) -> int:
    """Return how long the next windows are, after one of so many ``days`` has brought so many ``rows``."""
    if rows > 2 * ENOUGH_ROWS:
        return max(1, days // 2)
    times = min(GROWTH, NEW_ROWS // (2 * max(1, rows)))
    return min(LONGEST if rows else LONGEST_EMPTY, max(size, times * days))


def in_windows(
    days: Collection[date], known: Known, limit: int, size: Callable[[], int]
) -> Iterator[DayRange]:
    """Yield the days in windows of at most ``size`` days, newest first. ``limit``: rows of a page."""
    left = sorted(days)
    listed = [each.listed for each in known.values()]
    # Half a page of rows that nobody needs is cheaper than one more question.
    gap = max(DATES_OF_A_DAY, limit // 2 * len(listed) // max(1, sum(listed)))
    while left:
        last = left.pop()
        first = last
        while left and (first - left[-1]).days <= gap and (last - left[-1]).days < size():
            first = left.pop()
        yield DayRange(first, last)


def never_proven(days: Iterable[date], known: Known) -> list[date]:
    """Return the days that no run has proven yet."""
    return [day for day in days if day not in known or not known[day].verified_at]


def with_large_pages(days: DayRange, known: Known) -> list[DayRange]:
    """Return what to ask for with large pages to read a window.

    Never what small pages ask for, too: both might be cut off at the same row. Where only the last day
    is new, what is cut off stands at the end, and a question that begins earlier is cut off earlier.
    """
    if len(days) > PIECE:
        return [days]
    if len(days) > 1 and never_proven(days, known) not in ([], [days.last]):
        return days.split(ceil(len(days) / 2))
    return [DayRange(days.first - ONE_DAY, days.last)]


def with_large_pages_again(as_before: Collection[date]) -> list[DayRange]:
    """Return what to ask for once more with large pages: days that have as many rows as were proven.

    Small pages have proven them, so no answer was cut off there.
    """
    return [DayRange(min(as_before), max(as_before))] if as_before else []


def with_small_pages(
    left: Collection[date], window: DayRange, known: Known, listed: int, newest: date | None
) -> list[DayRange]:
    """Return what to ask for with small pages to prove the days that are ``left`` of a window.

    ``listed``: rows of the window; ``newest``: the day of the newest one. Of days that were never proven,
    more days around them; and these without the day of the newest row. A service that ends all answers
    after a few rows must not end all of them at the same row, in whatever order it lists. A long window
    that is new has several pieces, so some end elsewhere; so does one of which only the last day is new.
    """
    # No service that is worth asking cuts off an answer before its usual page is full.
    few = LONGEST if listed else LONGEST_EMPTY
    longest = few if listed < SMALL_PAGE else LONG_PIECE
    pieces = windows(left, max(PIECE, min(longest, ceil(len(window) / 2))))
    new = never_proven(window, known)
    if len(new) == len(window) > PIECE or (len(window) > 1 and new == [window.last]):
        return pieces
    asked = []
    for piece in pieces:
        if not set(new).intersection(piece):
            asked.append(piece)
            continue
        before = piece.first - PIECE * ONE_DAY
        asked.append(DayRange(before, piece.last + ONE_DAY))
        asked.append(DayRange(before, max(before + ONE_DAY, ends_before(newest or before))))
    return asked


def fewer_rows(limit: int) -> int:
    """Return three quarters of ``limit``, at least one row: such pages end at other rows."""
    return max(1, limit * 3 // 4)


def small_limit(most: int, expected: int) -> int:
    """Return the rows of a small page.

    Fewer than came before: so a page that the service has cut off without a word shows.
    """
    return min(most, max(SMALLEST_PAGE, expected * 3 // 4))
