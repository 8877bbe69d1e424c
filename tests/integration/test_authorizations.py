"""Authorization requests: each one is called once, and linked to what it created, whatever happens.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from tests.support.commands import eventually
from tests.support.storing import listed_late

if TYPE_CHECKING:
    from tests.support.asking import Asking

SETTLED = {"minutes": 18}


def test_a_row_of_the_business_columns_alone_is_sent_and_linked(asking: Asking) -> None:
    request = asking.queue(validity_time_unit="HOURS", validity_amount=48)
    asking.send()
    row = asking.row(request)
    (activity,) = asking.created()
    assert (row["state"], row["activity_id"], row["attempts"]) == ("linked", activity["id"], 1)
    assert activity["description"] == f"Please share (Ref. {row['message_reference']})"
    assert [each["code"] for each in activity["requirements"]] == ["RQ_002", "RQ_005"]
    assert activity["valid_until"] - activity["created_at"] == 48 * 3_600_000
    assert asking.receiver_of(activity) == "999888777"
    assert asking.mistakes() == []


def test_an_effect_that_comes_late_is_not_repeated(asking: Asking) -> None:
    asking.read_timeout = 1.0
    parking = asking.service.state.park("create")
    request = asking.queue()
    asking.send()
    asking.pass_time(minutes=30)
    asking.send()
    assert asking.row(request)["state"] == "unknown"
    assert asking.created() == []
    asking.decide("queued")  # too early
    parking.release()
    eventually(lambda: asking.created() or None, "the call takes effect after all", 10)
    asking.send()
    row, (activity,) = asking.row(request), asking.created()
    assert (row["state"], row["attempts"]) == ("linked", 1)
    assert row["activity_id"] == activity["id"]


@pytest.mark.parametrize("minutes", [5, -5, 500])
def test_a_clock_far_off_costs_nothing(asking: Asking, minutes: int) -> None:
    asking.service.state.change_behaviour(date_skew_ms=minutes * 60_000)
    asking.service.state.set_faults(
        FaultRule(kind="reset", operation="create", after_effect=True, requests=1)
    )
    request = asking.queue()
    for _ in range(3):
        asking.send()
        asking.pass_time(**SETTLED)
    row, (activity,) = asking.row(request), asking.created()
    assert (row["state"], row["attempts"]) == ("linked", 1)
    assert row["activity_id"] == activity["id"]


def test_a_call_answered_201_without_effect_stays_named(asking: Asking) -> None:
    nothing = FaultRule(kind="status", status=201, body="", operation="create", numbers=(1,))
    asking.service.state.set_faults(nothing)
    for number in range(2):
        asking.queue(number=f"99988800{number}")
    for _ in range(3):
        summary = asking.send()
        asking.pass_time(**SETTLED)
    assert asking.states() == {"sent": 1, "linked": 1}
    assert summary.overdue == 1
    assert any("their activities are not found, 1" in problem for problem in summary.problems)
    assert len(asking.created()) == 1


def test_colleagues_with_the_same_text_are_not_taken_for_ours(asking: Asking) -> None:
    request = asking.queue()
    asking.service.state.set_faults(FaultRule(kind="reset", operation="create", requests=1))
    asking.send()
    # Somebody asks the same by hand, twice, and once something with numbers.
    for text in ("Please share", "Please share", "Questions to +51 999 888-772 or 999888773"):
        asking.ask_by_hand("999888771", text)
    asking.pass_time(**SETTLED)
    asking.send()
    row = asking.row(request)
    assert (row["state"], row["attempts"]) == ("unknown", 1)
    texts = {each["text"] for each in row["candidates"]}
    assert texts == {"Please share", "Questions to *******72 or *******73"}


def test_activities_of_other_kinds_are_no_candidates(asking: Asking) -> None:
    asking.service.state.set_faults(FaultRule(kind="reset", operation="create", requests=1))
    request = asking.queue()
    asking.send()
    for kind in ("AT_001", "AT_002", "AT_003"):
        asking.service.state.create(type=kind, in_out_bound="OUT")
    asking.service.state.create(type="AT_004", in_out_bound="IN")
    asking.pass_time(**SETTLED)
    asking.send()
    assert asking.row(request)["candidates"] == []


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("number", ["999888777", "999888771"])
def test_two_activities_for_one_call_are_both_linked_if_they_are_one_persons(
    asking: Asking, number: str, later: bool
) -> None:
    nothing_yet = FaultRule(kind="status", status=400, operation="list")
    asking.service.state.set_faults(*([] if later else [nothing_yet]))
    request = asking.queue()
    asking.send()
    (first,) = asking.created()
    asking.ask_by_hand(number, first["description"])
    asking.service.state.set_faults()
    linked, _ = asking.look()
    row, ours = asking.row(request), number == "999888777"
    assert row["state"] == ("linked" if ours or later else "sent")
    assert linked == (ours and not later)
    second = sorted(asking.others) if ours else []
    assert row["more_activity_ids"] == second
    assert len(row["candidates"]) == (0 if ours or later else 2)
    if ours:
        assert "created more than one activity" in row["state_reason"]
        again = asking.look()[1]
        assert asking.row(request)["more_activity_ids"] == second
        assert again.sent == []


def test_the_outcome_is_that_of_the_activity_that_was_answered(asking: Asking) -> None:
    from tests.support.mirroring import TODAY, Warehouse
    from tests.support.refreshing import refresh_all

    asking.queue()
    asking.send()
    (first,) = asking.created()
    asking.ask_by_hand("999888777", first["description"])
    assert asking.look()[0] == 0
    asking.service.state.move(min(asking.others), "decline")
    asking.service.state.enter_status(first["id"], "SENT")
    Warehouse(asking.url, asking.service).days(TODAY, TODAY)
    refresh_all(asking.url)
    with asking.session() as session:
        (found,) = session.execute(
            "select result, activity_id::text from analytics.authorization_outcomes"
        )
    assert found == ("declined", min(asking.others))


def test_what_an_earlier_run_did_not_find_yet_is_waited_for(asking: Asking) -> None:
    asking.service.state.set_faults(listed_late(asking.service, 32))
    asking.queue()
    assert asking.send().states["sent"] == 1
    # Longer ago than two clocks differ that are known to the second.
    asking.pass_time(seconds=30)
    assert asking.send(wait=timedelta(minutes=1)).states["linked"] == 1


def test_a_list_that_is_three_hours_late_asks_nobody_twice(asking: Asking) -> None:
    asking.service.state.set_faults(
        listed_late(asking.service, 3 * 3600),
        FaultRule(kind="status", status=504, operation="create", after_effect=True, numbers=(1, 3)),
    )
    for number in range(4):
        asking.queue(number=f"9998880{number:02d}")
    for _ in range(4):
        asking.send()
        asking.pass_time(minutes=20)
        assert asking.states() == {"unknown": 2, "sent": 2}
    assert len(asking.created()) == 4
    asking.pass_time(hours=3)
    asking.send()
    assert asking.states() == {"linked": 4}
