"""Converts the service's three ways to write an instant to an aware UTC datetime (docs/service.md 2).

Pure functions. None in, None out. A value that is not an instant raises ValueError with a one-line
reason that does not quote the value.
"""

import math
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from fractions import Fraction
from functools import lru_cache
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_NUMBER = re.compile(r"\s*[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?\s*", re.A)
#: The hour of ``24:00``, the end of a day.
_END_OF_DAY = re.compile(r"(?<=[T ])24(?=(:?00){0,2}([.,]0+)?([Z+-]|$))")
#: The second after 59, which no datetime holds: it counts as the next one.
_LEAP_SECOND = re.compile(r"(?<=\d:\d\d:)60|(?<=T\d{4})60")


def instant_from_carrier(value: object) -> datetime | None:
    """Read epoch milliseconds in any of the forms that `milliseconds` reads (docs/service.md 2).

    Rounded to the nearest microsecond (ties to even). Raises ValueError as `milliseconds`, and for an
    instant outside the years 1 to 9999.
    """
    if value is None:
        return None
    try:
        return EPOCH + timedelta(microseconds=round(milliseconds(value) * 1000))
    except OverflowError:
        raise ValueError("outside the years 1 to 9999") from None


def milliseconds(value: object) -> int | Fraction:
    """Return the number that a number, a numeric text or an object with one number states, exactly.

    An object must hold exactly one number. Its other values do not matter. Raises ValueError for another
    type, a string or an object without such a number, NaN and infinity.
    """
    if type(value) is int:  # nearly always
        return value
    if isinstance(value, dict):
        numbers = [held for held in value.values() if type(held) in (int, float)]
        if len(numbers) != 1:
            raise ValueError(f"an object that holds {len(numbers)} numbers instead of one")
        value = numbers[0]
    elif isinstance(value, str):
        if not _NUMBER.fullmatch(value):
            raise ValueError("a string that is not a number of milliseconds")
        value = Fraction(value)
    if not isinstance(value, (int, float, Fraction)) or isinstance(value, bool):
        raise ValueError(f"not a number of milliseconds but {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError("not a finite number of milliseconds")
    return Fraction(value)


def instant_from_iso(value: object, zone_name: str | None = None) -> datetime | None:
    """Read an ISO 8601 date-time, such as ``timeline[].date_time``; a number as `instant_from_carrier`.

    Basic forms (``20260102T030405Z``), ``24:00``, leap seconds and a zone in brackets are read, too. An
    offset or ``Z`` decides. Without one, the zone in brackets does, else ``zone_name``, else UTC; an
    unknown zone is UTC. When a change of clocks skips or repeats a time, the offset before the change is
    used. Digits after the microseconds are cut off. Raises ValueError for another form, an impossible
    date or time, and an instant outside the years 1 to 9999.
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return instant_from_carrier(value)
    with suppress(ValueError, OverflowError):  # nearly always it is the usual form
        if value.endswith("Z") and "T" in value:
            return datetime.fromisoformat(value)
    text, _, zone = value.strip().partition("[")
    # The minus sign of ISO 8601 is not the hyphen that all others write.
    text, midnight = _END_OF_DAY.subn("00", text.upper().replace("\u2212", "-"))
    text, leap = _LEAP_SECOND.subn("59", text)
    try:
        if len(text) <= len("2026-01-02"):  # which would be read as its midnight
            raise ValueError
        read = datetime.fromisoformat(text) + timedelta(days=midnight, seconds=leap)
        named = zone.partition("]")[0].lstrip("!") or zone_name
        aware = read if read.tzinfo else read.replace(tzinfo=_zone(named))
        return aware.astimezone(UTC)
    except OverflowError:
        raise ValueError("outside the years 1 to 9999") from None
    except ValueError:
        raise ValueError("not an ISO 8601 date-time, or an impossible one") from None


@lru_cache(maxsize=1024)
def _zone(name: str | None) -> tzinfo:
    """Return the zone of that name, else UTC. The name is the service's: it may be any text."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):  # unknown, not a name, a folder of zones
        return UTC
