"""Services that store things in another form, list late, or have other writers: nobody is asked twice.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from tests.support.storing import (
    cut,
    listed_late,
    stored_as,
)

if TYPE_CHECKING:
    from tests.support.asking import Asking

MESSAGE = "Tom & Ana: please share your data"
SETTLED = {"minutes": 18}


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
        asking.queue(MESSAGE, f"9998880{number:02d}")
    for _ in range(4):
        asking.send()
        asking.pass_time(minutes=20)
        assert asking.states() == {"unknown": 2, "sent": 2}
    assert len(asking.created()) == 4
    asking.pass_time(hours=3)
    asking.send()
    assert asking.states() == {"linked": 4}


@pytest.mark.parametrize("people", [100, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.timeout(900)
def test_a_whole_file_on_a_service_that_lists_late_and_fails(
    asking: Asking, lost: bool, people: int
) -> None:
    asking.service.state.set_faults(
        listed_late(asking.service, 30),
        *([stored_as(cut)] if lost else []),
        FaultRule(kind="status", operation="create", rate=0.025, seed=1),
        FaultRule(kind="status", operation="create", rate=0.025, seed=2, after_effect=True),
    )
    for number in range(people):
        asking.queue(MESSAGE, f"99{number:07d}")
    for _ in range(3):
        summary = asking.send()
        assert asking.mistakes() == []
        asking.pass_time(**SETTLED)
    states, calls = asking.states(), asking.service.state.counters().by_operation["create"]
    assert calls == people
    assert states.get("linked", 0) == (0 if lost else len(asking.created()))
    assert states.keys() <= ({"sent", "unknown"} if lost else {"linked", "unknown"})
    assert summary.overdue == people - states.get("linked", 0)
    assert all(row["candidates"] for row in asking.rows() if lost)
