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
_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?"
    r"([Zz]|[+-]\d\d(?::?[0-5]\d(?::?[0-5]\d)?)?)?",
    re.A,
)
#: The usual form, which Python reads fast and without help.
_ZULU = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{3}|\.\d{6})?Z", re.A)


def instant_from_carrier(value: object) -> datetime | None:
    """Read epoch milliseconds as a number, a numeric string or an object (docs/service.md 2).

    An object must hold exactly one number. Its other values do not matter. Rounded to the nearest
    microsecond (ties to even); the arithmetic is exact, also for a float. Raises ValueError for another
    type, a string or an object without such a number, NaN, infinity, and an instant outside the years
    1 to 9999.
    """
    if value is None:
        return None
    if type(value) is int:  # nearly always
        return _from_micros(value * 1000)
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
    return _from_micros(round(Fraction(value) * 1000))


def instant_from_iso(text: str | None, zone_name: str | None = None) -> datetime | None:
    """Read an ISO 8601 date-time, such as ``timeline[].date_time``.

    An offset or ``Z`` in the text decides. A text without one is read in ``zone_name`` if that is
    a known IANA zone, else in UTC. When a change of clocks skips or repeats a time, the offset
    before the change is used. Digits after the microseconds are cut off. Raises ValueError for
    another form, an impossible date or time, and an instant outside the years 1 to 9999.
    """
    if text is None:
        return None
    if _ZULU.fullmatch(text):
        with suppress(ValueError):  # a leap second or an impossible date: see below
            return datetime.fromisoformat(text)
    found = _ISO.fullmatch(text.strip())
    if found is None:
        raise ValueError("not an ISO 8601 date-time")
    minute, second, fraction, offset = found.groups(default="")
    # A leap second has no place in a datetime: it is the second after 59.
    leap = timedelta(seconds=1 if second == "60" else 0)
    second = "59" if leap else second or "00"
    try:
        read = datetime.fromisoformat(f"{minute}:{second}.{fraction[:6]:0<6}{offset}".upper())
        aware = read if offset else read.replace(tzinfo=_zone(zone_name))
        return aware.astimezone(UTC) + leap
    except OverflowError:
        raise ValueError("outside the years 1 to 9999") from None
    except ValueError:
        raise ValueError("an impossible date or time") from None


def _from_micros(micros: int) -> datetime:
    try:
        return EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        raise ValueError("outside the years 1 to 9999") from None


@lru_cache(maxsize=1024)
def _zone(name: str | None) -> tzinfo:
    """Return the zone of that name, else UTC. The name is the service's: it may be any text."""
    if not name:
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, not a name, a folder of zones
        return UTC
