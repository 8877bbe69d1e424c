"""Phone numbers: read once, by `phonenumbers`, held in E.164 from then on, and masked."""

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache

import phonenumbers

from pipeline.authorizations.subscribers import subscriber

#: What people write between digits.
_SEPARATORS = r" ().\-/\u00a0"
_WRITTEN = re.compile(rf"\(?\+?\(?[0-9][0-9{_SEPARATORS}]*")
#: What a spreadsheet makes of a number: an exponent, decimal places, or commas between thousands.
_SPREADSHEET = re.compile(
    r"\+?[0-9.,]+[eE][+-]?[0-9]+|[0-9+ .]*,[0-9 .,]*|.*\.[0-9]?|\+?[0-9 ]*\.([0-9]{2}|0+)"
)
_CHANGED = "a spreadsheet changed this phone_number: format the column as text, and fill it again"
_LONGER = "write it with + and its calling code"
#: Seven digits or more: as many as the shortest numbers have.
_LONG = re.compile(rf"\+?[0-9](?:[{_SEPARATORS}]*[0-9]){{6,}}")
_NOT_DIGITS = re.compile(r"[^0-9]")
#: Digits that a masked number still shows.
_SHOWN = 2


def normalize(text: str) -> str:
    """Return a text as a keyboard writes it: plain digits, hyphens and spaces, no invisible marks."""
    return "".join(map(_plain, unicodedata.normalize("NFKC", text))).strip()


def _plain(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind == "Nd":
        return str(unicodedata.decimal(letter))
    replaced = {"Cf": "", "Cc": " ", "Mn": "", "Me": "", "Pd": "-", "Zs": " "}
    return "-" if letter == "\u2212" else replaced.get(kind, letter)


def read_country(given: object) -> str:
    """Return a two-letter country in capitals. Raises ValueError with one line."""
    if not isinstance(given, str) or not given.strip():
        raise ValueError("phone_country_code is missing")
    country = normalize(given).upper()
    if country not in phonenumbers.SUPPORTED_REGIONS:
        raise ValueError("phone_country_code is not a two-letter country such as PE")
    return country


def read_number(given: object, country: str | None) -> str:
    """Return a phone number of ``country`` in E.164, "" when the country is "".

    The country calling code may be there or not, with ``+``, ``00`` or neither; without a country (None)
    it must be there. Raises ValueError with one line, in which the number is masked.
    """
    if not isinstance(given, str) or not given.strip():
        raise ValueError("phone_number is missing")
    text = normalize(given)
    if _SPREADSHEET.fullmatch(text):
        raise ValueError(_CHANGED)
    if _WRITTEN.fullmatch(text) is None:
        raise ValueError("phone_number holds characters that are not digits")
    if country == "":
        return ""
    numbers, with_zero = _readings(text, country), _readings(f"0{text}", country)
    if len(numbers) > 1:
        raise ValueError(f"phone_number {mask(text)} can be two numbers of {country}: {_LONGER}")
    if text[0].isdigit() and with_zero - numbers and (not numbers or _is_short(text, country)):
        raise ValueError(f"the first zero of this phone_number is missing; {_CHANGED}")
    return numbers.pop() if numbers else _read_other_form(text, country)


def _read_other_form(text: str, country: str | None) -> str:
    """Return the number that an older form means. Raises ValueError."""
    written = _spelled(text, country)
    found = {today for each in written if _fits(today := subscriber(each), country)}
    if len(found) == 1:
        return found.pop()
    where = f" in {country}" if country else f": {_LONGER}"
    raise ValueError(f"phone_number {mask(text)} is not a valid number{where}")


def _readings(text: str, country: str | None) -> set[str]:
    """Return the numbers that a text can mean: with its calling code, or without it."""
    return {each for each in _spelled(text, country) if _fits(each, country)}


def _fits(number: str, country: str | None) -> bool:
    parsed = phonenumbers.parse(number)
    if country:
        return phonenumbers.is_valid_number_for_region(parsed, country)
    return phonenumbers.is_possible_number(parsed)


def _spelled(text: str, country: str | None) -> list[str]:
    """Return what a text can mean in E.164, valid or not."""
    spellings, digits = [text], text.lstrip("(")
    if digits.startswith("00"):  # in some countries another prefix stands before a calling code
        spellings.append(f"+{digits[2:]}")
    elif digits[0] not in "+0" and country:
        spellings.append(f"+{digits}")
    found = []
    for spelling in spellings:
        with suppress(phonenumbers.NumberParseException):
            number = phonenumbers.parse(spelling, country)
            found.append(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))
    return found


def _is_short(text: str, country: str | None) -> bool:
    """Return whether a number has one digit less than most numbers of its country."""
    example = phonenumbers.example_number_for_type(country, phonenumbers.PhoneNumberType.MOBILE)
    usual = phonenumbers.national_significant_number(example) if example else ""
    return len(_NOT_DIGITS.sub("", text)) + 1 == len(usual)


def holds_number(text: str, number: str) -> bool:
    """Return whether a text holds a number in E.164, in any spelling of its country."""
    code = phonenumbers.parse(number).country_code or 0
    region = phonenumbers.region_code_for_country_code(code)
    trunk = phonenumbers.ndd_prefix_for_region(region, strip_non_digits=True) or "0"
    before = rf"(?:0*{code}|{trunk})?[{_SEPARATORS}]*0*"
    spelled = re.compile(rf"(?<![0-9]){before}{_spellings(number)}(?![0-9])")
    return spelled.search(normalize(text)) is not None


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
    spellings = _spellings(number)
    return re.sub(spellings, mask(number), text) if len(spellings) >= _SHOWN else text


def _spellings(number: str) -> str:
    """Return a pattern of a number's national digits, whatever stands between them."""
    digits = _NOT_DIGITS.sub("", national(number)).lstrip("0")
    return f"[{_SEPARATORS}]*".join(digits)
