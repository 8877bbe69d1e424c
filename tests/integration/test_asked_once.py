"""Whether a person is asked again is decided when a number is written, however it is written.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

if TYPE_CHECKING:
    from tests.support.asking import Asking

NUMBER = "+51999888777"
ASKED = "this person was asked within 30 days"
INSERT = (
    "insert into warehouse.authorization_requests (description, phone_country_code, phone_number)"
    " values ('x', 'PE', %s)"
)


@pytest.fixture(autouse=True)
def thirty_days(asking: Asking) -> None:
    asking.refuse_repeats(30)


def test_two_rows_of_one_statement(asking: Asking) -> None:
    with psycopg.connect(asking.url) as session:
        session.execute(f"{INSERT}, ('y', 'PE', %s)".encode(), (NUMBER, NUMBER))
    assert sorted(row["state"] for row in asking.rows()) == ["failed", "queued"]


@pytest.mark.parametrize("level", ["REPEATABLE_READ", "SERIALIZABLE"])
def test_a_transaction_that_does_not_see_who_was_asked(asking: Asking, level: str) -> None:
    with psycopg.connect(asking.url) as session:
        session.isolation_level = psycopg.IsolationLevel[level]
        session.execute("select 1")
        asking.queue(number=NUMBER)
        with pytest.raises(psycopg.errors.RaiseException, match="it does not see who was asked"):
            session.execute(INSERT, (NUMBER,))


def test_a_queued_row_that_gets_another_number(asking: Asking) -> None:
    asking.queue(number=NUMBER)
    other = asking.queue(number="+51999888778")
    with psycopg.connect(asking.url) as session:
        session.execute(
            "update warehouse.authorization_requests set phone_number = %s where id = %s",
            (NUMBER, other),
        )
    assert (asking.row(other)["state"], asking.row(other)["state_reason"]) == ("failed", ASKED)


def test_a_row_that_waits_since_long(asking: Asking) -> None:
    asking.queue(number=NUMBER, requested_at="2020-01-01")
    again = asking.queue("more", number=NUMBER)
    assert asking.row(again)["state_reason"] == ASKED


def test_numbers_in_spellings_of_their_own(asking: Asking) -> None:
    mexico = ("+52 1 55 1234 5678", "55 1234 5678", "\u202a5512345678\u202c")
    argentina = ("+5491123456789", "+541123456789", "011 15 2345-6789", "11 2345 6789")
    for country, numbers in (("MX", mexico), ("AR", argentina)):
        for number in numbers:
            asking.queue(number=number, phone_country_code=country)
    asking.send(repeat_days=30)
    assert asking.states() == {"linked": 2, "failed": 5}
    assert {row["subscriber"] for row in asking.rows()} == {"+525512345678", "+541123456789"}
    assert len(asking.created()) == 2


def test_who_was_rejected_or_canceled_can_be_asked(asking: Asking) -> None:
    first = asking.queue(number=NUMBER)
    with psycopg.connect(asking.url) as session:
        session.execute(
            "update warehouse.authorization_requests set state = 'failed' where id = %s", (first,)
        )
    again = asking.queue(number=NUMBER)
    assert asking.row(again)["state"] == "queued"
