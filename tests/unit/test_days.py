"""Days, windows, and the dates that surely cover them, whatever the service's days mean."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.sync.days import ONE_DAY, DayRange, dates_of, day_of, surely_within, windows

# The extremes, half hours, and changes of clocks on both sides of the equator.
_ZONES = [
    "UTC",
    "America/Lima",
    "America/Santiago",
    "Europe/Berlin",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Kiritimati",
    "Pacific/Apia",
    "Pacific/Niue",
    "Africa/Cairo",
]
_days = st.dates(date(2024, 1, 1), date(2027, 12, 31))
_zones = st.sampled_from(_ZONES).map(ZoneInfo)
_ranges = st.builds(
    lambda first, days: DayRange(first, first + timedelta(days=days)), _days, st.integers(0, 40)
)
_FAR = date(2030, 1, 1)


def _start_of(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _asked(
    first: date, to: date | None, zone: ZoneInfo, *, whole: bool, now: datetime
) -> tuple[datetime, datetime]:
    """Return the half-open range of instants that a service asked so gives."""
    begin = _start_of(first, zone)
    if to is None:
        return begin, now
    # Midnight itself belongs to the range: the smallest step makes it half-open.
    end = (
        _start_of(to + ONE_DAY, zone) if whole else _start_of(to, zone) + timedelta(microseconds=1)
    )
    return begin, end


@given(days=_ranges, zone=_zones, theirs=_zones, whole=st.booleans())
def test_every_reading_of_the_dates_covers_the_days(
    days: DayRange, zone: ZoneInfo, theirs: ZoneInfo, whole: bool
) -> None:
    ends = _start_of(days.first, zone), _start_of(days.last + ONE_DAY, zone)
    for day, instant in zip((days.first, days.last + ONE_DAY), ends, strict=True):
        # Between islands on both sides of the date line nobody asks.
        assume(abs(_start_of(day, theirs) - instant) <= ONE_DAY)
    first, to = dates_of(days, _FAR)
    begin, end = _asked(first, to, theirs, whole=whole, now=_start_of(_FAR, zone))
    assert begin <= ends[0]
    assert end >= ends[1]


@given(days=_ranges, today=_days, theirs=_zones, whole=st.booleans())
def test_what_surely_lies_within_the_dates_does_so_in_every_zone(
    days: DayRange, today: date, theirs: ZoneInfo, whole: bool
) -> None:
    dates = dates_of(days, today)
    until = datetime.combine(today, time(12), UTC)
    since, before = surely_within(dates, until)
    begin, end = _asked(*dates, theirs, whole=whole, now=until)
    assert begin <= since
    assert before <= min(end, until)


@given(days=_ranges, today=_days)
def test_no_date_to_come_is_ever_asked_for(days: DayRange, today: date) -> None:
    first, to = dates_of(days, today)
    assert first < today
    assert to is None or first <= to < today


@pytest.mark.parametrize("zone", _ZONES)
def test_the_ends_of_time_have_a_day(zone: str) -> None:
    for instant in (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)):
        assert abs(day_of(instant, ZoneInfo(zone)) - instant.date()) <= ONE_DAY


@given(days=st.lists(_days, max_size=40), longest=st.integers(1, 9))
def test_windows_hold_each_day_once_in_order(days: list[date], longest: int) -> None:
    cut = windows(days, longest)
    assert [day for window in cut for day in window] == sorted(set(days))
    assert all(len(window) <= longest for window in cut)
    # Neighbours are joined unless the first of them is full.
    for this, following in pairwise(cut):
        assert following.first - this.last > ONE_DAY or len(this) == longest


@given(days=_ranges, longest=st.integers(1, 9))
def test_a_range_is_split_without_gap(days: DayRange, longest: int) -> None:
    parts = days.split(longest)
    assert [day for part in parts for day in part] == list(days)
    assert all(1 <= len(part) <= longest for part in parts)
