"""Services that store things in another form, list late, or have other writers: nobody is asked twice.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.authorizations.references import DEFAULT
from pipeline.sandbox import FaultRule
from tests.support.storing import (
    cut,
    drop_requirements,
    escape,
    expand_requirements,
    listed_late,
    share_counterpart,
    shout,
    shown_as,
    stored_as,
    two_machines,
    whole_seconds,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.asking import Asking

MESSAGE = "Tom & Ana: please share your data"
SETTLED = {"minutes": 18}
UNCLEAR = (
    FaultRule(kind="status", operation="create", numbers=(2,)),
    FaultRule(kind="status", operation="create", numbers=(3,), after_effect=True),
)


@pytest.mark.parametrize(
    "change",
    [escape, shout, drop_requirements, expand_requirements],
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


@pytest.mark.parametrize("pattern", [DEFAULT, None])
@pytest.mark.parametrize("shown", [two_machines, whole_seconds, share_counterpart])
def test_texts_of_their_own_are_linked_whatever_the_service_shows_of_time_and_counterparts(
    asking: Asking, shown: Callable[[dict[str, Any]], None], pattern: str | None
) -> None:
    asking.service.state.set_faults(*shown_as(shown))
    for number in range(16):
        asking.queue(f"Dear {number}, please share", f"9998880{number:02d}")
    asking.send(reference=pattern)
    assert asking.states() == {"linked": 16}
    assert asking.mistakes() == []


def test_a_creation_without_effect_is_named_and_the_others_are_linked(asking: Asking) -> None:
    nothing = FaultRule(kind="status", status=201, body="", operation="create", numbers=(1,))
    asking.service.state.set_faults(
        nothing, FaultRule(kind="status", operation="create", numbers=(2,))
    )
    for number in range(4):
        asking.queue(f"{MESSAGE} {number}", f"9998880{number:02d}")
    for _ in range(2):
        summary = asking.send()
        asking.pass_time(**SETTLED)
    assert asking.states() == {"sent": 1, "linked": 3}
    assert summary.overdue == 1
    assert any("their activities are not found, 1" in problem for problem in summary.problems)


def test_what_an_earlier_run_did_not_find_yet_is_waited_for(asking: Asking) -> None:
    asking.service.state.set_faults(listed_late(asking.service, 32))
    asking.queue()
    assert asking.send().states["sent"] == 1
    # Longer ago than two clocks differ that are known to the second.
    asking.pass_time(seconds=30)
    assert asking.send(wait=timedelta(minutes=1)).states["linked"] == 1


def altered(fields: dict[str, Any]) -> None:
    shout(fields)
    escape(fields)


def late_and_failing(asking: Asking, *more: FaultRule) -> None:
    """List activities late, and let one creation in twenty end unclear."""
    asking.service.state.set_faults(
        listed_late(asking.service, 30),
        *more,
        FaultRule(kind="status", operation="create", rate=0.025, seed=1),
        FaultRule(kind="status", operation="create", rate=0.025, seed=2, after_effect=True),
    )


@pytest.mark.parametrize("people", [100, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", [None, altered])
@pytest.mark.timeout(900)
def test_a_whole_file_on_a_service_that_lists_late_and_fails(
    asking: Asking, form: Callable[[dict[str, Any]], None] | None, people: int
) -> None:
    late_and_failing(asking, *([stored_as(form)] if form else ()))
    for number in range(people):
        asking.queue(MESSAGE, f"99{number:07d}")
    for _ in range(6):
        summary = asking.send()
        assert asking.mistakes() == []
        asking.pass_time(**SETTLED)
    assert asking.states() == {"linked": people}
    assert len(asking.created()) == people
    assert summary.overdue == 0


def test_a_whole_file_on_a_service_that_cuts_off_the_reference_is_left_to_a_person(
    asking: Asking,
) -> None:
    late_and_failing(asking, stored_as(cut))
    for number in range(100):
        asking.queue(MESSAGE, f"99{number:07d}")
    for _ in range(3):
        summary = asking.send()
        assert asking.mistakes() == []
        asking.pass_time(**SETTLED)
    assert asking.states().keys() == {"sent", "unknown"}
    assert summary.overdue == 100
    assert all(row["candidates"] for row in asking.rows())
