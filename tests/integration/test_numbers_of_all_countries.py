"""A number of each country leads to its own request, and to no other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg

from pipeline.authorizations.phones import national
from pipeline.authorizations.subscribers import subscriber
from pipeline.commands.person import find
from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.privacy.erase import erase_person
from pipeline.warehouse.privacy.person import read_person
from tests.support.phone_examples import EXAMPLES

if TYPE_CHECKING:
    import sqlalchemy as sa

#: So many of the numbers are written as another system would, or erased.
ONE_IN = 20
#: So many are asked for, each among all.
ASKED = 5


def requests_to(engine: sa.Engine, number: str) -> list[str]:
    """Return the references of a person's requests, as `pipeline person --phone` shows them."""
    person = find(engine, None, number)
    held = read_person(engine, person, ["authorizations"])
    return [str(row["reference"]) for row in held["authorizations"]]


def test_person_and_erase_confuse_no_two_of_them(migrated_url: str) -> None:
    numbers = list({subscriber(number): number for number in EXAMPLES}.values())
    local, erased = numbers[::ONE_IN], [*numbers[::ONE_IN], *numbers[1::ONE_IN]]
    with psycopg.connect(migrated_url) as session:
        session.cursor().executemany(
            "insert into warehouse.authorization_requests"
            " (reference, description, phone_country_code, phone_number, subscriber)"
            " values (%s, 'x', %s, %s, %s)",
            [
                (f"to {place}", EXAMPLES[number], national(number), None)
                if number in local
                else (f"to {place}", EXAMPLES[number], number, subscriber(number))
                for place, number in enumerate(numbers)
            ],
        )
    with warehouse_engine(migrated_url) as engine:
        for place, number in list(enumerate(numbers))[::ASKED]:
            assert requests_to(engine, number) == [f"to {place}"], number
        for number in erased:
            erase_person(engine, find(engine, None, number), print)
    with psycopg.connect(migrated_url) as session:
        left = session.execute(
            "select reference from warehouse.authorization_requests where reference is not null"
        ).fetchall()
        refused = session.execute(
            "select number from unnest(%s::text[]) as number where sync.is_erased_phone(number)",
            (numbers,),
        ).fetchall()
    kept = {f"to {place}" for place, number in enumerate(numbers) if number not in erased}
    assert {name for (name,) in left} == kept
    assert {number for (number,) in refused} == set(erased)
