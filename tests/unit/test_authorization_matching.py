"""Matching never guesses: whatever really happened, a link or a "no effect" is right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.authorizations.matching import (
    Call,
    Candidate,
    Evidence,
    Text,
    Verdict,
    decide,
    text_of,
)
from pipeline.authorizations.rules import Rules
from pipeline.service.models import Requirement

RULES = Rules()
START = datetime(2026, 4, 1, 12, tzinfo=UTC)
ASKED = text_of("Please share", [Requirement("RQ_002")])
LONG_AFTER = START + timedelta(hours=5)


def call(
    name: str,
    at: float,
    took: float = 0.1,
    *,
    certain: bool = True,
    text: Text = ASKED,
    to: str = "",
) -> Call:
    """Make a call so many seconds after the start."""
    sent = START + timedelta(seconds=at)
    return Call(name, text, to or name, None, sent, sent + timedelta(seconds=took), certain)


def candidate(name: str, at: float, text: Text | None = ASKED) -> Candidate:
    """Make an activity created so many seconds after the start."""
    return Candidate(name, START + timedelta(seconds=at), "SENT", text, None)


def decided(
    calls: list[Call], candidates: list[Candidate], at: datetime, *, complete: bool = True
) -> Verdict:
    """Decide on what the list showed at an instant."""
    return decide(calls, Evidence(candidates, complete, at), RULES)


def test_one_candidate_is_linked_at_once() -> None:
    for certain in (True, False):
        found = decided([call("r", 0, certain=certain)], [candidate("a", 0.05)], START)
        assert found.linked == {"r": "a"}


def test_spaces_and_accents_may_change_on_the_way() -> None:
    stated = text_of(" Please\r\nshare  é ", [Requirement("RQ_005"), Requirement("RQ_002", [])])
    asked = text_of("Please share e\u0301", [Requirement("RQ_002"), Requirement("RQ_005")])
    found = decided([call("r", 0, text=asked)], [candidate("a", 0, stated)], START)
    assert found.linked == {"r": "a"}


@pytest.mark.parametrize("seconds", [0, 60, 14 * 60])
def test_nothing_is_absent_before_its_time(seconds: float) -> None:
    calls = [call("r", 0, certain=False)]
    early = decided(calls, [], START + timedelta(seconds=seconds))
    assert (early.absent, early.open) == (set(), {"r": []})
    assert decided(calls, [], START + timedelta(minutes=16)).absent == {"r"}


def test_nothing_is_absent_from_an_incomplete_list() -> None:
    calls = [call("created", 0), call("unclear", 1, certain=False)]
    for activities in ([], [candidate("a", 0.05)]):
        found = decided(calls, activities, LONG_AFTER, complete=False)
        assert (found.linked, found.absent) == ({}, set())
    found = decided(calls, [candidate("a", 0.05)], LONG_AFTER)
    assert (found.linked, found.absent) == ({"created": "a"}, {"unclear"})


def test_a_created_activity_is_never_absent() -> None:
    found = decided([call("r", 0)], [], LONG_AFTER)
    assert (found.absent, found.open) == (set(), {"r": []})


@pytest.mark.parametrize(
    "text",
    [None, text_of("Please share", []), text_of("cut sho", [Requirement("RQ_002")])],
    ids=["not to be read", "same message", "same requirements"],
)
def test_what_resembles_it_is_a_doubt(text: Text | None) -> None:
    found = decided([call("r", 0, certain=False)], [candidate("a", 30, text)], LONG_AFTER)
    assert found.absent == set()
    assert [each.activity_id for each in found.open["r"]] == ["a"]


def test_an_equal_one_outside_the_window_is_a_doubt_but_no_match() -> None:
    for at in (-50 * 60, 3600):
        found = decided([call("r", 0, certain=False)], [candidate("a", at)], LONG_AFTER)
        assert (found.linked, found.absent) == ({}, set())
    assert decided(
        [call("r", 0, certain=False)], [candidate("a", -2 * 3600)], LONG_AFTER
    ).absent == {"r"}


def test_one_difference_of_clocks_must_explain_all() -> None:
    calls = [call("one", 0), call("two", 10), call("three", 20)]
    ahead = [candidate(name, at) for name, at in (("a", 40), ("b", 50), ("c", 60))]
    assert decided(calls, ahead, START).linked == {"one": "a", "two": "b", "three": "c"}
    crooked = [candidate(name, at) for name, at in (("a", 0), ("b", 14), ("c", 20))]
    assert decided(calls, crooked, LONG_AFTER).linked == {}


def test_created_in_one_instant_they_are_not_told_apart() -> None:
    activities = [candidate("a", 0.1), candidate("b", 0.1)]
    calls = [call("one", 0, to="x"), call("two", 0.2, to="y")]
    assert decided(calls, activities, LONG_AFTER).linked == {}
    calls = [call("one", 0, to="x"), call("two", 0.2, to="x")]
    assert decided(calls, activities, LONG_AFTER).linked == {"one": "a", "two": "b"}


def test_another_validity_is_another_request() -> None:
    asked = Call("r", ASKED, "x", 48 * 3600.0, START, START, certain=True)
    for days, linked in ((1.5, True), (3.2, True), (9, False)):
        made = Candidate("a", START, "SENT", ASKED, days * 86_400.0)
        assert bool(decided([asked], [made], START).linked) is linked


_kinds = st.sampled_from(["created", "created", "created", "lost", "unknown", "unknown late"])
_history = st.lists(
    st.tuples(_kinds, st.floats(1.2, 40), st.floats(0.01, 0.9)), min_size=1, max_size=9
)


@settings(max_examples=400, deadline=None)
@given(
    history=_history,
    ahead=st.floats(-50, 50),
    jitter=st.lists(st.floats(-0.04, 0.04), min_size=9, max_size=9),
    people=st.integers(1, 3),
    minutes=st.sampled_from([0.0, 1, 10, 16, 60]),
)
def test_what_is_decided_is_true(
    history: list[tuple[str, float, float]],
    ahead: float,
    jitter: list[float],
    people: int,
    minutes: float,
) -> None:
    """As the sender calls: after an unclear answer the same message waits until that is settled."""
    calls: list[Call] = []
    created: dict[str, Candidate] = {}
    now = 0.0
    for number, (kind, gap, took) in enumerate(history):
        now += gap
        name = f"r{number}"
        calls.append(
            call(name, now, took, certain=kind == "created", to=f"person {number % people}")
        )
        late = 600.0 if kind == "unknown late" else took / 2
        if kind != "lost":
            created[name] = candidate(f"a{number}", now + late + ahead + jitter[number])
        now += took
        if kind != "created":
            break
    at = START + timedelta(seconds=now, minutes=minutes)
    # Nobody lists what is created later; the service's clock may be ahead by less than a minute.
    listed = [each for each in created.values() if each.created_at <= at + timedelta(seconds=ahead)]
    found = decided(calls, listed, at)
    for request, activity in found.linked.items():
        assert created[request].activity_id == activity
    assert not found.absent & created.keys()
    assert found.linked.keys() | found.absent | found.open.keys() == {
        each.request_id for each in calls
    }
    if minutes >= 60:  # then all is settled, and nothing is in doubt
        assert found.linked.keys() == created.keys()
        assert found.open == {}


def test_what_may_come_late_gives_no_order() -> None:
    calls = [call("unclear", 0, certain=False), call("created", 1)]
    # In the order of the calls, the first would have created a; it may as well have created b late.
    activities = [candidate("a", 1.05), candidate("b", 1.9)]
    assert decided(calls, activities, LONG_AFTER).linked == {}
    alike = [call("unclear", 0, certain=False, to="x"), call("created", 1, to="x")]
    assert len(decided(alike, activities, LONG_AFTER).linked) == 2
