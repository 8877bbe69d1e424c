"""How far the clock of creation is ahead of that of the calls (docs/authorizations.md "Recognition").

Calls are made one at a time. So with the right offset each activity was created during one call, and
each call answered 201 has one. A wrong offset leaves some of them without, unless the calls came at an
even pace: then the activity of each call can be taken for that of the call before it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

#: By so many seconds the clock of the calls can be wrong: a `Date` header has whole seconds.
_CLOCK_ERROR = 0.6
#: How much speaks for an offset that explains a call. An unclear call may have no activity.
_CERTAIN, _UNCLEAR = 3, 2
#: So many calls are not taken for each other's, unless one of them seems to be without effect.
_MANY = 3


@dataclass(frozen=True)
class Offset:
    """A range of offsets, in seconds.

    ``certain``: how many calls answered 201 it explains. ``weight``: how much speaks for it.
    """

    least: float
    most: float
    certain: int = 0
    weight: int = 0

    def meets(self, other: "Offset") -> bool:
        """Return whether the two ranges have something in common."""
        return self.least <= other.most and other.least <= self.most


def find_offset(
    calls: Sequence[tuple[bool, Sequence[Offset]]], proven: Sequence[Offset], *, listed: bool
) -> Offset | None:
    """Return the offset that explains clearly more than any other; None: that can't be told yet.

    ``calls``: whether each was answered 201, and the offsets with which an activity was created during it.
    ``proven``: those of earlier calls, the newest last. ``listed``: the list shows what all calls created.

    The best offset is taken if it explains all calls, three or more of them new. Else the service must
    have made two mistakes for any other one to be right: an answer 201 without effect beside an unclear
    one with effect looks like the opposite. An offset far from the newest one, or at first from none,
    needs two calls to count. To be believed it needs nine in ten of them, more than any usual one explains,
    and ``listed``.
    """
    last = proven[-1] if proven else Offset(0, 0)
    usual = Offset(last.least - _CLOCK_ERROR, last.most + _CLOCK_ERROR)
    new = sum(certain for certain, _ in calls)
    # An earlier call was found before: it counts as two.
    calls = [*calls, *((True, [span]) for span in proven for _ in range(2))]
    everything = sum(certain for certain, _ in calls)
    ranges = [each for each in _peaks(calls) if each.meets(usual) or each.certain > 1]
    ranges.sort(key=lambda each: each.weight, reverse=True)
    if not ranges or not ranges[0].certain:
        return None
    best = ranges[0]
    margin = 1 if new >= _MANY and best.certain == everything else 2
    if len(ranges) > 1 and best.weight - ranges[1].weight < margin:
        return None
    if best.meets(usual):
        return best
    rivals = any(each.meets(usual) and each.certain >= best.certain for each in ranges)
    return best if listed and not rivals and 10 * best.certain >= 9 * everything else None


def _peaks(calls: Iterable[tuple[bool, Sequence[Offset]]]) -> Iterator[Offset]:
    """Yield the ranges that explain more than those beside them."""
    edges: list[tuple[float, int, int]] = []
    for known, spans in calls:
        certain, weight = (1, _CERTAIN) if known else (0, _UNCLEAR)
        for each in _joined(spans):
            edges += [(each.least, certain, weight), (each.most, -certain, -weight)]
    edges.sort()
    explained = [0, 0]
    for (least, *step), (most, *following) in pairwise(edges):
        explained = [explained[0] + step[0], explained[1] + step[1]]
        if sum(step) > 0 > sum(following):
            yield Offset(least, most, *explained)


def _joined(spans: Iterable[Offset]) -> list[Offset]:
    """Return the ranges of one call; those that overlap as one, since a call counts once."""
    joined: list[Offset] = []
    for span in spans:
        if joined and span.least <= joined[-1].most:
            span = Offset(joined.pop().least, span.most)
        joined.append(span)
    return joined
