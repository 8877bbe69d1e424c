"""Files of people to ask, and what must not be shown of them."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.commands import Done

HEAD = (
    "reference", "description", "phone_country_code", "phone_number",
    "validity_time_unit", "validity_amount", "requirements",
)  # fmt: skip


def number_of(person: int) -> str:
    """Return a valid number that nobody else has."""
    return f"9{10_000_000 + person}"


def write(file: Path, lines: list[dict[str, str]]) -> Path:
    """Write a CSV file."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, HEAD)
        writer.writeheader()
        writer.writerows(lines)
    return file


def line(person: int, **changes: str) -> dict[str, str]:
    """Return a good line, with some cells otherwise."""
    return {
        "reference": f"customer-{person}",
        "description": "Please share your data with us",
        "phone_country_code": "PE",
        "phone_number": number_of(person),
        "validity_time_unit": "HOURS",
        "validity_amount": "48",
        "requirements": "RQ_002:IDT_001+IDT_002 RQ_005",
        **changes,
    }


def shows_no_number(done: Done, people: int) -> None:
    """Assert that no person's number is in what a command wrote."""
    digits = re.sub(r"[^0-9\n]", "", done.out + done.err)
    assert not [person for person in range(people) if number_of(person) in digits]
