"""Services that store things in another form, list late, or have other writers: nobody is asked twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import FaultRule
from tests.support.asking import FAST, Asking, people_service
from tests.support.storing import (
    cut,
    drop_requirements,
    escape,
    expand_requirements,
    listed_late,
    shout,
    stored_as,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MESSAGE = "Tom & Ana: please share your data"
SETTLED = {"minutes": 18}
UNCLEAR = (
    FaultRule(kind="status", operation="create", numbers=(2,)),
    FaultRule(kind="status", operation="create", numbers=(3,), after_effect=True),
)


@pytest.fixture
def asking(migrated_url: str) -> Iterator[Asking]:
    """Ask at a pace at which the calls are longer apart than they last, also on a busy machine."""
    with people_service() as running:
        yield Asking(migrated_url, running, replace(FAST, per_second=10.0))


@pytest.mark.parametrize(
    "change",
    [escape, cut, shout, drop_requirements, expand_requirements],
    ids=lambda each: each.__name__,
)
def test_whatever_form_it_is_stored_in_each_person_is_asked_once(
    asking: Asking, change: Callable[[dict[str, Any]], None]
) -> None:
    asking.service.state.set_faults(stored_as(change), *UNCLEAR)
    for number in range(6):
        asking.queue(MESSAGE, f"9998880{number:02d}")
    for _ in range(3):
        asking.send()
        asking.pass_time(**SETTLED)
    assert asking.states() == {"linked": 6}
    assert len(asking.created()) == 6
    assert asking.mistakes() == []


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_stranger_with_the_same_text_is_not_taken_for_ours(asking: Asking, when: str) -> None:
    if when == "before":
        asking.ask_by_hand("999888999", MESSAGE)
        asking.pass_time(minutes=1)
    asking.service.state.set_faults(FaultRule(kind="status", operation="create", numbers=(4,)))
    for number in range(3):
        asking.queue(MESSAGE, f"99988800{number}")
    request = asking.queue(MESSAGE, "999888009")
    asking.send()
    if when == "after":
        asking.ask_by_hand("999888999", MESSAGE)
    asking.pass_time(**SETTLED)
    summary = asking.send()
    row = asking.row(request)
    if when == "before":  # it was created before the call, so ours was not
        assert row["state"] == "linked"
    else:
        assert row["state"] == "unknown"
        assert len(row["candidates"]) == 1
        assert summary.overdue == 1


def test_a_creation_without_effect_is_named_and_stops_all_guessing(asking: Asking) -> None:
    nothing = FaultRule(kind="body", status=201, body="", operation="create", numbers=(1,))
    asking.service.state.set_faults(
        nothing, FaultRule(kind="status", operation="create", numbers=(2,))
    )
    for number in range(4):
        asking.queue(f"{MESSAGE} {number}", f"9998880{number:02d}")
    for _ in range(2):
        summary = asking.send()
        asking.pass_time(**SETTLED)
    assert asking.states() == {"sent": 1, "unknown": 1, "linked": 2}
    assert summary.overdue == 2
    assert any("their activities are not found, 1" in problem for problem in summary.problems)


def test_what_an_earlier_run_did_not_find_yet_is_waited_for(asking: Asking) -> None:
    asking.service.state.set_faults(listed_late(asking.service, 2))
    asking.queue()
    assert asking.send().states["sent"] == 1
    assert asking.send(wait=timedelta(minutes=1)).states["linked"] == 1


def altered(fields: dict[str, Any]) -> None:
    cut(fields)
    escape(fields)


@pytest.mark.parametrize("people", [100, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", [None, altered])
@pytest.mark.timeout(900)
def test_a_whole_file_on_a_service_that_lists_late_and_fails(
    asking: Asking, form: Callable[[dict[str, Any]], None] | None, people: int
) -> None:
    asking.service.state.set_faults(
        listed_late(asking.service, 30),
        *([stored_as(form)] if form else ()),
        FaultRule(kind="status", operation="create", rate=0.025, seed=1),
        FaultRule(kind="status", operation="create", rate=0.025, seed=2, after_effect=True),
    )
    for number in range(people):
        asking.queue(MESSAGE, f"99{number:07d}")
    for _ in range(6):
        summary = asking.send(per_second=20.0)
        assert asking.mistakes() == []
        asking.pass_time(**SETTLED)
    states = asking.states()
    if form is None:
        assert states == {"linked": people}
        assert len(asking.created()) == people
    assert states.keys() <= {"linked", "sent", "unknown"}
    assert states["linked"] >= 0.95 * people
    assert summary.overdue == people - states["linked"]
    assert all(row["candidates"] for row in asking.rows() if row["state"] != "linked")
