"""Phone numbers: read, checked, and shown without most of their digits."""

import re

import phonenumbers

_WRITTEN = re.compile(r"\+?[0-9][0-9 ().\-/\u00a0]*")
_FILLING = re.compile(r"[^0-9]")
#: What people write between digits; allowed when a number is looked for in a text.
_BETWEEN = r"[ ().\-/\u00a0]*"
#: Digits that are still shown.
_SHOWN = 2


def read_country(text: object) -> str:
    """Return the country in capitals. Raises ValueError, a line that names what is wrong."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError("phone_country_code is missing")
    country = text.strip().upper()
    if country not in phonenumbers.SUPPORTED_REGIONS:
        raise ValueError("phone_country_code is not a two-letter country such as PE")
    return country


def read_number(text: object, country: str) -> str:
    """Return the digits of a phone number of ``country``.

    Digits stay as they are written; one that begins with ``+`` loses its country calling code.
    Raises ValueError, a line without the number.
    """
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str) or not text.strip():
        raise ValueError("phone_number is missing")
    text = text.strip()
    if _WRITTEN.fullmatch(text) is None:
        raise ValueError("phone_number holds something else than digits")
    try:
        number = phonenumbers.parse(text, country)
    except phonenumbers.NumberParseException:
        raise ValueError(f"phone_number {masked(text)} is not a phone number") from None
    if not phonenumbers.is_valid_number_for_region(number, country):
        raise ValueError(f"phone_number {masked(text)} is not a valid number in {country}")
    if text.startswith("+"):
        return phonenumbers.national_significant_number(number)
    return _FILLING.sub("", text)


def masked(number: str) -> str:
    """Return a phone number of which only the last two digits are to be seen."""
    digits = _FILLING.sub("", number)
    return "*" * max(len(digits) - _SHOWN, _SHOWN) + (
        digits[-_SHOWN:] if len(digits) > 2 * _SHOWN else ""
    )


def masked_in(text: str, number: str) -> str:
    """Return ``text`` with every mention of ``number`` masked, however its digits are set apart."""
    digits = _FILLING.sub("", number).lstrip("0")
    if len(digits) < _SHOWN:
        return text
    return re.sub(_BETWEEN.join(digits), masked(number), text)
