"""Which call created which activity: rules over instants and texts (docs/authorizations.md "Recognition").

The answer to a create call has no id (docs/service.md 4.2). Calls are made one at a time, so an activity
that was created during a call is its own. The clock of creation can differ from the clock that times the
calls, and can be rounded. Calls that were answered 201 show by how much: each of them has an activity.

What is not certain stays open. One thing is taken for granted: a call that took effect is listed once the
settling period is over.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.authorizations.clocks import SLACKS, Offset, all_listed, find_offset, is_old
from pipeline.authorizations.evidence import (
    Call,
    Candidate,
    Evidence,
    Proof,
    is_anothers,
    resemblance,
    seconds,
)
from pipeline.authorizations.likeness import Likeness, likeness
from pipeline.authorizations.rules import Rules


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
    offsets: dict[float | None, Offset] = {}
    by_clock: defaultdict[float | None, list[Call]] = defaultdict(list)
    for call in sorted(calls, key=lambda call: call.sent_at):
        by_clock[call.clock].append(call)
    unfound: list[Call] = []
    for clock, same in by_clock.items():
        proofs = [proof for proof in evidence.proofs if proof.call.clock == clock]
        found = _match_certain(same, evidence, proofs)
        linked |= {proven[0]: proven[1:] for proven in found}
        offset = Offset.of([*proofs, *(proof for _, _, proof in found)])
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


def _match_certain(
    calls: Sequence[Call], evidence: Evidence, proofs: Sequence[Proof]
) -> list[tuple[str, Candidate, Proof]]:
    """Return the activities of the calls answered 201, with what each proves.

    The least noise is taken with which most of them are found.
    """
    best: list[tuple[str, Candidate, Proof]] = []
    certain = [call for call in calls if call.certain]
    known = Offset.of(proofs)
    rounded = not any(each.created_at.microsecond for each in evidence.candidates)
    # Noise makes an activity that is not listed yet easy to mistake for the one before it.
    most = (3 if rounded else 2) if is_old(certain, evidence) else 1
    for slack, blur in SLACKS[2 if rounded and not known else 0 : most]:
        region = (known.least, known.most) if known else find_offset(calls, evidence, slack)
        if region is None:
            continue
        offset = Offset(*region, Likeness(0, 0, 0), 0, 0)
        found = _match_in_order(calls, evidence, offset, slack, blur)
        if len(found) > len(best):
            best = found
        if len(best) == len(certain):
            break
    return best


def _match_in_order(
    calls: Sequence[Call], evidence: Evidence, offset: Offset, slack: float, blur: float
) -> list[tuple[str, Candidate, Proof]]:
    """Return the only possible pairs of the calls answered 201, whose activities keep their order."""
    unclear = [call for call in calls if not call.certain]
    certain = [call for call in calls if call.certain]
    listed = all_listed(calls, evidence)

    def fits(call: Call, candidate: Candidate) -> bool:
        alike = resemblance(call, candidate, evidence)
        return alike is not None and offset.created(call, candidate, slack)

    early = _first_fits(certain, evidence.candidates, fits)
    late = _first_fits(certain[::-1], evidence.candidates[::-1], fits)
    found = []
    for call in certain:
        candidate = early.get(call.request_id)
        if candidate is None or candidate is not late.get(call.request_id):
            continue
        taken = not listed and any(fits(other, candidate) for other in unclear)
        alike = resemblance(call, candidate, evidence)
        if alike is not None and not taken and not _blurred(call, candidate, evidence, blur):
            proof = Proof(call, candidate.created_at, alike)
            found.append((call.request_id, candidate, proof))
    return found


def _first_fits(
    calls: Sequence[Call],
    candidates: Sequence[Candidate],
    fits: Callable[[Call, Candidate], bool],
) -> dict[str, Candidate]:
    """Give each call in turn the first candidate that fits, of those behind the one before."""
    found = {}
    for call in calls:
        for place, candidate in enumerate(candidates):
            if fits(call, candidate):
                found[call.request_id], candidates = candidate, candidates[place + 1 :]
                break
    return found


def _blurred(call: Call, candidate: Candidate, evidence: Evidence, blur: float) -> bool:
    """Return whether another activity could be meant as well, so near are the two in time."""
    return any(
        other is not candidate
        and abs(seconds(other.created_at, candidate.created_at)) <= blur
        and resemblance(call, other, evidence) is not None
        for other in evidence.candidates
    )


def _match_uncertain(
    calls: Sequence[Call],
    free: Sequence[Candidate],
    evidence: Evidence,
    offsets: Mapping[float | None, Offset],
) -> dict[str, tuple[Candidate, None]]:
    """Return the links of calls without a clear answer: the one activity created during the call."""
    options = {
        call.request_id: [
            candidate
            for candidate in free
            if offset.created(call, candidate, SLACKS[0][0])
            and (alike := resemblance(call, candidate, evidence)) is not None
            and alike.within(offset.survives)
        ]
        for call in calls
        if (offset := offsets.get(call.clock))
    }
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
    offset: Offset | None,
    rules: Rules,
) -> list[Candidate]:
    """Return what may be the activity of a call, the nearest in time first.

    Until a call answered 201 has shown how this service stores things, that is every activity.
    """
    begin, most = -rules.doubt.total_seconds(), rules.doubt.total_seconds()
    if offset and not call.certain:
        begin, most = offset.least - offset.noise, offset.most + offset.noise
    end = seconds(call.ended_at, call.sent_at) + rules.settle.total_seconds() + most
    found = [
        each
        for each in free
        if begin <= seconds(each.created_at, call.sent_at) <= end
        and not is_anothers(call, each, evidence)
        and (
            each.text is None
            or offset is None
            or call.certain
            or likeness(call.text, each.text) is not None
        )
    ]
    return sorted(found, key=lambda each: abs(each.created_at - call.sent_at))


def _free(
    evidence: Evidence, linked: Mapping[str, tuple[Candidate, Proof | None]]
) -> list[Candidate]:
    taken = {candidate.activity_id for candidate, _ in linked.values()}
    return [each for each in evidence.candidates if each.activity_id not in taken]
