"""Matching never guesses: whatever really happened, a link or a "no effect" is right."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.authorizations.likeness import Likeness, Text, likeness, text_of
from pipeline.authorizations.matching import Call, Candidate, Evidence, Fit, decide
from pipeline.authorizations.rules import Rules
from pipeline.service.models import Requirement, RequirementItem

RULES = Rules()
START = datetime(2026, 4, 1, 12, tzinfo=UTC)
ASKED = text_of("Please share", [Requirement("RQ_002")])
SOON, LATE = (START.timestamp() + 60 * minutes for minutes in (5, 30))
KEPT = Likeness()


@dataclass
class Found:
    """What was decided of each call, by its name: its activity, none, or what may be its activity.

    ``unfound``: calls answered 201 without an activity.
    """

    links: dict[str, str]
    absent: set[str]
    open: dict[str, list[str]]
    unfound: set[str]


def at(seconds: float) -> float:
    """Return an instant after the start, as the service states it: to the millisecond."""
    return (START + timedelta(milliseconds=int(seconds * 1000))).timestamp()


def call(
    name: str, begin: float, took: float = 0.1, *, certain: bool = True, text: Text = ASKED
) -> Call:
    """Make a call so many seconds after the start, to a person with the call's name."""
    sent = START.timestamp() + begin
    return Call(text, name, sent, sent + took, 0.0, certain)


def candidate(name: str, seconds: float, text: Text | None = ASKED, whose: str = "") -> Candidate:
    """Make an activity created so many seconds after the start."""
    return Candidate(name, at(seconds), "SENT", whose or None, text)


def decided(
    calls: list[Call],
    candidates: list[Candidate],
    when: float = LATE,
    *,
    complete: bool = True,
    owners: dict[str, set[str]] | None = None,
    proofs: tuple[tuple[Call, Fit], ...] = (),
) -> Found:
    """Decide on what the list showed at an instant."""
    ordered = sorted(candidates, key=lambda each: each.created)
    decisions = decide(calls, Evidence(ordered, complete, when, owners or {}, dict(proofs)), RULES)
    found = Found({}, set(), {}, set())
    for call, decision in decisions.items():
        if decision.fit:
            found.links[call.number] = decision.fit.candidate.activity_id
        elif decision.absent:
            found.absent.add(call.number)
        else:
            found.open[call.number] = [each.activity_id for each in decision.near]
        if call.certain and not decision.fit:
            found.unfound.add(call.number)
    return found


def proof(begin: float, created: float, shown: Likeness = KEPT) -> tuple[Call, Fit]:
    """Return a call answered 201 with its activity."""
    return call("", begin), Fit(candidate("", created), shown)


@pytest.mark.parametrize(
    ("asked", "stored", "wanted"),
    [
        ("Please share", " Please\r\nshare ", "kept"),
        ("é", "e\u0301", "kept"),
        ("Tom & Ana's <data>", "Tom &amp; Ana&#39;s &lt;data&gt;", "altered"),
        ("Tom & Ana's <data>", "Tom &amp;amp; Ana&amp;#39;s &amp;lt;data&amp;gt;", "altered"),
        ("mañana", "ma\\u00f1ana", "altered"),
        ("Please share", "PLEASE SHARE", "altered"),
        ("Please share", "Your bank says: please share.", "altered"),
        ("Please share your data", "Please sha", "cut"),
        ("Please share your data", "Please share…", "cut"),
        ("Tom & Ana", "Tom &am", "cut"),
        ("ma\u00f1ana", "ma\\u00f", "cut"),
        ("Please share", "Another one", None),
        ("Please share", "", None),
    ],
)
def test_what_became_of_a_text(asked: str, stored: str, wanted: str | None) -> None:
    found = likeness(text_of(asked, []), text_of(stored, []))
    assert (None if found is None else found.text) == wanted


def test_what_became_of_requirements_and_validity() -> None:
    asked = text_of("x", [Requirement(" RQ_002 ", [RequirementItem("IDT_001")])], 48 * 3600.0)
    for requirements, wanted in (
        ([Requirement("RQ_002", [RequirementItem("IDT_001 ")])], "kept"),
        (
            [Requirement("RQ_002", [RequirementItem("IDT_002"), RequirementItem("IDT_001")])],
            "expanded",
        ),
        ([Requirement("RQ_002")], "absent"),
        ([], "absent"),
        ([Requirement("RQ_003")], None),
    ):
        found = likeness(asked, text_of("x", requirements, 48 * 3600.0))
        assert (None if found is None else found.requirements) == wanted
    for days, kept in ((1.5, "kept"), (3.2, "kept"), (9, "altered")):
        found = likeness(asked, text_of("x", [], days * 86_400.0))
        assert found is not None
        assert found.validity == kept


def test_a_stranger_before_or_after_the_call_is_never_linked() -> None:
    shown = (proof(-60, -59.95),)
    for seconds in (-30, -2, -0.5, 0.5, 30):
        found = decided([call("r", 0, certain=False)], [candidate("a", seconds)], proofs=shown)
        assert found.links == {}
        # Long before the call it was not ours; shortly before it another machine's clock may have been
        # behind; after it the call may have come late.
        assert found.absent == ({"r"} if seconds < -1 else set())
    found = decided([call("r", 0, certain=False)], [candidate("a", 0.05)], proofs=shown)
    assert found.links == {"r": "a"}


def test_without_a_call_answered_201_nothing_is_linked_and_nothing_created_is_ruled_out() -> None:
    unclear = call("r", 0, certain=False)
    for text in (ASKED, None, text_of("Something else", [])):
        found = decided([unclear], [candidate("a", 0.05, text)])
        assert (found.links, found.absent) == ({}, set())
        assert found.open["r"] == ["a"]
    assert decided([unclear], []).absent == {"r"}


def test_while_a_call_answered_201_is_not_found_nothing_uncertain_is_decided() -> None:
    calls = [call("r", 0, certain=False), call("lost", 10)]
    found = decided(calls, [candidate("a", 0.05)], proofs=(proof(-60, -59.95),))
    assert (found.links, found.absent, found.unfound) == ({}, set(), {"lost"})
    assert decided(calls, [], proofs=(proof(-60, -59.95),)).absent == set()
    calls[1] = call("lost", 3 * 3600)
    later = at(4 * 3600)
    assert decided(calls, [], later, proofs=(proof(-60, -59.95),)).absent == {"r"}


def test_nothing_is_absent_too_early_or_from_an_incomplete_list() -> None:
    unclear = [call("r", 0, certain=False)]
    assert decided(unclear, [], SOON).absent == set()
    assert decided(unclear, [], complete=False).absent == set()
    assert decided(unclear, []).absent == {"r"}


def test_what_does_not_survive_less_than_elsewhere_is_not_linked() -> None:
    shown = (proof(-60, -59.95),)
    unclear = [call("r", 0, certain=False)]
    shouted = candidate("a", 0.05, text_of("PLEASE SHARE", [Requirement("RQ_002")]))
    found = decided(unclear, [shouted], proofs=shown)
    assert (found.links, found.absent) == ({}, set())
    altered = (proof(0, 0, Likeness("altered")),)
    assert decided(unclear, [shouted], proofs=shown + altered).links == {"r": "a"}


@pytest.mark.parametrize("text", ["", "Por favor", "Please <link removed> share"])
def test_what_was_created_in_a_call_may_be_its_own_whatever_it_says(text: str) -> None:
    shown = (proof(-60, -59.95),)
    strange = candidate("a", 0.05, text_of(text, [Requirement("RQ_999")]))
    found = decided([call("r", 0, certain=False)], [strange], proofs=shown)
    assert (found.links, found.absent) == ({}, set())
    assert found.open == {"r": ["a"]}


@pytest.mark.parametrize("hours", [-14, -5, 5, 14])
def test_before_a_call_shows_the_clock_the_same_text_counts_at_any_time_of_the_day(
    hours: int,
) -> None:
    found = decided([call("r", 0, certain=False)], [candidate("a", hours * 3600)], at(86_400))
    assert (found.links, found.absent) == ({}, set())


def test_a_counterpart_of_another_number_is_somebody_else() -> None:
    shown = (proof(-60, -59.95),)
    unclear = [call("r", 0, certain=False)]
    found = decided(
        unclear, [candidate("a", 0.05, whose="e")], proofs=shown, owners={"e": {"other"}}
    )
    # Not linked, but no proof that nothing was created: a person can have two numbers.
    assert (found.links, found.absent) == ({}, set())
    found = decided(
        unclear, [candidate("a", 0.05, whose="e")], proofs=shown, owners={"e": {"other", "r"}}
    )
    assert found.links == {"r": "a"}


def test_an_unclear_call_proves_no_clock_that_is_far_off() -> None:
    """Its late activity and those of two later calls lie as if all three were created 300 s later."""
    calls = [
        call("late", 0, 0.2, certain=False),
        call("one", 0.21, 0.005),
        call("two", 0.22, 0.005),
    ]
    own = [candidate("a", 0.212), candidate("b", 0.222)]
    later = [candidate("c", 300.1), candidate("d", 300.212), candidate("e", 300.222)]
    links = decided(calls, own + later).links
    assert links in ({}, {"one": "a", "two": "b"})


def test_one_call_proves_no_clock_that_is_far_off_but_two_do() -> None:
    calls = [call("one", 0), call("two", 7.3)]
    ahead = [candidate("a", 300.05), candidate("b", 307.35)]
    assert decided(calls[:1], ahead[:1]).links == {}
    assert decided(calls[:1], [candidate("a", 0.4)]).links == {"one": "a"}
    assert decided(calls, ahead).links == {"one": "a", "two": "b"}


def test_created_in_one_instant_they_are_not_told_apart() -> None:
    calls = [call("one", 0), call("two", 0.3)]
    activities = [candidate("a", 1), candidate("b", 1)]
    assert decided(calls, activities).links == {}


def test_beside_an_unclear_call_one_answered_201_does_not_take_what_is_either_ones() -> None:
    calls = [call("one", 0), call("r", 0.3, certain=False)]
    for seconds in (0.05, 0.35):
        found = decided(calls, [candidate("a", seconds)])
        assert (found.links, found.absent, found.unfound) == ({}, set(), {"one"})
    more = [call("two", -20), call("three", -10), *calls]
    activities = [candidate("b", -19.95), candidate("c", -9.95)]
    found = decided(more, [*activities, candidate("a", 0.05)])
    assert found.links == {"two": "b", "three": "c", "one": "a"}
    assert decided(more, [*activities, candidate("a", 0.35)]).links == {"two": "b", "three": "c"}


def test_in_whole_seconds_a_stranger_is_not_taken_for_what_an_unclear_call_may_have_made() -> None:
    calls = [call("one", 1, 0.25), call("two", 2.25), call("r", 3.625, 0.375, certain=False)]
    activities = [candidate("a", 1), candidate("b", 3), candidate("c", 5), candidate("d", 6)]
    found = decided([*calls, call("three", 5)], activities)
    assert found.links == {"one": "a", "two": "b"}


def test_a_clock_far_off_needs_a_list_that_shows_everything() -> None:
    calls = [call("one", 0), call("two", 7.3)]
    ahead = [candidate("a", -300.0), candidate("b", -292.7)]
    assert decided(calls, ahead, at(30)).links == {}
    assert decided([*calls, call("three", 9)], ahead).links == {}
    assert decided(calls, ahead).links == {"one": "a", "two": "b"}


def test_instants_in_whole_seconds_say_nothing_of_unclear_calls() -> None:
    calls = [call("one", 0, 0.9), call("r", 10, 0.9, certain=False)]
    found = decided(calls, [candidate("a", 0), candidate("b", 10)])
    assert (found.links, found.absent) == ({"one": "a"}, set())


@settings(max_examples=400, deadline=None)
@given(
    machines=st.lists(st.tuples(st.booleans(), st.floats(0, 0.3)), min_size=2, max_size=12),
    apart=st.floats(0.2, 1.0),
    fast=st.booleans(),
    unlisted=st.integers(0, 2),
)
def test_machines_whose_clocks_differ_cause_no_wrong_link(
    machines: list[tuple[bool, float]], apart: float, fast: bool, unlisted: int
) -> None:
    """Calls of one text at an even pace: what one machine made can lie in the call after its own."""
    pace = apart if fast else 1.0
    calls, made = [], []
    for number, (ahead, after) in enumerate(machines):
        calls.append(call(f"{number}", number * pace, 0.3 * pace))
        made.append(candidate(f"{number}", (number + after) * pace + ahead * apart))
    made.sort(key=lambda each: each.created)
    listed = made[: len(made) - unlisted]
    links = decided(calls, listed, at(len(calls) * pace) if unlisted else LATE).links
    assert all(name == activity for name, activity in links.items())


_kinds = st.sampled_from(["created", "created", "created", "created", "lost", "effect", "stranger"])
_history = st.lists(
    st.tuples(_kinds, st.floats(1.0, 30), st.floats(0.01, 0.4)), min_size=1, max_size=12
)


#: Whole seconds, and an unclear call without effect that only a wrong offset explains.
_SHIFTED = [
    ("lost", 1.0, 0.16601575711476918),
    ("created", 1.0, 0.16601575711476918),
    ("lost", 1.2806795095607306, 0.36203318692070635),
    ("created", 1.0, 0.125),
    ("stranger", 1.0, 0.125),
]


@settings(max_examples=400, deadline=None)
@example(history=_SHIFTED, ahead=0.3, rounded=True, stored="Please share", lag=0.0, minutes=0.0)
@given(
    history=_history,
    ahead=st.sampled_from([0.0, 0.3, -0.4, 1200.0, -1500.0]),
    rounded=st.booleans(),
    stored=st.sampled_from(["Please share", "PLEASE SHARE", "Please s", "Something else"]),
    lag=st.sampled_from([0.0, 30.0]),
    minutes=st.sampled_from([0.0, 1, 16, 60]),
)
def test_what_is_decided_is_true(
    history: list[tuple[str, float, float]],
    ahead: float,
    rounded: bool,
    stored: str,
    lag: float,
    minutes: float,
) -> None:
    """Any offset and rounding of the clocks, any form of the text, calls lost and strangers between."""
    calls: list[Call] = []
    made: dict[str, Candidate] = {}
    truly: dict[str, float] = {}
    now = 0.0
    for number, (kind, gap, took) in enumerate(history):
        now += gap
        created = now + took / 2 + ahead
        text = text_of(stored, [Requirement("RQ_002")])
        truly[f"a{number}"] = now + took / 2
        activity = candidate(f"a{number}", round(created) if rounded else created, text)
        if kind == "stranger":
            made[f"stranger{number}"] = activity
            now += took + 2
            continue
        calls.append(call(f"r{number}", now, took, certain=kind == "created"))
        if kind != "lost":
            made[f"r{number}"] = activity
        now += took
    when = START.timestamp() + now + 60 * minutes
    listed = [each for each in made.values() if truly[each.activity_id] + lag <= now + 60 * minutes]
    found = decided(calls, listed, when)
    assert all(made[name].activity_id == activity for name, activity in found.links.items())
    assert not found.absent & made.keys()
    assert found.links.keys() | found.absent | found.open.keys() == {each.number for each in calls}
