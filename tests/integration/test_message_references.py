"""The reference in a message: on, off, placed; texts that hold one by chance; and what links without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.authorizations.intake import give_references
from pipeline.authorizations.references import compose, find_references
from pipeline.authorizations.requests import Request
from pipeline.sandbox import FaultRule
from pipeline.warehouse.engine import warehouse_engine
from tests.support.storing import listed_late, shout, stored_as

if TYPE_CHECKING:
    from tests.support.asking import Asking

SETTLED = {"minutes": 18}
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
        (None, "Please share", "Please share"),
    ],
)
def test_where_the_reference_stands(
    asking: Asking, pattern: str | None, description: str, sent: str
) -> None:
    request = asking.queue(description)
    asking.send(reference=pattern)
    row, (activity,) = asking.row(request), asking.created()
    assert activity["description"] == sent.format(row["message_reference"])
    assert (row["message_reference"] is None) == (pattern is None)
    assert row["state"] == "linked"


def test_a_place_for_the_reference_with_references_off(asking: Asking) -> None:
    request = asking.queue("Answer {reference}")
    asking.send(reference=None)
    assert asking.row(request)["state"] == "failed"
    assert asking.created() == []


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


@pytest.mark.parametrize("between", ["", "-", " "])
def test_a_reference_that_an_open_text_holds_by_chance_is_not_given(
    asking: Asking, between: str
) -> None:
    first = asking.queue("Please share")
    asking.send()
    name = asking.row(first)["message_reference"]
    with asking.session() as session:
        session.execute("set local session_replication_role = replica")
        session.execute("truncate warehouse.authorization_requests")
    # The same request would have the same reference again.
    asking.queue(f"Your parcel {name[:3]}{between}{name[3:]} waits", "999888771")
    second = asking.queue("Please share")
    asking.others |= {each["id"] for each in asking.created()}
    asking.send()
    assert asking.row(second)["message_reference"] not in (name, None)
    assert asking.states() == {"linked": 2}
    assert asking.mistakes() == []


def test_no_message_carries_the_reference_of_another_one(asking: Asking) -> None:
    """Neither by itself nor by letters beside it: among so many that happens by chance."""
    numbers = [f"+519{number:08d}" for number in range(4000)]
    lines = [Request(description="Please share", phone_number=number) for number in numbers]
    with warehouse_engine(asking.url) as engine:
        give_references(engine, lines, PATTERN)
    names = {line.message_reference for line in lines}
    assert len(names) == len(lines)
    for line in lines:
        message = compose(line.description, line.message_reference, PATTERN)
        assert find_references(message) & names == {line.message_reference}


def test_the_same_text_to_two_people_is_not_guessed_without_references(asking: Asking) -> None:
    for number in ("999888771", "999888772"):
        asking.queue(number=number)
    asking.send(reference=None)
    assert asking.states() == {"sent": 2}
    assert [len(row["candidates"]) for row in asking.rows()] == [2, 2]
    asking.send()  # with references on from now on
    assert asking.states() == {"sent": 2}


@pytest.mark.parametrize("seconds", [3, 60])
def test_a_colleagues_earlier_call_is_not_ours_without_references(
    asking: Asking, seconds: int
) -> None:
    asking.ask_by_hand("999888771")
    asking.pass_time(seconds=seconds)
    asking.service.state.set_faults(listed_late(asking.service, seconds / 2))
    request = asking.queue(number="999888772")
    asking.send(reference=None)
    assert asking.row(request)["state"] == "sent"
    asking.pass_time(minutes=2)
    asking.settle()
    row = asking.row(request)
    assert row["activity_id"] not in asking.others
    assert asking.mistakes() == []


def test_without_a_reference_an_unclear_call_is_never_sent_again(asking: Asking) -> None:
    fault = FaultRule(kind="status", operation="create", requests=1)
    asking.service.state.set_faults(fault)
    request = asking.queue()
    for _ in range(4):
        asking.send(reference=None)
        asking.pass_time(**SETTLED)
    assert (asking.row(request)["state"], asking.row(request)["attempts"]) == ("unknown", 1)


def test_a_text_stored_otherwise_is_a_persons_without_references(asking: Asking) -> None:
    asking.service.state.set_faults(stored_as(shout))
    request = asking.queue()
    asking.send(reference=None)
    assert asking.row(request)["state"] == "sent"
    assert len(asking.row(request)["candidates"]) == 1
