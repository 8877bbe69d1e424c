"""Which call created which activity: pure rules over instants and texts.

A create call is answered without an id (specification 4.2), so its activity is recognised by its
message, its requirements and its creation. Calls are made one at a time: those with the same message
are told apart by their order, and only where the numbers fit, so that no other assignment is possible.
What is not certain is left open, never guessed. Taken for granted: whatever was answered 201 is listed
once its settling time is over, and other senders of the very same message leave the numbers unequal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

from pipeline.authorizations.requests import Text
from pipeline.authorizations.rules import Rules

Likeness = Literal["same", "like"]

#: A service may cut validity to whole days or so; beyond this and a tenth it is another one.
_VALIDITY_SLACK = timedelta(days=1)


@dataclass(frozen=True)
class Call:
    """A call whose activity is to be found. ``certain``: it was answered 201.

    ``sent_at``, ``ended_at``: by the service's clock. ``receiver``: whoever has the phone number.
    """

    request_id: str
    text: Text
    receiver: str
    validity: timedelta | None
    sent_at: datetime
    ended_at: datetime
    certain: bool

    def may_take_effect_until(self, rules: Rules) -> datetime:
        """Return the moment after which it has taken effect or never will."""
        return self.ended_at if self.certain else self.ended_at + rules.settle


@dataclass(frozen=True)
class Candidate:
    """An outbound activity that no request is linked to.

    ``text`` is None: its details are not to be had.
    """

    activity_id: str
    created_at: datetime
    status: str | None
    text: Text | None
    validity: timedelta | None

    def likeness(self, call: Call) -> Likeness | None:
        """Return how much it resembles what the call asked for; None: not at all."""
        if self.text is None:
            return "like"
        if self.text == call.text:
            return "same"
        wants = bool(call.text.requirements)
        similar = wants and self.text.requirements == call.text.requirements
        return "like" if similar or self.text.description == call.text.description else None


@dataclass
class Verdict:
    """What was found out: activities by call, calls without effect, candidates of what stays open."""

    linked: dict[str, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    open: dict[str, list[Candidate]] = field(default_factory=dict)


def decide(
    calls: Sequence[Call],
    candidates: Sequence[Candidate],
    now: datetime,
    rules: Rules,
    *,
    complete: bool = True,
) -> Verdict:
    """Find the activity of each call.

    ``now``: the service's clock when ``candidates`` were looked for. ``complete``: these are surely
    all there are; otherwise nothing is taken for absent.
    """
    verdict = Verdict()
    groups: dict[Text, list[Call]] = {}
    for call in sorted(calls, key=lambda call: call.sent_at):
        groups.setdefault(call.text, []).append(call)
    for text, group in groups.items():
        same = sorted(
            (each for each in candidates if each.text == text), key=lambda each: each.created_at
        )
        for cluster in _clusters(group, rules):
            found = _within(cluster, same, rules)
            settled = complete and all(now > call.may_take_effect_until(rules) for call in cluster)
            _decide_cluster(cluster, found, rules, verdict, settled=settled)
    taken = set(verdict.linked.values())
    free = [each for each in candidates if each.activity_id not in taken]
    for call in calls:
        if call.request_id not in verdict.linked:
            _decide_single(call, free, verdict, rules)
    return verdict


def _clusters(group: Iterable[Call], rules: Rules) -> list[list[Call]]:
    """Cut calls in order into those whose activities may be mistaken for one another's."""
    clusters: list[list[Call]] = []
    end: datetime | None = None
    for call in group:
        begin, until = _window(call, rules)
        if end is None or begin > end:
            clusters.append([])
        clusters[-1].append(call)
        end = until if end is None else max(end, until)
    return clusters


def _window(call: Call, rules: Rules) -> tuple[datetime, datetime]:
    """Return from when to when its activity may have been created."""
    return (
        call.sent_at - rules.tolerance,
        call.may_take_effect_until(rules) + rules.tolerance,
    )


def _within(cluster: Sequence[Call], same: Iterable[Candidate], rules: Rules) -> list[Candidate]:
    begin = min(_window(call, rules)[0] for call in cluster)
    end = max(_window(call, rules)[1] for call in cluster)
    return [each for each in same if begin <= each.created_at <= end]


def _decide_cluster(
    cluster: list[Call], found: list[Candidate], rules: Rules, verdict: Verdict, *, settled: bool
) -> None:
    """Link where the numbers leave one way only.

    As many activities as calls: all took effect, in their order. As many as calls that surely did,
    once it is ``settled`` that no other did: those had no effect.
    """
    certain = [call for call in cluster if call.certain]
    if len(found) == len(cluster):
        pairs = list(zip(cluster, found, strict=True))
    elif len(found) == len(certain) and settled:
        pairs = list(zip(certain, found, strict=True))
    else:
        return
    if not _consistent(pairs, rules) or not _in_order([call for call, _ in pairs], rules):
        return
    paired = {call.request_id for call, _ in pairs}
    verdict.absent |= {call.request_id for call in cluster if call.request_id not in paired}
    for place, (call, candidate) in enumerate(pairs):
        neighbours = pairs[max(place - 1, 0) : place] + pairs[place + 1 : place + 2]
        if all(_told_apart((call, candidate), other) for other in neighbours):
            verdict.linked[call.request_id] = candidate.activity_id


def _consistent(pairs: Sequence[tuple[Call, Candidate]], rules: Rules) -> bool:
    """Whether each pair may belong together, and one difference between the clocks explains them all."""
    least: timedelta | None = None
    most: timedelta | None = None
    for call, candidate in pairs:
        begin, end = _window(call, rules)
        if not begin <= candidate.created_at <= end or not _validities_fit(call, candidate):
            return False
        ahead = candidate.created_at - call.sent_at
        most = ahead if most is None else min(most, ahead)
        if call.certain:
            behind = candidate.created_at - call.ended_at
            least = behind if least is None else max(least, behind)
    return least is None or most is None or least <= most + rules.jitter


def _in_order(calls: Sequence[Call], rules: Rules) -> bool:
    """Whether activities surely came in the order of their calls, as far as it matters.

    A call without a clear answer may take effect after those that followed it.
    """
    if len({call.receiver for call in calls}) == 1:
        return True
    return all(
        call.may_take_effect_until(rules) <= following.sent_at
        for call, following in pairwise(calls)
    )


def _validities_fit(call: Call, candidate: Candidate) -> bool:
    if call.validity is None or candidate.validity is None:
        return True
    return abs(call.validity - candidate.validity) <= _VALIDITY_SLACK + call.validity / 10


def _told_apart(one: tuple[Call, Candidate], other: tuple[Call, Candidate]) -> bool:
    """Whether it is sure which is whose: created one after the other, or for the same person."""
    return one[1].created_at != other[1].created_at or one[0].receiver == other[0].receiver


def _decide_single(call: Call, free: Iterable[Candidate], verdict: Verdict, rules: Rules) -> None:
    """Keep a call open with what may be its activity; that also speaks against sending it again."""
    begin, end = _window(call, rules)
    near = [
        each
        for each in free
        if (likeness := each.likeness(call)) is not None
        and (
            begin <= each.created_at <= end or (likeness == "same" and _doubtful(call, each, rules))
        )
    ]
    if near:
        verdict.absent.discard(call.request_id)
    if call.request_id not in verdict.absent:
        verdict.open[call.request_id] = near


def _doubtful(call: Call, candidate: Candidate, rules: Rules) -> bool:
    """Whether an activity outside the call's window may be its own after all, were a clock wrong."""
    return candidate.created_at >= call.sent_at - rules.doubt
