"""After a restore nothing is sent until a person has seen what was sent since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from psycopg.types.json import Jsonb

from pipeline.authorizations.intake import give_references
from pipeline.authorizations.references import DEFAULT, compose
from pipeline.authorizations.requests import Request
from pipeline.sandbox import FaultRule
from pipeline.warehouse.authorizations import Row
from pipeline.warehouse.engine import warehouse_engine
from pipeline.warehouse.sql import statement
from tests.support.storing import escape, shout, stored_as

if TYPE_CHECKING:
    from tests.support.asking import Asking

SETTLED = {"minutes": 18}


def restore(asking: Asking, backup: list[dict[str, Any]]) -> None:
    """Put the rows of a backup back."""
    with asking.session() as session:
        session.execute("set local session_replication_role = replica")
        session.execute("truncate warehouse.authorization_requests")
        session.execute(
            "insert into warehouse.authorization_requests select * from"
            " jsonb_populate_recordset(null::warehouse.authorization_requests, %s)",
            (Jsonb(backup),),
        )
        session.execute(statement("authorizations/hold_restored").encode())


@pytest.mark.parametrize("form", [None, escape, shout])
def test_queued_rows_that_were_sent_since_are_linked(asking: Asking, form: Any) -> None:
    asking.service.state.set_faults(*([stored_as(form)] if form else []))
    for number in range(4):
        asking.queue(number=f"99988877{number}")
    backup = asking.rows()
    asking.send()
    restore(asking, backup)
    assert "was restored" in (asking.send().stopped or "")
    assert len(asking.created()) == 4
    found = asking.review()
    assert (found.linked, found.unsure) == (4, [])
    asking.confirm()
    asking.queue("Something else", "999888779")
    asking.send()
    assert asking.states() == {"linked": 5}
    assert asking.mistakes() == []


def test_without_references_whoever_may_have_been_asked_is_named(asking: Asking) -> None:
    for number in range(3):
        asking.queue(number=f"99988877{number}")
    backup = asking.rows()
    asking.send(reference=None)
    other = asking.queue("Something else", "999888779")
    restore(asking, [*backup, asking.row(other)])
    unsure = asking.review().unsure
    assert {each.id for each in unsure if isinstance(each, Row)} == {row["id"] for row in backup}


def test_a_text_whose_reference_was_masked_rules_nobody_out(asking: Asking) -> None:
    def mask(fields: dict[str, Any]) -> None:
        fields["description"] = "Your answer to *****, please"

    asking.service.state.set_faults(stored_as(mask))
    request = asking.queue("Your answer to {reference}, please")
    backup = asking.rows()
    asking.send()
    restore(asking, backup)
    assert [each.id for each in asking.review().unsure if isinstance(each, Row)] == [request]


def test_a_list_that_is_not_read_rules_nobody_out(asking: Asking) -> None:
    request = asking.queue()
    restore(asking, asking.rows())
    asking.service.state.set_faults(FaultRule(kind="status", status=400, operation="list"))
    found = asking.review()
    assert [each.id for each in found.unsure if isinstance(each, Row)] == [request]
    assert not found.conclusive


def test_details_that_can_not_be_read_name_everybody_and_stop_nobody(asking: Asking) -> None:
    request = asking.queue()
    asking.ask_by_hand("999888771", "Something else")
    restore(asking, asking.rows())
    asking.service.state.set_faults(FaultRule(kind="status", status=500, operation="details"))
    found = asking.review()
    assert [each.id for each in found.unsure if isinstance(each, Row)] == [request]
    assert found.conclusive


def test_what_a_review_found_is_linked_even_if_the_list_hides_it_later(asking: Asking) -> None:
    asking.queue()
    backup = asking.rows()
    asking.send()
    restore(asking, backup)
    asking.service.state.change_behaviour(order="reshuffled", max_limit=1)
    asking.review()
    asking.service.state.set_faults(FaultRule(kind="status", status=400, operation="list"))
    asking.confirm()
    asking.service.state.set_faults()
    asking.send()
    assert asking.states() == {"linked": 1}
    assert len(asking.created()) == 1


def keep_the_end(fields: dict[str, Any]) -> None:
    fields["description"] = fields["description"][-8:]


@pytest.mark.parametrize("form", [None, keep_the_end])
def test_a_reference_that_two_activities_carry_is_named(asking: Asking, form: Any) -> None:
    asking.service.state.set_faults(*([stored_as(form)] if form else []))
    request = asking.queue()
    backup = asking.rows()
    asking.send()
    (activity,) = asking.created()
    asking.ask_by_hand("999888777", activity["description"])
    restore(asking, backup)
    found = asking.review()
    assert [each.id for each in found.unsure if isinstance(each, Row)] == [request]


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_line_of_a_file_is_stored_if_one_activity_carries_its_reference(
    asking: Asking, times: int
) -> None:
    columns = {"description": "Please share", "phone_country_code": "PE"}
    line = Request(2).read({**columns, "phone_number": "999888777"}, (), DEFAULT)
    with warehouse_engine(asking.url) as engine:
        give_references(engine, [line], DEFAULT)
    for _ in range(times):
        message = compose(line.description, line.message_reference, DEFAULT)
        asking.ask_by_hand("999888777", message)
    restore(asking, [])
    found = asking.review(line)
    assert asking.states() == ({"linked": 1} if times == 1 else {})
    assert found.unsure == ([line] if times == 2 else [])


def test_a_call_under_way_in_the_backup_may_have_had_an_effect(asking: Asking) -> None:
    asking.service.state.set_faults(
        FaultRule(kind="reset", operation="create", after_effect=True, requests=1)
    )
    request = asking.queue()
    asking.send()
    (row,) = asking.rows()
    restore(asking, [row | {"state": "sending", "activity_id": None, "next_look_at": None}])
    asking.pass_time(**SETTLED)
    asking.confirm()
    asking.send()
    assert asking.row(request)["state"] == "linked"
    assert len(asking.created()) == 1
