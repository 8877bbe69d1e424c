"""Refusals: what is about one request rejects it; what passes stops the run, and the rest stays queued.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import FaultRule
from pipeline.sandbox.answers import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.asking import Asking


def refuse(asking: Asking, status: int, when: Callable[[bytes], bool], **more: Any) -> None:
    """Let the service refuse the creations that ``when`` is true of."""

    def answer(asked: Any, answer_of: Callable[[Any], Any]) -> Any:
        return Refused(status, "no", **more).answer(0) if when(asked.body) else answer_of(asked)

    asking.service.state.set_faults(FaultRule(kind="change", operation="create", change=answer))


def cap(asking: Asking, status: int, most: int, **more: Any) -> None:
    """Let the service take so many more creations."""
    before = len(asking.created())
    refuse(asking, status, lambda _: len(asking.created()) - before >= most, **more)


def queue(asking: Asking, people: int) -> None:
    for person in range(people):
        asking.queue(f"message {person}", f"9998880{person:02d}")


@pytest.mark.parametrize("status", [400, 403, 404, 429])
def test_a_daily_limit_leaves_the_rest_queued_whatever_its_status(
    asking: Asking, status: int
) -> None:
    queue(asking, 12)
    cap(asking, status, 5)
    for _ in range(3):
        stopped = asking.send().stopped or ""
        assert f"{status}, " in stopped
        assert "tomorrow if this is a limit of each day" in stopped
        assert asking.states() == {"linked": 5, "queued": 7}
    cap(asking, status, 5)
    asking.send()
    assert asking.states() == {"linked": 10, "queued": 2}
    asking.service.state.set_faults()
    asking.send()
    assert asking.states() == {"linked": 12}
    assert asking.mistakes() == []


def test_a_limit_that_asks_to_wait_for_a_day_is_not_waited_for(asking: Asking) -> None:
    queue(asking, 12)
    asking.service.state.set_faults(
        FaultRule(kind="status", status=429, retry_after=86_400, operation="create", numbers=(6,))
    )
    stopped = asking.send().stopped or ""
    assert "asks to wait 86400 s; `pipeline authorize send` goes on from 2" in stopped
    assert asking.states() == {"linked": 5, "queued": 7}


@pytest.mark.parametrize("status", [400, 413])
@pytest.mark.parametrize("bad", [(3,), (3, 4), (11,), (0, 5, 6, 7, 11)])
def test_what_is_wrong_with_one_request_rejects_it_and_the_others_go_on(
    asking: Asking, status: int, bad: tuple[int, ...]
) -> None:
    queue(asking, 12)
    texts = [f"message {person} (".encode() for person in bad]
    refuse(asking, status, lambda body: any(text in body for text in texts))
    runs = iter(range(6))
    while asking.send().stopped:
        next(runs)
    assert asking.states() == {"linked": 12 - len(bad), "rejected": len(bad)}
    reasons = {row["state_reason"] for row in asking.rows() if row["state"] == "rejected"}
    assert all(reason.startswith(f"{status}, ") for reason in reasons)


def test_a_rejection_shows_the_answer_without_the_number(asking: Asking) -> None:
    body = '{"why":"999 888 777 and +51-999888777 are unknown"}'
    asking.service.state.set_faults(
        FaultRule(kind="status", status=400, body=body, operation="create", requests=1)
    )
    first = asking.queue("one")
    asking.queue("two", "999888771")
    assert asking.send().stopped is None
    assert asking.states() == {"rejected": 1, "linked": 1}
    reason = asking.row(first)["state_reason"]
    assert "*******77 and +51-*******77 are unknown" in reason


@pytest.mark.parametrize(
    ("status", "states"), [(500, {"unknown": 3, "queued": 7}), (401, {"queued": 10})]
)
def test_a_service_that_refuses_everything_is_left_alone(
    asking: Asking, status: int, states: dict[str, int]
) -> None:
    asking.service.state.set_faults(FaultRule(kind="status", status=status, operation="create"))
    queue(asking, 10)
    assert str(status) in (asking.send().stopped or "")
    assert asking.states() == states
