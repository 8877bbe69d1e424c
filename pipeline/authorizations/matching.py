"""Which call created which activity: rules over instants and texts (docs/authorizations.md "Recognition").

The answer to a create call has no id (docs/service.md 4.2). Calls are made one at a time, so an activity
that was created during a call is its own, once the calls that were answered 201 have shown how the clock
of creation differs from the clock that times the calls.

What is not certain stays open. One thing is taken for granted: a call that took effect is listed once the
settling period is over.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.authorizations.clocks import Offset, find_offset
from pipeline.authorizations.likeness import Likeness, Text, likeness
from pipeline.authorizations.rules import Rules

#: By so many seconds an instant of creation can be off: it has whole milliseconds, or whole seconds.
_PRECISE, _ROUNDED = 0.001, 0.5
#: A list that was read so many seconds after a call is taken to show what the call created.
_LAG = 60
#: A call takes effect within so many times the longest one that was answered 201.
_LONGER = 4
#: So many seconds before a call an activity can still be its own: machines with different clocks.
_EARLY = 0.05


@dataclass(frozen=True, repr=False)
class Call:
    """A call whose activity is looked for. ``certain``: the answer was 201.

    ``begin``, ``end``: epoch seconds by the service's clock. ``clock``: which measurement of that clock;
    calls with the same one are comparable. ``number``: the receiver, in E.164.
    """

    request_id: str
    text: Text
    number: str
    begin: float
    end: float
    clock: float | None
    certain: bool

    def during(self, created: float, slack: float) -> Offset:
        """Return the offsets with which an instant of creation lies in the call."""
        return Offset(created - self.end - slack, created - self.begin + slack)


@dataclass(frozen=True, repr=False)
class Candidate:
    """An outbound activity without a request. ``text``: None when its details can't be read."""

    activity_id: str
    created: float
    status: str | None
    counterpart: str | None
    text: Text | None


@dataclass(frozen=True)
class Proof:
    """A call answered 201 with the creation of its activity, and what became of its text."""

    call: Call
    created: float
    likeness: Likeness


@dataclass(frozen=True)
class Evidence:
    """What the list showed ``at`` an instant of the service's clock.

    ``candidates``: in the order of their creation. ``complete``: every day was verified and every row could
    be read, so that what is not here is absent. ``owners``: the numbers that a counterpart is known by.
    ``proofs``: earlier calls of about that time.
    """

    candidates: Sequence[Candidate]
    complete: bool
    at: float
    owners: Mapping[str, Collection[str]]
    proofs: Sequence[Proof] = ()

    @property
    def slack(self) -> float:
        """By how many seconds instants of creation can be off."""
        instants = {each.created for each in self.candidates}
        instants |= {each.created for each in self.proofs}
        return _ROUNDED if all(map(float.is_integer, instants)) else _PRECISE

    def is_anothers(self, call: Call, candidate: Candidate) -> bool:
        """Return whether the counterpart is known by other numbers, and not by this one."""
        numbers = self.owners.get(candidate.counterpart or "", ())
        return bool(numbers) and call.number not in numbers

    def alike(self, call: Call, candidate: Candidate) -> Likeness | None:
        """Return how much a candidate resembles a call; None: it is not its activity."""
        if candidate.text is None or self.is_anothers(call, candidate):
            return None
        return likeness(call.text, candidate.text)


@dataclass(frozen=True)
class Verdict:
    """What is known of each call.

    ``linked``: its activity and, for a call answered 201, what it proves. ``absent``: without effect.
    ``open``: what may be its activity. ``unfound``: answered 201 and not found.
    """

    linked: dict[str, tuple[Candidate, Proof | None]]
    absent: set[str]
    open: dict[str, list[Candidate]]
    unfound: set[str]


@dataclass(frozen=True)
class _Shown:
    """What the calls answered 201 and found show of one clock, and what was created during each call."""

    offset: Offset
    slack: float
    proofs: Sequence[Proof]
    options: Mapping[str, Sequence[Candidate]]

    def made(self, call: Call, candidate: Candidate) -> bool:
        """Return whether an unclear call made the one activity that was created during it.

        It must have been created in the call also by the middle of the offsets, not long after calls
        answered 201 would have ended, and be stored as theirs. Where instants are whole seconds, that
        shows nothing.
        """
        alike = likeness(call.text, candidate.text) if candidate.text else None
        survives = Likeness.worst(proof.likeness for proof in self.proofs)
        longest = max(proof.call.end - proof.call.begin for proof in self.proofs)
        ended = min(call.end - call.begin, _LONGER * longest)
        after = candidate.created - call.begin - (self.offset.least + self.offset.most) / 2
        return (
            self.slack < _ROUNDED
            and -self.slack <= after <= ended + self.slack
            and alike is not None
            and Likeness.worst([alike, survives]) == survives
        )


def decide(calls: Sequence[Call], evidence: Evidence, rules: Rules) -> Verdict:
    """Find the activity of each call. Incomplete evidence shows no call to be without effect."""
    linked: dict[str, tuple[Candidate, Proof | None]] = {}
    shown: dict[float | None, _Shown] = {}
    for clock in {call.clock for call in calls}:
        same = sorted((call for call in calls if call.clock == clock), key=lambda call: call.begin)
        proofs = [proof for proof in evidence.proofs if proof.call.clock == clock]
        if offset := _offset(same, proofs, evidence):
            options = {call.request_id: _options(call, offset, evidence) for call in same}
            found = _match_certain(same, options, evidence)
            proofs += [proof for _, proof in found.values()]
            linked |= found
            if proofs:
                shown[clock] = _Shown(offset, evidence.slack, proofs, options)
    unfound = [call for call in calls if call.certain and call.request_id not in linked]
    doubt = rules.doubt.total_seconds()
    clear = [
        call
        for call in calls
        if not call.certain and all(abs(call.begin - lost.begin) > doubt for lost in unfound)
    ]
    linked |= _match_unclear(clear, shown)
    taken = {candidate.activity_id for candidate, _ in linked.values()}
    free = [each for each in evidence.candidates if each.activity_id not in taken]
    near = {
        call.request_id: _near(call, free, evidence, shown.get(call.clock), rules)
        for call in calls
        if call.request_id not in linked
    }
    absent = {
        call.request_id
        for call in clear
        if evidence.complete
        and evidence.at > call.end + rules.settle.total_seconds()
        and near.get(call.request_id) == []
    }
    still_open = {name: found for name, found in near.items() if name not in absent}
    return Verdict(linked, absent, still_open, {call.request_id for call in unfound})


def _offset(calls: Sequence[Call], proofs: Sequence[Proof], evidence: Evidence) -> Offset | None:
    slack = evidence.slack
    spans = {
        call: [
            call.during(each.created, slack)
            for each in evidence.candidates
            if evidence.alike(call, each)
        ]
        for call in calls
    }
    certain = [found for call, found in spans.items() if call.certain]
    unclear = [found for call, found in spans.items() if not call.certain]
    proven = [proof.call.during(proof.created, slack) for proof in proofs]
    listed = all(evidence.at > call.end + _LAG for call in calls)
    return find_offset(certain, unclear, proven, listed=listed)


def _options(call: Call, offset: Offset, evidence: Evidence) -> list[Candidate]:
    """Return what was created during a call."""
    slack = evidence.slack
    return [
        each
        for each in evidence.candidates
        if offset.meets(call.during(each.created, slack)) and evidence.alike(call, each)
    ]


def _match_certain(
    calls: Sequence[Call], options: Mapping[str, Sequence[Candidate]], evidence: Evidence
) -> dict[str, tuple[Candidate, Proof]]:
    """Return the only possible pairs of the calls answered 201, whose activities keep their order.

    An activity that an unclear call may have made is nobody's for sure.
    """
    unclear = {
        candidate for call in calls if not call.certain for candidate in options[call.request_id]
    }
    certain = {
        call: [each for each in options[call.request_id] if each not in unclear]
        for call in calls
        if call.certain
    }
    early = _in_order(certain.items(), 1)
    late = _in_order(reversed(certain.items()), -1)
    return {
        call.request_id: (candidate, Proof(call, candidate.created, alike))
        for call, candidate in early.items()
        if late.get(call) is candidate and (alike := evidence.alike(call, candidate))
    }


def _in_order(
    calls: Iterable[tuple[Call, Sequence[Candidate]]], step: int
) -> dict[Call, Candidate]:
    """Give each call in turn the first of its activities behind that of the call before."""
    found: dict[Call, Candidate] = {}
    last = float("-inf")
    for call, candidates in calls:
        for candidate in candidates[::step]:
            if step * candidate.created > last:
                found[call], last = candidate, step * candidate.created
                break
    return found


def _match_unclear(
    calls: Sequence[Call], shown: Mapping[float | None, _Shown]
) -> dict[str, tuple[Candidate, None]]:
    """Return the links of calls without a clear answer: the one activity created during the call."""
    options = {
        call: shown[call.clock].options[call.request_id] for call in calls if call.clock in shown
    }
    claims = Counter(each.activity_id for found in options.values() for each in found)
    return {
        call.request_id: (found[0], None)
        for call, found in options.items()
        if len(found) == 1
        and claims[found[0].activity_id] == 1
        and shown[call.clock].made(call, found[0])
    }


def _near(
    call: Call,
    free: Iterable[Candidate],
    evidence: Evidence,
    shown: _Shown | None,
    rules: Rules,
) -> list[Candidate]:
    """Return what may be the activity of a call, the nearest in time first.

    Until a call answered 201 has shown how this service stores things, that is every activity.
    """
    before, after = (rules.doubt.total_seconds(),) * 2
    if shown and not call.certain:
        noise = max(_EARLY, 2 * shown.slack)
        before, after = noise - shown.offset.least, noise + shown.offset.most
    last = call.end + rules.settle.total_seconds() + after
    anything = shown is None or call.certain
    found = [
        each
        for each in free
        if call.begin - before <= each.created <= last
        and not evidence.is_anothers(call, each)
        and (anything or each.text is None or likeness(call.text, each.text))
    ]
    return sorted(found, key=lambda each: abs(each.created - call.begin))
