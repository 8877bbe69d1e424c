"""From the service's three ways to write an instant to an aware UTC datetime.

Pure functions. None in, None out. A value that is no instant raises ValueError with a one-line
reason that does not quote the value.
"""

import math
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_NUMBER = re.compile(r"\s*[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?\s*", re.A)
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?"
    r"(?:([Zz])|([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?)?",
    re.A,
)
#: The ordinary form of it, which Python reads by itself.
_ZULU = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{3}|\.\d{6})?Z", re.A)


def instant_from_epoch_ms(value: int | float | None) -> datetime | None:
    """Read epoch milliseconds, rounded to the nearest microsecond (ties to even).

    Integer arithmetic throughout, so exact for every int and for what a float really holds.
    Raises ValueError for a wrong type, NaN or infinity, and outside the years 1 to 9999.
    """
    if value is None:
        return None
    if type(value) is int:
        try:
            return EPOCH + timedelta(milliseconds=value)
        except OverflowError:
            raise ValueError("outside the years 1 to 9999") from None
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise ValueError(f"not a number of milliseconds but {_kind(value)}")
    if not math.isfinite(value):
        raise ValueError("not a finite number of milliseconds")
    return _from_ratio(*value.as_integer_ratio())


def instant_from_carrier(value: object) -> datetime | None:
    """Read ``created_at`` or ``updated_at``: epoch ms as number, numeric string or in an object.

    The object must hold exactly one number; other values beside it do not matter. Raises ValueError
    as `instant_from_epoch_ms` does, and for a string or an object that holds no such number.
    """
    if value is None or isinstance(value, (int, float)):
        return instant_from_epoch_ms(value)
    if isinstance(value, dict):
        numbers = [
            held
            for held in value.values()
            if isinstance(held, (int, float)) and not isinstance(held, bool)
        ]
        if len(numbers) != 1:
            raise ValueError(f"an object that holds {len(numbers)} numbers instead of one")
        return instant_from_epoch_ms(numbers[0])
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value):
            raise ValueError("a string that is no number of milliseconds")
        number = Decimal(value.strip())
        if number.adjusted() > 20:
            raise ValueError("outside the years 1 to 9999")
        if number.adjusted() < -20:
            return EPOCH
        return _from_ratio(*number.as_integer_ratio())
    raise ValueError(f"not a number of milliseconds but {_kind(value)}")


def instant_from_iso(text: str | None, zone_name: str | None = None) -> datetime | None:
    """Read an ISO 8601 date-time, such as ``timeline[].date_time``.

    With an offset or ``Z`` that counts; without one it is read in ``zone_name`` when that is a
    known IANA zone, else in UTC. A time that a change of clocks skips or repeats is read with the
    offset before the change. Digits of a fraction beyond microseconds are cut off. Raises
    ValueError for another form, an impossible date or time, and outside the years 1 to 9999.
    """
    if text is None:
        return None
    if not isinstance(text, str):
        raise ValueError(f"not a date-time string but {_kind(text)}")
    if _ZULU.fullmatch(text):
        with suppress(ValueError):  # a leap second, or no date: judged below
            return datetime.fromisoformat(text)
    found = _ISO.fullmatch(text.strip())
    if found is None:
        raise ValueError("not an ISO 8601 date-time")
    second, fraction, zulu, sign, hours, minutes, seconds = found.groups()[5:]
    # A leap second has no place in a datetime: it is the second after 59.
    leap = timedelta(seconds=1 if second == "60" else 0)
    micros = (fraction or "").ljust(6, "0")[:6]
    try:
        year, month, day, hour, minute = map(int, found.groups()[:5])
        second_of_minute = 59 if leap else int(second or 0)
        local = datetime(year, month, day, hour, minute, second_of_minute, int(micros))
        if sign:
            zone: tzinfo = _offset(sign, int(hours), int(minutes or 0), int(seconds or 0))
        else:
            zone = UTC if zulu else _zone(zone_name)
        return local.replace(tzinfo=zone).astimezone(UTC) + leap
    except OverflowError:
        raise ValueError("outside the years 1 to 9999") from None
    except ValueError:
        raise ValueError("an impossible date or time") from None


def _from_micros(micros: int) -> datetime:
    try:
        return EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        raise ValueError("outside the years 1 to 9999") from None


def _from_ratio(numerator: int, denominator: int) -> datetime:
    """Milliseconds as a fraction, to the nearest microsecond."""
    micros, rest = divmod(numerator * 1000, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and micros % 2):
        micros += 1
    return _from_micros(micros)


def _offset(sign: str, hours: int, minutes: int, seconds: int) -> tzinfo:
    if minutes > 59 or seconds > 59:
        raise ValueError("an impossible offset")
    ahead = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return timezone(ahead if sign == "+" else -ahead)


@lru_cache(maxsize=1024)
def _zone(name: str | None) -> tzinfo:
    """Find the zone of that name, else UTC. It comes from the service, so it may be anything."""
    if not name:
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, no name of a zone, a folder of them
        return UTC


def _kind(value: object) -> str:
    return type(value).__name__
