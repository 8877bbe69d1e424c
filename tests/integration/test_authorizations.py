"""Authorization requests: each one has one activity in effect, whatever happens to its call.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pipeline.authorizations.references import DEFAULT
from pipeline.sandbox import FaultRule
from pipeline.sandbox.answers import Refused
from tests.support.commands import eventually
from tests.support.other_answers import WEB_PAGE
from tests.support.storing import stored_as

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.asking import Asking

SETTLED = {"minutes": 18}


def show_the_clock(asking: Asking) -> None:
    """Queue requests that are answered clearly, by which unclear ones can be judged."""
    for number in range(3):
        asking.queue("It shows how the service answers", f"99988800{number}")


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


def test_the_same_message_to_many_people_is_told_apart(asking: Asking) -> None:
    for number in range(45):
        asking.queue(number=f"9998800{number:02d}")
    asking.send(per_second=20.0)  # calls at an even pace, one right after the other, look alike
    assert asking.states() == {"linked": 45}
    assert asking.mistakes() == []


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "status", "status": 500},
        {"kind": "status", "status": 503, "retry_after": 0},
        {"kind": "reset"},
        {"kind": "hang"},
        WEB_PAGE,
    ],
    ids=lambda fault: str(fault.get("status") or fault["kind"]),
)
@pytest.mark.parametrize("after_effect", [False, True], ids=["before", "after"])
def test_a_call_without_a_clear_answer(
    asking: Asking, fault: dict[str, Any], after_effect: bool
) -> None:
    asking.service.state.set_faults(
        FaultRule(operation="create", after_effect=after_effect, numbers=(4,), **fault)
    )
    asking.read_timeout = 1.0 if fault["kind"] == "hang" else 30.0
    show_the_clock(asking)
    request = asking.queue()
    asking.send(per_second=5.0)  # a busy machine delays calls by less than that
    assert len(asking.created()) == 3 + after_effect
    if after_effect:
        assert asking.row(request)["state"] == "linked"
    else:
        assert asking.row(request)["state"] == "unknown"
        asking.pass_time(minutes=14)
        asking.send()
        assert asking.row(request)["state"] == "unknown"
        asking.pass_time(minutes=2)
        asking.send()
        assert (asking.row(request)["state"], asking.row(request)["attempts"]) == ("linked", 2)
    asking.pass_time(**SETTLED)
    asking.send()
    assert len(asking.created()) == 4
    assert asking.mistakes() == []


def test_alone_an_unclear_call_is_linked_by_its_reference(asking: Asking) -> None:
    asking.service.state.set_faults(
        FaultRule(kind="reset", operation="create", after_effect=True, requests=1)
    )
    request = asking.queue()
    asking.send()
    (activity,) = asking.created()
    assert asking.row(request)["activity_id"] == activity["id"]
    assert asking.mistakes() == []


def test_an_effect_that_comes_late_is_not_repeated(asking: Asking) -> None:
    asking.read_timeout = 1.0
    parking = asking.service.state.park("create")
    request = asking.queue()
    asking.send()
    asking.pass_time(minutes=10)
    asking.send()
    assert asking.row(request)["state"] == "unknown"
    assert asking.created() == []
    parking.release()
    eventually(lambda: asking.created() or None, "the call takes effect after all", 10)
    asking.pass_time(minutes=10)
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


def test_a_call_forgotten_for_long_is_settled_all_the_same(asking: Asking) -> None:
    asking.service.state.set_faults(FaultRule(kind="reset", operation="create", requests=1))
    request = asking.queue()
    asking.send()
    asking.pass_time(days=20)
    asking.send()
    assert (asking.row(request)["state"], asking.row(request)["attempts"]) == ("linked", 2)


def test_a_list_that_cannot_be_read_proves_nothing(asking: Asking) -> None:
    asking.service.state.set_faults(FaultRule(kind="status", operation="create", requests=1))
    request = asking.queue()
    asking.send()
    asking.pass_time(**SETTLED)
    asking.service.state.set_faults(FaultRule(kind="status", status=400, operation="list"))
    asking.send()
    assert asking.row(request)["state"] == "unknown"
    assert asking.row(request)["next_look_at"] is not None
    asking.service.state.set_faults()
    asking.send()
    assert asking.row(request)["state"] == "linked"


@pytest.mark.parametrize(
    ("status", "state"), [(400, "rejected"), (422, "rejected"), (404, "queued")]
)
def test_an_answer_that_nothing_was_done(asking: Asking, status: int, state: str) -> None:
    body = '{"why":"999 888 777 and +51-999888777 are unknown"}'
    asking.service.state.set_faults(
        FaultRule(kind="status", status=status, body=body, operation="create", requests=1)
    )
    first, second = asking.queue("one"), asking.queue("two")
    asking.send()
    assert asking.row(first)["state"] == state
    assert asking.row(second)["state"] == "linked"
    reason = asking.row(first)["state_reason"]
    assert str(status) in reason
    assert "999888777" not in "".join(filter(str.isalnum, reason))
    assert ("*******77 and +51-*******77 are unknown" in reason) == (state == "rejected")
    asking.pass_time(**SETTLED)
    asking.send()
    assert len(asking.created()) == (1 if state == "rejected" else 2)


@pytest.mark.parametrize(
    ("status", "others", "state"),
    [(413, 0, "failed"), (406, 1, "failed"), (406, 0, "queued"), (403, 1, "queued")],
)
def test_a_request_that_is_always_refused_does_not_stay_queued(
    asking: Asking, status: int, others: int, state: str
) -> None:
    def refuse(asked: Any, answer_of: Callable[[Any], Any]) -> Any:
        if b"too long" not in asked.body:
            return answer_of(asked)
        return Refused(status, "not this").answer(0)

    asking.service.state.set_faults(FaultRule(kind="change", operation="create", change=refuse))
    request = asking.queue("too long")
    for run in range(4):
        for other in range(others):
            asking.queue(f"message {run} {other}")
        asking.send()
    row = asking.row(request)
    assert row["state"] == state
    assert state == "queued" or row["state_reason"].startswith("refused in 3 runs; the last time: ")
    assert state == "queued" or row["attempts"] == 3


def test_too_many_requests_are_sent_again(asking: Asking) -> None:
    asking.service.state.set_faults(
        FaultRule(kind="status", status=429, retry_after=0, operation="create", requests=2)
    )
    request = asking.queue()
    assert asking.send().stopped is None
    assert (asking.row(request)["state"], asking.row(request)["attempts"]) == ("linked", 1)
    assert len(asking.created()) == 1


@pytest.mark.parametrize(("status", "lost"), [(500, "unknown"), (403, "queued"), (401, "queued")])
def test_a_service_that_refuses_everything_is_left_alone(
    asking: Asking, status: int, lost: str
) -> None:
    asking.service.state.set_faults(FaultRule(kind="status", status=status, operation="create"))
    for number in range(10):
        asking.queue(f"message {number}")
    summary = asking.send()
    assert str(status) in (summary.stopped or "")
    states = asking.states()
    assert states == ({"queued": 10} if lost == "queued" else {lost: 3, "queued": 7})
    if status == 403:
        assert asking.service.state.counters().by_operation["create"] == 1
        asking.service.state.set_faults()
        asking.send()
        assert asking.states() == {"linked": 10}


def test_after_three_calls_without_effect_a_request_has_failed(asking: Asking) -> None:
    asking.service.state.set_faults(FaultRule(kind="status", operation="create"))
    request = asking.queue()
    for _ in range(5):
        asking.send()
        asking.pass_time(**SETTLED)
    row = asking.row(request)
    assert (row["state"], row["attempts"]) == ("failed", 3)
    assert row["state_reason"] == "3 calls had no effect; the last one: 500, the service failed"
    assert asking.service.state.counters().by_operation["create"] == 3


@pytest.mark.parametrize("unclear", [1, 2, 3])
@pytest.mark.parametrize("after_effect", [False, True], ids=["before", "after"])
def test_calls_with_the_same_message_are_told_apart_by_their_time(
    asking: Asking, unclear: int, after_effect: bool
) -> None:
    show_the_clock(asking)
    asking.send(per_second=5.0)  # calls at an even pace, one right after the other, look alike
    asking.service.state.set_faults(
        FaultRule(kind="status", operation="create", numbers=(unclear,), after_effect=after_effect)
    )
    for message, number in (
        ("the same", "999888771"), ("the  same", "999888772"), (" the same", "999888773")
    ):  # fmt: skip
        asking.queue(message, number)
    asking.send(per_second=5.0)  # a busy machine delays calls by less than that
    asking.pass_time(**SETTLED)
    asking.send()
    assert asking.states() == {"linked": 6}
    assert asking.mistakes() == []


@pytest.mark.parametrize("after_effect", [False, True], ids=["before", "after"])
def test_a_call_answered_201_without_effect_stays_named(asking: Asking, after_effect: bool) -> None:
    nothing = FaultRule(kind="status", status=201, body="", operation="create", numbers=(1,))
    unclear = FaultRule(kind="status", operation="create", numbers=(2,), after_effect=after_effect)
    asking.service.state.set_faults(nothing, unclear)
    for number in range(2):
        asking.queue(number=f"99988800{number}")
    for _ in range(3):
        summary = asking.send()
        asking.pass_time(**SETTLED)
    assert asking.states() == {"sent": 1, "linked": 1}
    assert summary.overdue == 1
    assert len(asking.created()) == 1


def test_colleagues_with_the_same_text_are_not_taken_for_ours(asking: Asking) -> None:
    request = asking.queue()
    asking.service.state.set_faults(FaultRule(kind="reset", operation="create", requests=1))
    asking.send()
    # Somebody asks the same by hand, twice.
    for number in ("999888771", "999888772"):
        asking.ask_by_hand(number)
    asking.pass_time(**SETTLED)
    asking.send()
    row = asking.row(request)
    assert (row["state"], row["attempts"]) == ("linked", 2)
    assert row["activity_id"] not in asking.others
    assert asking.mistakes() == []


@pytest.mark.parametrize(
    ("pattern", "stored"),
    [
        *((DEFAULT, text) for text in ("", "PLEASE SHARE (REF. *****)", "Please sh", "Please share (Re")),
        *(("[{reference}] {message}", text) for text in ("[*****] Please share", "[*****] Plea")),
    ],
)  # fmt: skip
def test_what_may_have_lost_its_reference_is_not_sent_again(
    asking: Asking, pattern: str, stored: str
) -> None:
    def change(fields: dict[str, Any]) -> None:
        fields["description"] = stored

    asking.service.state.set_faults(
        stored_as(change),
        FaultRule(kind="status", operation="create", after_effect=True, numbers=(1,)),
    )
    request = asking.queue()
    for _ in range(3):
        asking.send(reference=pattern)
        asking.pass_time(**SETTLED)
    row = asking.row(request)
    assert (row["state"], row["attempts"], len(row["candidates"])) == ("unknown", 1, 1)
    assert len(asking.created()) == 1


def test_candidates_show_no_number(asking: Asking) -> None:
    request = asking.queue()
    nothing = FaultRule(kind="status", status=201, body="", operation="create", numbers=(1,))
    asking.service.state.set_faults(nothing)
    asking.send()
    asking.ask_by_hand("999888771", "Questions to +51 999 888-772 or 999888773")
    asking.send()
    (candidate,) = asking.row(request)["candidates"]
    assert candidate["text"].endswith("Questions to *******72 or *******73")


def test_activities_of_others_are_no_candidates(asking: Asking) -> None:
    asking.service.state.set_faults(FaultRule(kind="reset", operation="create", numbers=(2,)))
    asking.queue("It shows how the service answers", "999888000")
    request = asking.queue()
    asking.send()
    for kind in ("AT_001", "AT_002", "AT_003"):
        asking.service.state.create(type=kind, in_out_bound="OUT")
    asking.pass_time(seconds=5)
    for kind in ("AT_001", "AT_004"):
        for bound in ("IN", "OUT"):
            asking.service.state.create(type=kind, in_out_bound=bound)
    asking.pass_time(**SETTLED)
    asking.send()
    assert asking.row(request)["state"] == "linked"
