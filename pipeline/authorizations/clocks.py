"""How the clock of creation differs from that of the calls (docs/authorizations.md "Recognition")."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate, pairwise

from pipeline.authorizations.evidence import Call, Candidate, Evidence, Proof, resemblance, seconds
from pipeline.authorizations.likeness import Likeness

#: Widths that are tried for the noise of creation instants, and how near another activity can be
#: without a doubt, in seconds: none, clocks of several machines, instants rounded to seconds.
SLACKS = ((0.001, 0.0), (0.05, 0.1), (0.5, 0.0))
#: By so many seconds the sender's clock can be wrong: a `Date` header has whole seconds, and servers
#: keep one for a second.
_CLOCK_ERROR = 1.1
#: A list that was read so long after a call is taken to show what the call created.
_LAG = timedelta(minutes=1)
#: Calls that are shorter than this count as this long.
_SHORTEST = 0.25


@dataclass(frozen=True)
class Offset:
    """By how many seconds the clock of creation is ahead, what survives, and how long a call takes.

    ``noise``: seconds by which a creation can be off, besides.
    """

    least: float
    most: float
    survives: Likeness
    longest: float
    noise: float

    @classmethod
    def of(cls, proofs: Sequence[Proof]) -> "Offset | None":
        """Return what the proofs have in common: one offset, or if none fits all, the range of them."""
        if not proofs:
            return None
        least = max(proof.offset[0] for proof in proofs)
        most = min(proof.offset[1] for proof in proofs)
        survives = Likeness(*map(max, zip(*(proof.likeness for proof in proofs), strict=True)))
        longest = max(seconds(proof.call.ended_at, proof.call.sent_at) for proof in proofs)
        rounded = not any(proof.created_at.microsecond for proof in proofs)
        noise = 1.0 if rounded else SLACKS[1][0]
        return cls(min(least, most), max(least, most), survives, max(longest, _SHORTEST), noise)

    def created(self, call: Call, candidate: Candidate, slack: float) -> bool:
        """Return whether an activity was created during a call."""
        begin = seconds(candidate.created_at, call.sent_at) - self.least
        # A process that died, or gave up, ended long after its call.
        ended = min(seconds(call.ended_at, call.sent_at), 4 * self.longest)
        if call.certain:
            ended = seconds(call.ended_at, call.sent_at)
        return begin >= -slack and begin - ended <= self.most - self.least + slack


def find_offset(
    calls: Sequence[Call], evidence: Evidence, slack: float
) -> tuple[float, float] | None:
    """Return the one offset of the clocks that explains most calls; None if there is no such one.

    An offset within the error of the sender's clock is likelier: any other needs two calls. Calls made
    at an even pace are explained almost as well if each is taken for the one before. So while the list
    may still lag behind an activity of an unclear call, the offset must be clearly the best. While it
    may lag behind any activity, a stranger's could take its part: then one that is not within that error
    must be clearly better than those that are, or nothing is decided yet.
    """
    weight = len(calls) + 1  # each call answered 201 has an activity, of the others some
    clear, old = all_listed(calls, evidence), is_old(calls, evidence)

    # Calls without a clear answer decide between equals, but not where instants are rounded: there
    # somebody else's activity can fit as well.
    counted = [call for call in calls if call.certain or slack < SLACKS[-1][0]]

    def beats(height: int, rival: int, listed: bool) -> bool:
        return height > (rival if listed else rival + weight)

    peaks = _peaks(counted, evidence, slack, weight)
    error, least, listed = _CLOCK_ERROR + slack, 2 * weight, old
    near = [peak for peak in peaks if peak[1] <= error and peak[2] >= -error]
    if near and not beats(max(peaks)[0], max(near)[0], clear):
        peaks, least, listed = near, weight, clear
    (height, *region), (rival, *_) = sorted([*peaks, (0, 0.0, 0.0), (0, 0.0, 0.0)])[:-3:-1]
    if height < least or not beats(height, rival, listed):
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
            if resemblance(call, candidate, evidence) is not None:
                begin = seconds(candidate.created_at, call.ended_at) - slack
                # Instants are whole milliseconds: a gap that is not wider is none.
                if begin > end + SLACKS[0][0]:
                    edges.append((begin, part))
                else:
                    edges.pop()  # it overlaps the one before, and a call counts once
                end = seconds(candidate.created_at, call.sent_at) + slack
                edges.append((end, -part))
    edges.sort()
    heights = accumulate(step for _, step in edges)
    return [
        (height, begin, end)
        for height, ((begin, step), (end, following)) in zip(heights, pairwise(edges), strict=False)
        if step > 0 > following
    ]


def all_listed(calls: Sequence[Call], evidence: Evidence) -> bool:
    """Return whether no activity of an unclear call can be taken for one that is not listed yet."""
    return all(call.certain for call in calls) or is_old(calls, evidence)


def is_old(calls: Sequence[Call], evidence: Evidence) -> bool:
    """Return whether the list was read so late that it shows what these calls created."""
    return all(evidence.at > call.ended_at + _LAG for call in calls)
