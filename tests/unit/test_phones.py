"""Numbers: spelled in many ways, held in one, and confused with no other of any country.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

import phonenumbers
import pytest

from pipeline.authorizations.phones import holds_number, national, read_number
from pipeline.authorizations.subscribers import subscriber
from tests.support.phone_examples import EXAMPLES


def test_every_country_is_read_and_none_is_confused() -> None:
    assert len(EXAMPLES) > 400
    for number, country in EXAMPLES.items():
        assert read_number(number, country) == number
        assert read_number(national(number), country) == number
        assert read_number(number, None) == number
        assert holds_number(f"loan {number}", number)
        assert holds_number(f"loan {national(number)}", number)


def spelled(number: str) -> list[str]:
    """Return what people write for a number, and what is left of it without signs and zeros."""
    parsed = phonenumbers.parse(number)
    formats = phonenumbers.PhoneNumberFormat
    local = phonenumbers.format_number(parsed, formats.NATIONAL)
    abroad = phonenumbers.format_number(parsed, formats.INTERNATIONAL)
    digits = "".join(filter(str.isdigit, local))
    return [local, abroad, f"00{number[1:]}", f"\u202a{abroad}\u202c",
            number[1:], digits.lstrip("0"), local.lstrip("0"), national(number).lstrip("0")]  # fmt: skip


def test_no_spelling_of_a_number_is_read_as_another_one() -> None:
    for number, country in EXAMPLES.items():
        for place, text in enumerate(spelled(number)):
            read, why = None, ""
            try:
                read = read_number(text, country)
            except ValueError as error:
                why = str(error)
            # Only what lost a sign or a zero may be refused, with what to do.
            told = "write it with +" in why or "format the column as text" in why
            assert read == number or (place > 3 and told), (country, text, read, why)


@pytest.mark.parametrize(
    ("text", "country"), [("4915112345678", "DE"), ("468123456", "SE"), ("62812345678", "ID")]
)
def test_a_number_that_can_be_two_is_refused(text: str, country: str) -> None:
    with pytest.raises(ValueError, match=r"can be two numbers of ..: write it with"):
        read_number(text, country)
    assert read_number(f"+{text}", country) == f"+{text}"


def test_a_reference_that_holds_one_number_holds_no_other() -> None:
    numbers = list(EXAMPLES)
    for step in (1, 2, 7, 50):
        for place, number in enumerate(numbers):
            other = numbers[(place + step) % len(numbers)]
            assert not holds_number(f"loan {other}", number), (other, number)


@pytest.mark.parametrize(
    ("reference", "number", "held"),
    [
        ("loan 987-654 321", "+51987654321", True),
        ("loan 987.654.321", "+51987654321", True),
        ("0987654321", "+51987654321", True),
        ("4711 987654321", "+51987654321", True),
        ("loan 98765432", "+51987654321", False),
        ("loan 415 555 2671", "+14155552671", True),
        ("loan 9876543210", "+51987654321", False),
        ("loan 4987654321", "+51987654321", False),
        ("89123456789", "+79123456789", True),
        ("06201234567", "+36201234567", True),
        ("4711-51-987654321", "+51987654321", True),
        ("\u202a987654321", "+51987654321", True),
        *((f"ref-{place}", f"+51{900_000_000 + place}", False) for place in range(24)),
    ],
)
def test_whether_a_reference_holds_the_number(reference: str, number: str, held: bool) -> None:
    assert holds_number(reference, number) == held


@pytest.mark.parametrize(
    ("written", "country"),
    [
        ("1511234567.0", "DE"), ("1511234567,0", "DE"), ("1511234567.00", "DE"),
        ("1,51E+09", "DE"), ("1.511234567E9", "DE"),
        ("+49 151 1234567.0", "DE"), ("1.511.234.567,00", "DE"), ("1,511,234,567.00", "DE"),
        ("1511234567.5", "DE"), ("1511234567.", "DE"), ("1.51E+10", "DE"), ("1,51e10", "DE"),
        ("151E8", "DE"),
        ("212345678", "IT"), ("321123456", "IT"), ("123456789", "CI"), ("6031234", "GA"),
    ],
)  # fmt: skip
def test_what_a_spreadsheet_made_is_refused_with_what_to_do(written: str, country: str) -> None:
    with pytest.raises(ValueError, match="format the column as text"):
        read_number(written, country)


@pytest.mark.parametrize(
    "written",
    [
        "\u202a999888777\u202c", "\u2068+51 999 888 777\u2069", "999\u2011888\u2011777",
        "\uff19\uff19\uff19\uff18\uff18\uff18\uff17\uff17\uff17",
        "9\ufe0f\u20e399888777", "999\u200b888\u2060777", "999\t888\t777",
        "999\u00a0888\u2013777", "\u0669\u0669\u0669888777",
    ],
)  # fmt: skip
def test_marks_that_nobody_sees_are_left_out(written: str) -> None:
    assert read_number(written, "PE") == "+51999888777"


def test_dots_between_pairs_are_no_decimal_places() -> None:
    assert read_number("01.23.45.67.00", "FR") == "+33123456700"


#: By country: forms of one subscriber, and numbers of others that look alike.
FORMS = {
    "AR": (
        ["+54 9 11 2345-6789", "11 2345-6789", "011 15 2345-6789", "0 11 2345-6789", "9 11 2345 6789"],
        ["+54 9 11 2345-6788", "+54 9 351 234-5678"],
    ),
    "MX": (
        ["+52 1 55 1234 5678", "+52 55 1234 5678", "55 1234 5678", "1 55 1234 5678", "5215512345678"],
        ["55 1234 5679", "+52 1 81 1234 5678"],
    ),
    "BR": (
        ["+55 11 98765-4321", "(11) 98765-4321", "11 8765-4321", "+55 11 8765-4321", "0 15 11 8765-4321"],
        ["11 3765-4321", "21 8765-4321", "11 7712-3456", "11 97712-3456"],
    ),
    "IT": (
        ["+39 06 1234 5678", "+39 6 1234 5678", "0039 6 12345678", "06 1234 5678"],
        ["+39 02 1234 5678", "+39 335 1234567", "+39 800 123456", "+39 0321 123456", "+39 321 123456"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("country", FORMS)
def test_forms_of_one_subscriber_are_one_person(country: str) -> None:
    forms, others = FORMS[country]
    people = {subscriber(read_number(text, country)) for text in forms}
    assert len(people) == 1
    known = [subscriber(read_number(text, country)) for text in others]
    assert len(set(known) | people) == len(others) + 1
    for number in known:
        assert subscriber(number) == number
    for text in forms + others:
        if text[0] == "+":
            assert subscriber(read_number(text, None)) == subscriber(read_number(text, country))


def test_only_mobile_and_fixed_numbers_of_argentina_are_one_person() -> None:
    people = {subscriber(number): number for number in EXAMPLES}
    alone = {number for number in EXAMPLES if EXAMPLES[number] != "AR"}
    assert len(people) == len(alone) + 1
    assert all(subscriber(number) == number for number in alone)
