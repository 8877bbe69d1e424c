"""Files and their lines: read whatever is in them, every fault named, no number shown."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import phonenumbers
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.authorizations.files import FileUnreadable, read_file
from pipeline.authorizations.phones import mask, mask_in
from pipeline.authorizations.requests import COLUMNS, Request

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LABELS = {
    ("time_unit", "HOURS"), ("time_unit", "DAYS"),
    ("requirement", "RQ_002"), ("requirement", "RQ_005"), ("item", "IDT_001"),
}  # fmt: skip
GOOD: dict[str, object] = {
    "description": "Please share",
    "phone_country_code": "PE",
    "phone_number": "999888777",
    "validity_time_unit": "HOURS",
    "validity_amount": "48",
    "requirements": [{"code": "RQ_002", "items": [{"code": "IDT_001"}]}],
}

PATTERN = "(Ref. {reference})"

FORM = 'requirements is not of the form [{"code": "RQ_002", "items": [{"code": "IDT_001"}]}]'


def asked(fields: Mapping[str, object]) -> Request:
    """Return the request, which is valid."""
    found = Request().read(fields, LABELS, PATTERN)
    assert found.problems == []
    return found


def written(folder: Path, name: str, text: str) -> Path:
    """Write a file."""
    file = folder / name
    file.write_bytes(text.encode())
    return file


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_numbers_are_those_of_an_editor(tmp_path: Path, delimiter: str, end: str) -> None:
    lines = [
        "\ufeffDescription,phone_country_code, phone_number ",
        '"two\nlines, and a ""quote""",PE,999888777',
        "",
        "last,PE,999888778",
        "short,PE",
    ]
    text = end.join(line if '"' in line else line.replace(",", delimiter) for line in lines)
    text = text.replace('quote""",PE,', f'quote"""{delimiter}PE{delimiter}')
    read = read_file(written(tmp_path, "people.csv", text))
    assert [number for number, _ in read] == [2, 5, 6]
    first, second, third = (fields for _, fields in read)
    assert not isinstance(first, str)
    assert first["description"] == 'two\nlines, and a "quote"'
    assert not isinstance(second, str)
    assert second["phone_number"] == "999888778"
    assert third == "2 cells instead of 3"


def test_what_spreadsheets_write_around_a_table_is_understood(tmp_path: Path) -> None:
    text = "\ufeff\n\ndescription,phone_country_code,phone_number,\nhello,PE,999888777,,\n,,,\n"
    ((number, fields),) = read_file(written(tmp_path, "people.csv", text))
    assert not isinstance(fields, str)
    assert fields["description"] == "hello"
    assert fields["phone_number"] == "999888777"
    assert number == 4


@given(st.text(max_size=300))
@example("description,phone_country_code,phone_number\n\0,\ud7ff,\r")
@example('description,phone_country_code,phone_number\n"open')
def test_any_text_is_read_or_refused_in_one_line(tmp_path_factory: Any, text: str) -> None:
    folder = tmp_path_factory.mktemp("files")
    file = written(folder, "people.csv", text.encode("utf-8", "replace").decode())
    with suppress(FileUnreadable):  # anything else is a fault of ours
        for _, fields in read_file(file):
            assert isinstance(fields, str) or Request().read(fields, LABELS, PATTERN)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(COLUMNS), _json))
def test_any_columns_are_valid_or_told_what_is_wrong(fields: dict[str, object]) -> None:
    found = Request().read(fields, LABELS, PATTERN)
    assert found.fresh != bool(found.problems)
    assert all("\n" not in problem for problem in found.problems)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"description": None}, "description is missing"),
        ({"description": "a\0b"}, "description holds a character that no text can hold"),
        ({"phone_country_code": "Peru"}, "phone_country_code is not a two-letter country such as PE"),
        ({"phone_number": "(999)"}, "phone_number ** is not a valid number in PE"),
        ({"phone_number": "+1 202 555 0123"}, "phone_number ********23 is not a valid number in PE"),
        ({"validity_amount": None}, "validity_amount is missing: give both or neither"),
        ({"validity_time_unit": " "}, "validity_time_unit is missing: give both or neither"),
        ({"validity_amount": "-1"}, "validity_amount must be a number above 0 and below 1000000000"),
        ({"validity_amount": "nan"}, "validity_amount must be a number above 0 and below 1000000000"),
        ({"validity_amount": True}, "validity_amount must be a number above 0 and below 1000000000"),
        ({"validity_time_unit": "999888777"},
         "validity_time_unit '*******77' is not known; known: DAYS, HOURS"),
        ({"requirements": "RQ_002"}, FORM),
        ({"requirements": [{"code": "RQ_002", "item": []}]}, FORM),
        ({"requirements": [{"code": 7}]}, FORM),
        ({"requirements": [{"code": "RQ_002"}, {"code": "RQ_002"}]}, "requirement RQ_002 is named twice"),
        ({"requirements": [{"code": "RQ_002\n"}]}, None),
        ({"requirements": [{"items": []}]}, "requirement code NoneType is not of the form RQ_002"),
        ({"reference": "x\ny"}, "reference is longer than 200 characters or not one line"),
        ({"reference": "tel 999-888-777"}, "reference holds the phone number: choose another"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(change: dict[str, object], problem: str | None) -> None:
    found = Request().read(GOOD | change, LABELS, PATTERN)
    assert found.problems == ([problem] if problem else [])


def test_the_same_content_is_the_same_request() -> None:
    same = GOOD | {
        "phone_number": "+51 999 888-777", "phone_country_code": "pe",
        "validity_amount": 48, "description": " Please share\n", "reference": "any",
    }  # fmt: skip
    assert asked(GOOD).digest() == asked(same).digest()
    changes: list[dict[str, object]] = [
        {"phone_number": "999888778"}, {"validity_amount": 49}, {"description": "Please"},
        {"requirements": []}, {"validity_time_unit": "DAYS"},
    ]  # fmt: skip
    for change in changes:
        assert asked(GOOD | change).digest() != asked(GOOD).digest()


def test_the_digest_of_a_stored_request_never_changes() -> None:
    """Warehouses hold digests of earlier versions: another form would ask the same people again."""
    assert asked(GOOD).digest().hex() == "1206c201635f5662eb5adf3688fae47b"


@st.composite
def numbers(draw: Any) -> tuple[str, str]:
    """Draw a valid mobile number's digits and its country."""
    country = draw(st.sampled_from(["PE", "CL", "US", "GB", "ES", "MX"]))
    example = phonenumbers.example_number_for_type(country, phonenumbers.PhoneNumberType.MOBILE)
    assert example is not None
    digits = phonenumbers.national_significant_number(example)
    return digits[:-3] + "".join(draw(st.permutations(digits[-3:]))), country


@given(numbers(), st.sampled_from(["", " ", "-", ". ", ")("]), st.text("abc ,:", max_size=10))
def test_a_number_is_masked_however_it_is_written(
    number: tuple[str, str], between: str, around: str
) -> None:
    digits, _ = number
    text = f"{around}{between.join(digits)}{around}"
    assert digits not in re.sub(r"[^0-9]", "", mask_in(text, digits))
    assert mask(digits).endswith(digits[-2:])
    assert sum(letter.isdigit() for letter in mask(digits)) == 2


def test_nothing_shows_a_number() -> None:
    request = asked(GOOD)
    for text in (repr(request), f"{[request]}", str(request), repr(request.body("Please"))):
        assert "999888777" not in text
        assert "Please" not in text
    for digits in ("1", "12", "123", "1234"):
        assert not any(letter.isdigit() for letter in mask(digits))
