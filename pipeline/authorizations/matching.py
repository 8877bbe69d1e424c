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
from functools import cached_property
from typing import NamedTuple

from pipeline.authorizations.clocks import Offset, find_offset
from pipeline.authorizations.likeness import Likeness, Text, likeness
from pipeline.authorizations.rules import Rules

#: By so many seconds an instant of creation can be off: it has whole milliseconds, or whole seconds.
_PRECISE, _ROUNDED = 0.001, 0.5
#: A list that was read so many seconds after a call is taken to show what the call created.
_LAG = 60
#: A call takes effect within so many times the longest one that was answered 201.
_LONGER = 4
#: By so many seconds machines of one service differ: what was created so near to a call can be its own.
_APART = 1.0


@dataclass(frozen=True, eq=False, repr=False)
class Call:
    """A call whose activity is looked for; no two are equal. ``certain``: the answer was 201.

    ``begin``, ``end``: epoch seconds by the service's clock. ``clock``: which measurement of that clock;
    calls with the same one are comparable. ``number``: the receiver, in E.164.
    """

    text: Text
    number: str
    begin: float
    end: float
    clock: float | None
    certain: bool


@dataclass(frozen=True, repr=False)
class Candidate:
    """An outbound activity without a request.

    ``text``: None when its details can't be read. ``authorization``: whether it is one, by its type.
    """

    activity_id: str
    created: float
    status: str | None
    counterpart: str | None
    text: Text | None
    authorization: bool = True


class Fit(NamedTuple):
    """A candidate that resembles a call, and what became of the call's text."""

    candidate: Candidate
    likeness: Likeness


@dataclass(frozen=True)
class Evidence:
    """What the list showed ``at`` an instant of the service's clock.

    ``candidates``: in the order of their creation. ``complete``: every day was verified and every row could
    be read, so that what is not here is absent. ``owners``: the numbers that a counterpart is known by.
    ``proofs``: earlier calls of about that time that were answered 201, with their activities.
    """

    candidates: Sequence[Candidate]
    complete: bool
    at: float
    owners: Mapping[str, Collection[str]]
    proofs: Mapping[Call, Fit]

    @cached_property
    def slack(self) -> float:
        """By how many seconds instants of creation can be off."""
        known = [fit.candidate for fit in self.proofs.values()]
        instants = [each.created for each in (*self.candidates, *known)]
        return _ROUNDED if all(map(float.is_integer, instants)) else _PRECISE

    def fits(self, call: Call) -> list[Fit]:
        """Return what a call can be linked to, whenever it was created.

        That is nothing of a counterpart that is known by other numbers only.
        """
        return [
            Fit(each, alike)
            for each in self.candidates
            if each.text and each.authorization
            if call.number in self.owners.get(each.counterpart or "", [call.number])
            if (alike := likeness(call.text, each.text))
        ]

    def offsets(self, call: Call, fit: Fit) -> Offset:
        """Return the offsets with which the activity was created during the call."""
        created = fit.candidate.created
        return Offset(created - call.end - self.slack, created - call.begin + self.slack)


class Decision(NamedTuple):
    """What is known of a call: its activity, or that it was without effect, or what may be its activity."""

    fit: Fit | None
    absent: bool
    near: Sequence[Candidate]


@dataclass(frozen=True)
class _Clock:
    """What is known of one clock.

    ``certain``: the activities of its calls answered 201, also of earlier ones; at least one.
    ``options``: what was created during each open call.
    """

    offset: Offset
    slack: float
    certain: Mapping[Call, Fit]
    options: Mapping[Call, Sequence[Fit]]

    def made(self, call: Call, fit: Fit) -> bool:
        """Return whether an unclear call made the one activity that was created during it.

        It must have been created in the call also by the middle of the offsets, not long after calls
        answered 201 would have ended, and be stored as theirs. Where instants are whole seconds, that
        shows nothing.
        """
        survives = Likeness.worst(found.likeness for found in self.certain.values())
        longest = max(each.end - each.begin for each in self.certain)
        ended = min(call.end - call.begin, _LONGER * longest)
        after = fit.candidate.created - call.begin - (self.offset.least + self.offset.most) / 2
        return (
            self.slack < _ROUNDED
            and -self.slack <= after <= ended + self.slack
            and Likeness.worst([fit.likeness, survives]) == survives
        )


def decide(calls: Sequence[Call], evidence: Evidence, rules: Rules) -> dict[Call, Decision]:
    """Find the activity of each call. Incomplete evidence shows no call to be without effect."""
    clocks = {
        name: clock
        for name in {call.clock for call in calls}
        if (clock := _read_clock([call for call in calls if call.clock == name], evidence))
    }
    found = {call: fit for clock in clocks.values() for call, fit in clock.certain.items()}
    unfound = [call.begin for call in calls if call.certain and call not in found]
    doubt, settle = rules.doubt.total_seconds(), rules.settle.total_seconds()
    clear = {
        call
        for call in calls
        if not call.certain and all(abs(call.begin - begin) > doubt for begin in unfound)
    }
    found |= _match_unclear(clear, clocks)
    taken = {fit.candidate for fit in found.values()}
    free = [each for each in evidence.candidates if each not in taken]
    decisions = {}
    for call in calls:
        fit = found.get(call)
        near = [] if fit else _near(call, free, clocks.get(call.clock), rules)
        over = evidence.complete and evidence.at > call.end + settle
        absent = call in clear and over and not (fit or near)
        decisions[call] = Decision(fit, absent, near)
    return decisions


def _read_clock(calls: Iterable[Call], evidence: Evidence) -> _Clock | None:
    """Return what calls by one clock show of it; None: nothing yet, or they contradict."""
    fits = {call: evidence.fits(call) for call in sorted(calls, key=lambda call: call.begin)}
    clock = next(iter(fits)).clock
    proofs = {call: fit for call, fit in evidence.proofs.items() if call.clock == clock}
    # Whole seconds tell nothing of unclear calls, and these must tell nothing of whole seconds.
    heard = [call for call in fits if call.certain or evidence.slack < _ROUNDED]
    listed = all(evidence.at > call.end + _LAG for call in fits)
    offset = find_offset(
        [(call.certain, [evidence.offsets(call, fit) for fit in fits[call]]) for call in heard],
        [evidence.offsets(call, fit) for call, fit in proofs.items()],
        listed=listed,
    )
    if offset is None:
        return None
    options = {
        call: [fit for fit in found if offset.meets(evidence.offsets(call, fit))]
        for call, found in fits.items()
    }
    certain = proofs | _match_certain(options)
    lonely = any(call.certain and not found for call, found in options.items())
    if not certain or (lonely and not (listed and _all_explained(fits, options, certain, offset))):
        return None
    return _Clock(offset, evidence.slack, certain, options)


def _all_explained(
    fits: Mapping[Call, Sequence[Fit]],
    options: Mapping[Call, Sequence[Fit]],
    certain: Mapping[Call, Fit],
    offset: Offset,
) -> bool:
    """Return whether each activity of the time of the calls is a call's, or may be an unclear call's.

    One that is not may show that machines of the service have different clocks: then what one machine made
    for a call lies in the next call, and what was made for that one in the call behind it.
    """
    explained = {fit.candidate for fit in certain.values()}
    explained |= {fit.candidate for call in options if not call.certain for fit in options[call]}
    first = min(call.begin for call in fits) + offset.least - _APART
    last = max(call.end for call in fits) + offset.most + _APART
    return not any(
        first <= fit.candidate.created <= last and fit.candidate not in explained
        for found in fits.values()
        for fit in found
    )


def _match_certain(options: Mapping[Call, Sequence[Fit]]) -> dict[Call, Fit]:
    """Return the only possible pairs of the calls answered 201, whose activities keep their order.

    An activity that an unclear call may have made is nobody's for sure. Nor is another one then: a call
    that may have made either stays open.
    """
    unclear = {
        fit.candidate for call, found in options.items() if not call.certain for fit in found
    }
    certain = {
        call: [fit for fit in found if fit.candidate not in unclear]
        for call, found in options.items()
        if call.certain
    }
    early = _in_order(certain.items(), 1)
    late = _in_order(reversed(certain.items()), -1)
    return {
        call: fit
        for call, fit in early.items()
        if late.get(call) is fit and len(certain[call]) == len(options[call])
    }


def _in_order(calls: Iterable[tuple[Call, Sequence[Fit]]], step: int) -> dict[Call, Fit]:
    """Give each call in turn the first of its activities behind that of the call before."""
    found: dict[Call, Fit] = {}
    last = float("-inf")
    for call, fits in calls:
        behind = [fit for fit in fits[::step] if step * fit.candidate.created > last]
        if behind:
            found[call], last = behind[0], step * behind[0].candidate.created
    return found


def _match_unclear(calls: Iterable[Call], clocks: Mapping[float | None, _Clock]) -> dict[Call, Fit]:
    """Return the links of calls without a clear answer: the one activity created during the call."""
    options = {call: clocks[call.clock].options[call] for call in calls if call.clock in clocks}
    claims = Counter(fit.candidate for found in options.values() for fit in found)
    return {
        call: found[0]
        for call, found in options.items()
        if len(found) == 1 == claims[found[0].candidate] and clocks[call.clock].made(call, found[0])
    }


def _near(
    call: Call, free: Iterable[Candidate], clock: _Clock | None, rules: Rules
) -> list[Candidate]:
    """Return what may be the activity of a call, the nearest in time first.

    That is what was created at the time of the call, whatever it says and whoever it is about: nobody knows
    all that a service does to what it stores. Until the settling period is over it is also what resembles
    the call. How exact the times are depends on whether calls answered 201 have shown how clocks differ.
    """
    settle, doubt = rules.settle.total_seconds(), rules.doubt.total_seconds()
    begin, end = call.begin, call.end
    if clock is None or call.certain:
        near, late, far = doubt, settle, rules.unknown.total_seconds()
    else:
        begin, end = begin + clock.offset.least, end + clock.offset.most
        near, late, far = _APART, 0.0, _APART
    found = [
        each
        for each in free
        if begin - near <= each.created <= end + late + near
        or (
            begin - far <= each.created <= end + settle + far
            and (each.text is None or likeness(call.text, each.text))
        )
    ]
    return sorted(found, key=lambda each: abs(each.created - call.begin))
