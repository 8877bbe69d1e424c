"""Phone numbers: read, checked, and masked."""

import re

import phonenumbers

#: What people write between digits.
_SEPARATORS = r" ().\-/\u00a0"
_WRITTEN = re.compile(rf"\+?[0-9][0-9{_SEPARATORS}]*")
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
    """Return the digits of a phone number of ``country``, "" when the country is not known.

    Digits stay as they are written; one that begins with ``+`` loses its country calling code.
    Raises ValueError with one line, in which the number is masked.
    """
    if isinstance(given, int) and not isinstance(given, bool):
        given = str(given)
    if not isinstance(given, str) or not given.strip():
        raise ValueError("phone_number is missing")
    text = given.strip()
    if _WRITTEN.fullmatch(text) is None:
        raise ValueError("phone_number holds characters that are not digits")
    if not country:
        return ""
    try:
        number = phonenumbers.parse(text, country)
    except phonenumbers.NumberParseException:
        raise ValueError(f"phone_number {mask(text)} is not a phone number") from None
    if not phonenumbers.is_valid_number_for_region(number, country):
        raise ValueError(f"phone_number {mask(text)} is not a valid number in {country}")
    if text.startswith("+"):
        return phonenumbers.national_significant_number(number)
    return _NOT_DIGITS.sub("", text)


def mask(number: str) -> str:
    """Return asterisks for a phone number's digits, except the last two of a longer number."""
    digits = _NOT_DIGITS.sub("", number)
    end = digits[-_SHOWN:] if len(digits) > 2 * _SHOWN else ""
    return "*" * max(len(digits) - _SHOWN, _SHOWN) + end


def mask_in(text: str, number: str) -> str:
    """Return ``text`` with every mention of ``number`` masked, whatever stands between its digits."""
    digits = _NOT_DIGITS.sub("", number).lstrip("0")
    if len(digits) < _SHOWN:
        return text
    return re.sub(f"[{_SEPARATORS}]*".join(digits), mask(number), text)
