"""Phone numbers: read, checked, held in E.164, and masked."""

import re
from functools import lru_cache

import phonenumbers

#: What people write between digits.
_SEPARATORS = r" ().\-/\u00a0"
_WRITTEN = re.compile(rf"\+?\(?[0-9][0-9{_SEPARATORS}]*")
_SHORTENED = re.compile(r"[0-9]+([.,][0-9]*)?[eE]\+?[0-9]+")
#: Seven digits or more: as many as the shortest numbers have.
_LONG = re.compile(rf"\+?[0-9](?:[{_SEPARATORS}]*[0-9]){{6,}}")
_NOT_DIGITS = re.compile(r"[^0-9]")
#: Digits that a masked number still shows.
_SHOWN = 2


def read_country(given: object) -> str:
    """Return a two-letter country in capitals. Raises ValueError with one line."""
    if not isinstance(given, str) or not given.strip():
        raise ValueError("phone_country_code is missing")
    country = given.strip().upper()
    if country not in phonenumbers.SUPPORTED_REGIONS:
        raise ValueError("phone_country_code is not a two-letter country such as PE")
    return country


def read_number(given: object, country: str) -> str:
    """Return a phone number of ``country`` in E.164, "" when the country is not known.

    The country calling code may be there or not, with ``+``, ``00`` or neither. Raises ValueError with
    one line, in which the number is masked.
    """
    if isinstance(given, int) and not isinstance(given, bool):
        given = str(given)
    if not isinstance(given, str) or not given.strip():
        raise ValueError("phone_number is missing")
    text = given.strip()
    if _SHORTENED.fullmatch(text):
        raise ValueError(
            "phone_number was shortened by a spreadsheet: format the column as text, and fill it again"
        )
    if _WRITTEN.fullmatch(text) is None:
        raise ValueError("phone_number holds characters that are not digits")
    if not country:
        return ""
    # In most countries 00 begins a number with its calling code, in some another prefix does.
    for spelling in (text, re.sub(r"^\(?00", "+", text)):
        try:
            number = phonenumbers.parse(spelling, country)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number_for_region(number, country):
            return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    raise ValueError(f"phone_number {mask(text)} is not a valid number in {country}")


@lru_cache(maxsize=4096)
def national(number: str) -> str:
    """Return the national digits of a number in E.164; another text stays as it is."""
    try:
        return phonenumbers.national_significant_number(phonenumbers.parse(number))
    except phonenumbers.NumberParseException:
        return number


def mask(number: str) -> str:
    """Return asterisks for a phone number's digits, except the last two of a longer number."""
    digits = _NOT_DIGITS.sub("", national(number))
    end = digits[-_SHOWN:] if len(digits) > 2 * _SHOWN else ""
    return "*" * max(len(digits) - _SHOWN, _SHOWN) + end


def mask_all(text: str) -> str:
    """Return ``text`` with everything masked that may be a phone number."""
    return _LONG.sub(lambda found: mask(found[0]), text)


def mask_in(text: str, number: str) -> str:
    """Return ``text`` with every mention of ``number`` masked, whatever stands between its digits."""
    digits = _NOT_DIGITS.sub("", national(number)).lstrip("0")
    if len(digits) < _SHOWN:
        return text
    return re.sub(f"[{_SEPARATORS}]*".join(digits), mask(number), text)
