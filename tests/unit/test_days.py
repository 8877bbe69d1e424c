"""Days, windows, and the dates that surely cover them, whatever the service's days mean."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.sync.days import (
    ONE_DAY,
    UNKNOWN,
    DayBoundaries,
    DayRange,
    day_of,
    service_dates,
    start_of,
    windows,
)

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


def _asked(
    first: date, to: date | None, zone: ZoneInfo, *, whole: bool, now: datetime
) -> tuple[datetime, datetime]:
    """Return the half-open range of instants that a service asked so gives."""
    begin = start_of(first, zone)
    if to is None:
        return begin, now
    # Midnight itself belongs to the range: the smallest step makes it half-open.
    end = start_of(to + ONE_DAY, zone) if whole else start_of(to, zone) + timedelta(microseconds=1)
    return begin, end


def _ends(days: DayRange, zone: ZoneInfo) -> tuple[datetime, datetime]:
    return start_of(days.first, zone), start_of(days.last + ONE_DAY, zone)


@given(days=_ranges, zone=_zones, theirs=_zones, whole=st.booleans())
def test_without_knowledge_every_reading_is_covered(
    days: DayRange, zone: ZoneInfo, theirs: ZoneInfo, whole: bool
) -> None:
    first, to = service_dates(days, zone, UNKNOWN, _FAR)
    begin, end = _asked(first, to, theirs, whole=whole, now=start_of(_FAR, UTC_ZONE))
    assert begin <= _ends(days, zone)[0]
    assert end >= _ends(days, zone)[1]


UTC_ZONE = ZoneInfo("UTC")


@given(
    days=_ranges,
    zone=_zones,
    caller=st.booleans(),
    whole=st.booleans(),
    off=st.integers(-23, 23),
)
def test_what_is_known_is_covered_and_so_is_a_zone_within_a_day(
    days: DayRange, zone: ZoneInfo, caller: bool, whole: bool, off: int
) -> None:
    boundaries = DayBoundaries("caller" if caller else "UTC", whole)
    theirs = zone if caller else UTC_ZONE
    first, to = service_dates(days, zone, boundaries, _FAR)
    begin, end = _asked(first, to, theirs, whole=whole, now=start_of(_FAR, UTC_ZONE))
    shift = timedelta(hours=off)
    assert begin + shift <= _ends(days, zone)[0]
    # The two zones' own changes of clocks may add an hour to the difference, never a day.
    assert end + shift >= _ends(days, zone)[1]
    unknown = service_dates(days, zone, UNKNOWN, _FAR)
    assert unknown[0] <= first
    assert to is not None
    assert unknown[1] is not None
    assert to <= unknown[1]


@given(days=_ranges, zone=_zones, today=_days, known=st.booleans())
def test_no_date_to_come_is_ever_asked_for(
    days: DayRange, zone: ZoneInfo, today: date, known: bool
) -> None:
    boundaries = DayBoundaries("caller", True) if known else UNKNOWN
    first, to = service_dates(days, zone, boundaries, today)
    assert first < today
    assert to is None or first <= to < today


@given(instant=st.datetimes(datetime(2024, 1, 1), datetime(2027, 12, 31)), zone=_zones)
def test_an_instant_lies_within_its_day(instant: datetime, zone: ZoneInfo) -> None:
    aware = instant.replace(tzinfo=UTC)
    day = day_of(aware, zone)
    assert start_of(day, zone) <= aware < start_of(day + ONE_DAY, zone)


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


def test_a_range_knows_its_days() -> None:
    days = DayRange(date(2026, 2, 27), date(2026, 3, 1))
    assert (len(days), str(days)) == (3, "2026-02-27..2026-03-01")
    assert date(2026, 2, 28) in days
    assert date(2026, 3, 2) not in days
    assert "2026-02-28" not in days
    assert str(DayRange(days.first, days.first)) == "2026-02-27"
    with pytest.raises(ValueError, match="is after"):
        DayRange(days.last, days.first)
