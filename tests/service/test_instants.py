"""Instants: exact, in every form the service may use, and never a crash."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.instants import instant_from_carrier, instant_from_iso

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)
LAST = (datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)
MILLIS = st.integers(FIRST, LAST)
ZONES = sorted(available_timezones())


def micros(instant: datetime | None) -> int:
    assert instant is not None
    assert instant.utcoffset() == timedelta(0)
    return (instant - EPOCH) // timedelta(microseconds=1)


@given(MILLIS)
def test_every_integer_is_exact(value: int) -> None:
    assert micros(instant_from_carrier(value)) == value * 1000
    assert micros(instant_from_carrier(str(value))) == value * 1000
    assert micros(instant_from_carrier({"$date": value})) == value * 1000


@given(st.floats(FIRST, LAST))
def test_every_float_is_the_nearest_microsecond_of_what_it_holds(value: float) -> None:
    expected = round(Fraction(value) * 1000)  # integer arithmetic, ties to even
    assert micros(instant_from_carrier(value)) == expected
    assert micros(instant_from_carrier({"ms": value, "unit": "x"})) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1.7e12", 17 * 10**14), (" 5 ", 5000), ("-1", -1000), ("1e-300", 0), ("0.0015", 2)],
)
def test_forms_of_numeric_text(text: str, expected: int) -> None:
    assert micros(instant_from_carrier(text)) == expected


@pytest.mark.parametrize(
    "value", [FIRST - 1, LAST + 1, 2**63, 10**400, -(10**30), 1e300, "1e99", "9" * 300]
)
def test_what_no_year_holds_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="years 1 to 9999"):
        instant_from_carrier(value)


@pytest.mark.parametrize(
    "value",
    [
        True,
        "",
        "soon",
        "2026-01-01",
        "NaN",
        "1_000",
        "٣",
        "1e9999",
        math.nan,
        -math.inf,
        {},
        {"a": 1, "b": 2},
        {"a": {"b": 1}},
        [1],
    ],
)
def test_other_carriers_are_refused_without_quoting_them(value: Any) -> None:
    with pytest.raises(ValueError) as caught:
        instant_from_carrier(value)
    assert "soon" not in str(caught.value)
    assert "\n" not in str(caught.value)


OFFSETS = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29))


@given(MOMENTS, OFFSETS, st.sampled_from(["T", " ", "t"]))
def test_with_an_offset_that_counts(moment: datetime, offset: timezone, between: str) -> None:
    aware = moment.replace(tzinfo=offset)
    text = aware.isoformat(between)
    assert instant_from_iso(text, "America/Lima") == aware
    assert instant_from_iso(text.replace(":", "", 0), None) == aware


@given(MOMENTS, st.integers(0, 999_999_999), st.integers(1, 9))
def test_a_fraction_of_any_length_is_cut_to_microseconds(
    moment: datetime, nanos: int, digits: int
) -> None:
    moment = moment.replace(microsecond=0)
    fraction = f"{nanos:09}"[:digits]
    expected = moment.replace(microsecond=int(fraction.ljust(9, "0")[:6]), tzinfo=UTC)
    assert instant_from_iso(f"{moment.isoformat()}.{fraction}Z") == expected
    assert instant_from_iso(f"{moment.isoformat()},{fraction}+00:00") == expected


@given(MOMENTS, st.sampled_from(ZONES))
def test_without_an_offset_it_is_read_in_the_zone(moment: datetime, zone: str) -> None:
    """Gaps and folds included: Python's own zones are the measure."""
    expected = moment.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    assert instant_from_iso(moment.isoformat(), zone) == expected


@given(
    st.text()
    | st.none()
    | st.sampled_from(
        ["America", "../etc/passwd", "/etc/passwd", ".", "zone.tab", "\0", "x" * 5000]
    )
)
def test_an_unknown_zone_is_utc(zone: str | None) -> None:
    if zone not in ZONES:
        assert instant_from_iso("2026-01-02T03:04", zone) == datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-02T03:04:05+05", datetime(2026, 1, 1, 22, 4, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05-0530", datetime(2026, 1, 2, 8, 34, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05+01:02:03", datetime(2026, 1, 2, 2, 2, 2, tzinfo=UTC)),
        (" 2026-01-02T03:04z\n", datetime(2026, 1, 2, 3, 4, tzinfo=UTC)),
        ("2026-01-02T03:04:05Z[UTC]", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05-05:00[America/Lima]", datetime(2026, 1, 2, 8, 4, 5, tzinfo=UTC)),
        (
            "2026-01-02T03:04:05+00:00[!Europe/London][u-ca=iso8601]",
            datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        ),
        ("2026-01-02T03:04:05[America/Lima]", datetime(2026, 1, 2, 8, 4, 5, tzinfo=UTC)),
        ("2016-12-31T23:59:60Z", datetime(2017, 1, 1, tzinfo=UTC)),
        ("2026-01-02T03:04:05\u221205:00", datetime(2026, 1, 2, 8, 4, 5, tzinfo=UTC)),
        ("2026-01-02T24:00:00Z", datetime(2026, 1, 3, tzinfo=UTC)),
        ("2026-12-31T24:00-05:00", datetime(2027, 1, 1, 5, tzinfo=UTC)),
        ("20260102T030405Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("20260102T030405.678+0530", datetime(2026, 1, 1, 21, 34, 5, 678000, tzinfo=UTC)),
        ("2026-01-02T03Z", datetime(2026, 1, 2, 3, tzinfo=UTC)),
        ("2026-W01-5T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-01T00:00:00.1234567890123Z", datetime(2026, 1, 1, 0, 0, 0, 123456, tzinfo=UTC)),
        ("1767322985000", datetime(2026, 1, 2, 3, 3, 5, tzinfo=UTC)),
        (1767322985000, datetime(2026, 1, 2, 3, 3, 5, tzinfo=UTC)),
        ({"ms": 1767322985000}, datetime(2026, 1, 2, 3, 3, 5, tzinfo=UTC)),
    ],
)
def test_other_forms_of_iso(text: object, expected: datetime) -> None:
    assert instant_from_iso(text) == expected


def test_the_end_of_a_day_is_the_next_midnight_in_its_zone() -> None:
    """On a day of 23 hours, too."""
    end = instant_from_iso("2026-03-08T24:00:00", "America/New_York")
    assert end == datetime(2026, 3, 9, 4, tzinfo=UTC)
    assert instant_from_iso("20260308T24", "America/New_York") == end


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-01-02",
        "2026-13-01T00:00:00Z",
        "2026-01-01T24:30Z",
        "9999-12-31T24:00:00Z",
        "2026-W54-1T00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:00+24:00",
        "10000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "\uff12026-01-01T00:00:00Z",
    ],
)
def test_what_is_no_instant_is_refused(text: str) -> None:
    with pytest.raises(ValueError) as caught:
        instant_from_iso(text)
    assert not text or text not in str(caught.value)


@given(
    st.text() | st.from_regex(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"),
    st.text(),
)
def test_no_text_fails_otherwise(text: str, zone: str) -> None:
    try:
        instant = instant_from_iso(text, zone)
    except ValueError:
        return
    assert instant is not None
    assert instant.utcoffset() == timedelta(0)
