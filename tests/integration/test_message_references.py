"""The reference in a message: where it stands, and texts that hold one by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pipeline.authorizations.intake import give_references
from pipeline.authorizations.references import compose, find_references
from pipeline.authorizations.requests import Request
from pipeline.warehouse.database.engine import warehouse_engine
from tests.support.storing import stored_as

if TYPE_CHECKING:
    from tests.support.asking import Asking

PATTERN = "(Ref. {reference})"


@pytest.mark.parametrize(
    ("pattern", "description", "sent"),
    [
        ("(Ref. {reference})", "Please share", "Please share (Ref. {0})"),
        (" (Ref. {reference})", "Please share", "Please share (Ref. {0})"),
        ("[{reference}] {message}", "Please share", "[{0}] Please share"),
        ("{message} - {reference}!", "Please share", "Please share - {0}!"),
        ("(Ref. {reference})", "Answer {reference}, please", "Answer {0}, please"),
        ("[{reference}] {message}", "Answer {reference}, please", "Answer {0}, please"),
    ],
)
def test_where_the_reference_stands(
    asking: Asking, pattern: str, description: str, sent: str
) -> None:
    request = asking.queue(description)
    asking.send(reference=pattern)
    row, (activity,) = asking.row(request), asking.created()
    assert activity["description"] == sent.format(row["message_reference"])
    assert row["state"] == "linked"


@pytest.mark.parametrize("zero", "\u0660\u06f0\u0966\uff10\U0001d7ce")
def test_digits_of_any_script_are_read(asking: Asking, zero: str) -> None:
    def respell(fields: dict[str, Any]) -> None:
        digits = {ord(str(digit)): chr(ord(zero) + digit) for digit in range(10)}
        fields["description"] = fields["description"].translate(digits)

    asking.service.state.set_faults(stored_as(respell))
    asking.queue()
    asking.send()
    assert asking.states() == {"linked": 1}


@pytest.mark.parametrize("spelled", ["{0}", "{0}".lower(), "{1}-{2}", "{1} {2}"])
def test_a_text_that_holds_a_reference_by_chance(asking: Asking, spelled: str) -> None:
    first = asking.queue("Please share")
    asking.send()
    name = asking.row(first)["message_reference"]
    held = spelled.format(name, name[:2], name[2:])
    quoting = asking.queue(f"Your parcel {held} waits", "999888771")
    asking.send()
    assert asking.row(quoting)["state"] == "failed"
    assert "holds the reference of another request" in asking.row(quoting)["state_reason"]
    assert asking.mistakes() == []


def test_no_message_carries_the_reference_of_another_one(asking: Asking) -> None:
    """Neither by itself nor by letters beside it: among so many that happens by chance."""
    numbers = [f"+519{number:08d}" for number in range(4000)]
    lines = [Request(description="Please share", phone_number=number) for number in numbers]
    with warehouse_engine(asking.url) as engine:
        give_references(engine, lines, PATTERN)
    names = {line.message_reference or "" for line in lines}
    assert len(names) == len(lines)
    for line in lines:
        message = compose(line.description, line.message_reference or "", PATTERN)
        assert find_references(message) & names == {line.message_reference}
