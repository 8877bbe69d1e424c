"""Which call created which activity: rules over instants and texts (docs/authorizations.md "Recognition").

The answer to a create call has no id (docs/service.md 4.2). Calls are made one at a time, so an activity
that was created during a call is its own. The clock of creation can differ from the clock that times the
calls, and can be rounded. Calls that were answered 201 show by how much: each of them has an activity.

What is not certain stays open. One thing is taken for granted: a call that took effect is listed once the
settling period is over.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate, pairwise

from pipeline.authorizations.likeness import Likeness, Text, likeness
from pipeline.authorizations.rules import Rules

#: Widths that are tried for the noise of creation instants, and how near another activity can be
#: without a doubt, in seconds: none, clocks of several machines, instants rounded to seconds.
_SLACKS = ((0.001, 0.0), (0.05, 0.1), (0.5, 0.0))
#: By so many seconds the sender's clock can be wrong: a `Date` header has whole seconds, and servers
#: keep one for a second.
_CLOCK_ERROR = 1.1
#: A list that was read so long after a call is taken to show what the call created.
_LAG = timedelta(minutes=1)
#: Calls that are shorter than this count as this long.
_SHORTEST = 0.25


@dataclass(frozen=True, repr=False)
class Call:
    """A call whose activity is looked for. ``certain``: the answer was 201.

    ``sent_at``, ``ended_at``: by the service's clock. ``clock``: which measurement of that clock; calls
    with the same one are comparable. ``number``: the receiver, in E.164.
    """

    request_id: str
    text: Text
    number: str
    sent_at: datetime
    ended_at: datetime
    clock: float | None
    certain: bool


@dataclass(frozen=True, repr=False)
class Candidate:
    """An outbound activity without a request. ``text``: None when its details can't be read."""

    activity_id: str
    created_at: datetime
    status: str | None
    counterpart: str | None
    text: Text | None


@dataclass(frozen=True)
class Proof:
    """A call answered 201 and the creation of its activity: it shows how the two clocks differ."""

    clock: float | None
    sent_at: datetime
    ended_at: datetime
    created_at: datetime
    likeness: Likeness

    @property
    def offset(self) -> tuple[float, float]:
        """The least and the most seconds by which the clock of creation can be ahead."""
        return _seconds(self.created_at, self.ended_at), _seconds(self.created_at, self.sent_at)


@dataclass(frozen=True)
class Evidence:
    """What the list showed ``at`` an instant of the service's clock.

    ``complete``: every day was verified and every row could be read, so that what is not here is absent.
    ``owners``: the numbers that a counterpart is known by. ``proofs``: earlier calls of about that time.
    """

    candidates: Sequence[Candidate]
    complete: bool
    at: datetime
    owners: Mapping[str, set[str]]
    proofs: Sequence[Proof] = ()


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


def decide(calls: Sequence[Call], evidence: Evidence, rules: Rules) -> Verdict:
    """Find the activity of each call. Incomplete evidence shows no call to be without effect."""
    ordered = sorted(evidence.candidates, key=lambda each: each.created_at)
    evidence = replace(evidence, candidates=ordered)
    linked: dict[str, tuple[Candidate, Proof | None]] = {}
    offsets: dict[float | None, _Offset] = {}
    by_clock: defaultdict[float | None, list[Call]] = defaultdict(list)
    for call in sorted(calls, key=lambda call: call.sent_at):
        by_clock[call.clock].append(call)
    unfound: list[Call] = []
    for clock, same in by_clock.items():
        proofs = [proof for proof in evidence.proofs if proof.clock == clock]
        found = _match_certain(same, evidence, proofs)
        linked |= {proven[0]: proven[1:] for proven in found}
        offset = _Offset.of([*proofs, *(proof for _, _, proof in found)])
        unfound += [call for call in same if call.certain and call.request_id not in linked]
        if offset:
            offsets[clock] = offset
    working = [
        call
        for call in calls
        if not call.certain
        and not any(abs(call.sent_at - other.sent_at) <= rules.doubt for other in unfound)
    ]
    linked |= _match_uncertain(working, _free(evidence, linked), evidence, offsets)
    free = _free(evidence, linked)
    near = {
        call.request_id: _near(call, free, evidence, offsets.get(call.clock), rules)
        for call in calls
        if call.request_id not in linked
    }
    absent = {
        call.request_id
        for call in working
        if call.request_id in near
        and not near[call.request_id]
        and evidence.complete
        and evidence.at > call.ended_at + rules.settle
    }
    still_open = {name: found for name, found in near.items() if name not in absent}
    return Verdict(linked, absent, still_open, {call.request_id for call in unfound})


@dataclass(frozen=True)
class _Offset:
    """By how many seconds the clock of creation is ahead, what survives, and how long a call takes.

    ``noise``: seconds by which a creation can be off, besides.
    """

    least: float
    most: float
    survives: Likeness
    longest: float
    noise: float

    @classmethod
    def of(cls, proofs: Sequence[Proof]) -> "_Offset | None":
        """Return what the proofs have in common: one offset, or if none fits all, the range of them."""
        if not proofs:
            return None
        least = max(proof.offset[0] for proof in proofs)
        most = min(proof.offset[1] for proof in proofs)
        survives = Likeness(*map(max, zip(*(proof.likeness for proof in proofs), strict=True)))
        longest = max(_seconds(proof.ended_at, proof.sent_at) for proof in proofs)
        rounded = not any(proof.created_at.microsecond for proof in proofs)
        noise = 1.0 if rounded else _SLACKS[1][0]
        return cls(min(least, most), max(least, most), survives, max(longest, _SHORTEST), noise)

    def created(self, call: Call, candidate: Candidate, slack: float) -> bool:
        """Return whether an activity was created during a call."""
        begin = _seconds(candidate.created_at, call.sent_at) - self.least
        # A process that died, or gave up, ended long after its call.
        ended = min(_seconds(call.ended_at, call.sent_at), 4 * self.longest)
        if call.certain:
            ended = _seconds(call.ended_at, call.sent_at)
        return begin >= -slack and begin - ended <= self.most - self.least + slack


def _match_certain(
    calls: Sequence[Call], evidence: Evidence, proofs: Sequence[Proof]
) -> list[tuple[str, Candidate, Proof]]:
    """Return the activities of the calls answered 201, with what each proves.

    The least noise is taken with which most of them are found.
    """
    best: list[tuple[str, Candidate, Proof]] = []
    certain = [call for call in calls if call.certain]
    known = _Offset.of(proofs)
    rounded = not any(each.created_at.microsecond for each in evidence.candidates)
    # Noise makes an activity that is not listed yet easy to mistake for the one before it.
    most = (3 if rounded else 2) if _is_old(certain, evidence) else 1
    for slack, blur in _SLACKS[2 if rounded and not known else 0 : most]:
        region = (known.least, known.most) if known else _find_offset(calls, evidence, slack)
        if region is None:
            continue
        offset = _Offset(*region, Likeness(0, 0, 0), 0, 0)
        found = _match_in_order(calls, evidence, offset, slack, blur)
        if len(found) > len(best):
            best = found
        if len(best) == len(certain):
            break
    return best


def _find_offset(
    calls: Sequence[Call], evidence: Evidence, slack: float
) -> tuple[float, float] | None:
    """Return the one offset of the clocks that explains most calls; None if there is no such one.

    An offset within the error of the sender's clock is likelier: any other needs two calls. Calls made
    at an even pace are explained almost as well if each is taken for the one before. So while the list
    may still lag behind an activity of an unclear call, the offset must be clearly the best.
    """
    weight = len(calls) + 1  # each call answered 201 has an activity, of the others some
    listed = _all_listed(calls, evidence)

    # Calls without a clear answer decide between equals, but not where instants are rounded: there
    # somebody else's activity can fit as well.
    unit = weight if slack == _SLACKS[-1][0] else 1

    def beats(height: int, rival: int) -> bool:
        return height // unit > rival // unit if listed else height > rival + weight

    peaks = _peaks(calls, evidence, slack, weight)
    error, least = _CLOCK_ERROR + slack, 2 * weight
    near = [peak for peak in peaks if peak[1] <= error and peak[2] >= -error]
    if near and not beats(max(peaks)[0], max(near)[0]):
        peaks, least = near, weight
    (height, *region), (rival, *_) = sorted([*peaks, (0, 0.0, 0.0), (0, 0.0, 0.0)])[:-3:-1]
    if height < least or not beats(height, rival):
        return None
    return region[0], region[1]


def _peaks(
    calls: Sequence[Call], evidence: Evidence, slack: float, weight: int
) -> list[tuple[int, float, float]]:
    """Return the ranges of offsets that explain more than those beside them, with how much."""
    edges: list[tuple[float, int]] = []
    for call in calls:
        part, end = weight if call.certain else 1, float("-inf")
        for candidate in evidence.candidates:
            if _of(call, candidate, evidence) is not None:
                begin = _seconds(candidate.created_at, call.ended_at) - slack
                if begin > end:
                    edges.append((begin, part))
                else:
                    edges.pop()  # it overlaps the one before, and a call counts once
                end = _seconds(candidate.created_at, call.sent_at) + slack
                edges.append((end, -part))
    edges.sort()
    heights = accumulate(step for _, step in edges)
    return [
        (height, begin, end)
        for height, ((begin, step), (end, following)) in zip(heights, pairwise(edges), strict=False)
        if step > 0 > following
    ]


def _all_listed(calls: Sequence[Call], evidence: Evidence) -> bool:
    """Return whether no activity of an unclear call can be taken for one that is not listed yet."""
    return all(call.certain for call in calls) or _is_old(calls, evidence)


def _is_old(calls: Sequence[Call], evidence: Evidence) -> bool:
    return all(evidence.at > call.ended_at + _LAG for call in calls)


def _match_in_order(
    calls: Sequence[Call], evidence: Evidence, offset: _Offset, slack: float, blur: float
) -> list[tuple[str, Candidate, Proof]]:
    """Return the only possible pairs of the calls answered 201, whose activities keep their order."""
    unclear = [call for call in calls if not call.certain]
    calls = [call for call in calls if call.certain]
    listed = _all_listed([*calls, *unclear], evidence)
    candidates = evidence.candidates
    early: dict[str, int] = {}
    late: dict[str, int] = {}
    after = 0
    for call in calls:
        for place in range(after, len(candidates)):
            if _fits(call, candidates[place], evidence, offset, slack):
                early[call.request_id], after = place, place + 1
                break
    before = len(candidates)
    for call in reversed(calls):
        for place in range(before - 1, -1, -1):
            if _fits(call, candidates[place], evidence, offset, slack):
                late[call.request_id], before = place, place
                break
    found = []
    for call in calls:
        chosen = early.get(call.request_id)
        if chosen is None or chosen != late.get(call.request_id):
            continue
        candidate = candidates[chosen]
        alike = _of(call, candidate, evidence)
        taken = not listed and any(
            _fits(other, candidate, evidence, offset, slack) for other in unclear
        )
        if alike is not None and not taken and not _blurred(call, candidate, evidence, blur):
            proof = Proof(call.clock, call.sent_at, call.ended_at, candidate.created_at, alike)
            found.append((call.request_id, candidate, proof))
    return found


def _fits(
    call: Call, candidate: Candidate, evidence: Evidence, offset: _Offset, slack: float
) -> bool:
    return offset.created(call, candidate, slack) and _of(call, candidate, evidence) is not None


def _blurred(call: Call, candidate: Candidate, evidence: Evidence, blur: float) -> bool:
    """Return whether another activity could be meant as well, so near are the two in time."""
    return any(
        other is not candidate
        and abs(_seconds(other.created_at, candidate.created_at)) <= blur
        and _of(call, other, evidence) is not None
        for other in evidence.candidates
    )


def _match_uncertain(
    calls: Sequence[Call],
    free: Sequence[Candidate],
    evidence: Evidence,
    offsets: Mapping[float | None, _Offset],
) -> dict[str, tuple[Candidate, None]]:
    """Return the links of calls without a clear answer: the one activity created during the call."""
    options: dict[str, list[Candidate]] = {}
    for call in calls:
        offset = offsets.get(call.clock)
        options[call.request_id] = [
            candidate
            for candidate in (free if offset else ())
            if offset
            and offset.created(call, candidate, _SLACKS[0][0])
            and (alike := _of(call, candidate, evidence)) is not None
            and alike.within(offset.survives)
        ]
    claimed = [each.activity_id for found in options.values() for each in found]
    return {
        name: (found[0], None)
        for name, found in options.items()
        if len(found) == 1 and claimed.count(found[0].activity_id) == 1
    }


def _near(
    call: Call,
    free: Iterable[Candidate],
    evidence: Evidence,
    offset: _Offset | None,
    rules: Rules,
) -> list[Candidate]:
    """Return what may be the activity of a call, the nearest in time first.

    Until a call answered 201 has shown how this service stores things, that is every activity.
    """
    begin, most = -rules.doubt.total_seconds(), rules.doubt.total_seconds()
    if offset and not call.certain:
        begin, most = offset.least - offset.noise, offset.most + offset.noise
    end = _seconds(call.ended_at, call.sent_at) + rules.settle.total_seconds() + most
    found = [
        each
        for each in free
        if begin <= _seconds(each.created_at, call.sent_at) <= end
        and not _is_anothers(call, each, evidence)
        and (
            each.text is None
            or offset is None
            or call.certain
            or likeness(call.text, each.text) is not None
        )
    ]
    return sorted(found, key=lambda each: abs(each.created_at - call.sent_at))


def _of(call: Call, candidate: Candidate, evidence: Evidence) -> Likeness | None:
    """Return how much a candidate resembles a call; None: it is not its activity."""
    if candidate.text is None or _is_anothers(call, candidate, evidence):
        return None
    return likeness(call.text, candidate.text)


def _is_anothers(call: Call, candidate: Candidate, evidence: Evidence) -> bool:
    """Return whether the counterpart is known by other numbers, and not by this one."""
    numbers = evidence.owners.get(candidate.counterpart or "", ())
    return bool(numbers) and call.number not in numbers


def _free(
    evidence: Evidence, linked: Mapping[str, tuple[Candidate, Proof | None]]
) -> list[Candidate]:
    taken = {candidate.activity_id for candidate, _ in linked.values()}
    return [each for each in evidence.candidates if each.activity_id not in taken]


def _seconds(later: datetime, earlier: datetime) -> float:
    return (later - earlier) / timedelta(seconds=1)
