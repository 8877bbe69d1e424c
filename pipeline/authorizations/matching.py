"""Which call created which activity: pure rules over instants and texts (docs/design.md "Authorizations").

The answer to a create call has no id (docs/service.md 4.2), so its activity is recognised by message,
requirements and creation instant. Calls are made one at a time. Calls with the same text are told apart
by their order, and only where the numbers allow no other assignment. What is not certain stays open.

Two things are taken for granted: an activity whose call was answered 201 is listed once the settling
period is over; and another sender of the very same text makes the numbers unequal.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from pipeline.authorizations.rules import Rules
from pipeline.service.models import Requirement

Likeness = Literal["same", "like"]

_SECONDS = {"MINUTES": 60, "HOURS": 3_600, "DAYS": 86_400}
#: Validities that differ by more than these seconds and a tenth belong to different requests: a
#: service may round them to whole days.
_VALIDITY_SLACK = 86_400


@dataclass(frozen=True, repr=False)
class Text:
    """What the details of an activity show of its request; compares by meaning.

    The service may change spaces and the form of accents; the order of requirements doesn't matter.
    """

    description: str
    requirements: frozenset[tuple[str, frozenset[str]]]


def text_of(description: str | None, requirements: Iterable[Requirement]) -> Text:
    """Return the text of a request, or of an activity's details."""
    return Text(
        plain_message(description or ""),
        frozenset(
            (each.code or "", frozenset(item.code or "" for item in each.items or ()))
            for each in requirements
        ),
    )


def plain_message(description: str) -> str:
    """Return a message in composed form and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", description).split())


def validity_seconds(time_unit: str | None, amount: Decimal | None) -> float | None:
    """Return how long an activity stays valid; None when the unit is not known."""
    if time_unit not in _SECONDS or amount is None:
        return None
    return _SECONDS[time_unit] * float(amount)


@dataclass(frozen=True)
class Call:
    """A call whose activity is looked for. ``certain``: the answer was 201.

    ``sent_at``, ``ended_at``: by the service's clock. ``receiver``: the phone number. ``validity``: in
    seconds, None when it is not known.
    """

    request_id: str
    text: Text
    receiver: str
    validity: float | None
    sent_at: datetime
    ended_at: datetime
    certain: bool

    def takes_effect_before(self, rules: Rules) -> datetime:
        """Return the moment after which the call has taken effect or never will."""
        return self.ended_at if self.certain else self.ended_at + rules.settle

    def window(self, rules: Rules) -> tuple[datetime, datetime]:
        """Return the first and the last instant at which its activity can have been created."""
        return self.sent_at - rules.tolerance, self.takes_effect_before(rules) + rules.tolerance


@dataclass(frozen=True)
class Candidate:
    """An outbound activity without a request. ``text``: None when its details can't be read.

    ``validity``: in seconds, None when it is not known.
    """

    activity_id: str
    created_at: datetime
    status: str | None
    text: Text | None
    validity: float | None

    def likeness(self, call: Call) -> Likeness | None:
        """Return how much it resembles what the call asked for; None: not at all."""
        if self.text is None:
            return "like"
        if self.text == call.text:
            return "same"
        same_requirements = self.text.requirements == call.text.requirements != frozenset()
        same_message = self.text.description == call.text.description
        return "like" if same_requirements or same_message else None


@dataclass(frozen=True)
class Evidence:
    """What the list showed ``at`` an instant of the service's clock.

    ``complete``: every day was verified and every row could be read, so that what is not here is absent.
    """

    candidates: Sequence[Candidate]
    complete: bool
    at: datetime


@dataclass(frozen=True)
class Verdict:
    """Activities by call, calls without effect, and the candidates of each call that stays open."""

    linked: dict[str, str]
    absent: set[str]
    open: dict[str, list[Candidate]]


def decide(calls: Sequence[Call], evidence: Evidence, rules: Rules) -> Verdict:
    """Find the activity of each call. Incomplete evidence shows no call to be without effect."""
    linked: dict[str, str] = {}
    absent: set[str] = set()
    for cluster in _clusters(calls, rules):
        found, without_effect = _match(cluster, evidence, rules)
        linked |= found
        absent |= without_effect
    taken = set(linked.values())
    free = [each for each in evidence.candidates if each.activity_id not in taken]
    near = {
        call.request_id: _near(call, free, rules) for call in calls if call.request_id not in linked
    }
    # A candidate that merely resembles the call forbids sending it again.
    absent = {request_id for request_id in absent if not near[request_id]}
    still_open = {name: found for name, found in near.items() if name not in absent}
    return Verdict(linked, absent, still_open)


def _clusters(calls: Sequence[Call], rules: Rules) -> Iterator[list[Call]]:
    """Group the calls with the same text whose windows overlap: their activities may be confused."""
    by_text: defaultdict[Text, list[Call]] = defaultdict(list)
    for call in sorted(calls, key=lambda call: call.sent_at):
        by_text[call.text].append(call)
    for same in by_text.values():
        cluster: list[Call] = []
        end = same[0].sent_at
        for call in same:
            begin, until = call.window(rules)
            if cluster and begin > end:
                yield cluster
                cluster = []
            cluster.append(call)
            end = max(end, until)
        yield cluster


def _match(
    cluster: Sequence[Call], evidence: Evidence, rules: Rules
) -> tuple[dict[str, str], set[str]]:
    """Return the links of a cluster and its calls without effect, where the numbers allow one way only.

    As many activities as calls: all took effect, in their order. As many as calls answered 201, when
    it is too late for the others to take effect: those had none.
    """
    begin = min(call.window(rules)[0] for call in cluster)
    end = max(call.window(rules)[1] for call in cluster)
    found = sorted(
        (
            each
            for each in evidence.candidates
            if each.text == cluster[0].text and begin <= each.created_at <= end
        ),
        key=lambda each: each.created_at,
    )
    certain = [call for call in cluster if call.certain]
    over = all(evidence.at > call.takes_effect_before(rules) for call in cluster)
    if len(found) == len(cluster):
        pairs = list(zip(cluster, found, strict=True))
    elif len(found) == len(certain) and evidence.complete and over:
        pairs = list(zip(certain, found, strict=True))
    else:
        return {}, set()
    if not _consistent(pairs, rules) or not _in_order([call for call, _ in pairs], rules):
        return {}, set()
    linked = {}
    for place, (call, candidate) in enumerate(pairs):
        neighbours = pairs[max(place - 1, 0) : place] + pairs[place + 1 : place + 2]
        if all(_told_apart((call, candidate), other) for other in neighbours):
            linked[call.request_id] = candidate.activity_id
    paired = {call.request_id for call, _ in pairs}
    return linked, {call.request_id for call in cluster if call.request_id not in paired}


def _consistent(pairs: Sequence[tuple[Call, Candidate]], rules: Rules) -> bool:
    """Whether each pair is possible, and one difference between the clocks explains all pairs."""
    for call, candidate in pairs:
        begin, end = call.window(rules)
        if not begin <= candidate.created_at <= end or not _validities_fit(call, candidate):
            return False
    # No activity is created before its call begins, and none of a certain call after its end.
    most = min((made.created_at - call.sent_at for call, made in pairs), default=timedelta())
    least = max(
        (made.created_at - call.ended_at for call, made in pairs if call.certain), default=most
    )
    return least <= most + rules.jitter


def _validities_fit(call: Call, candidate: Candidate) -> bool:
    if call.validity is None or candidate.validity is None:
        return True
    return abs(call.validity - candidate.validity) <= _VALIDITY_SLACK + call.validity / 10


def _in_order(calls: Sequence[Call], rules: Rules) -> bool:
    """Whether the activities were created in the order of their calls; for one receiver it is equal.

    A call without a clear answer may take effect after the calls that followed it.
    """
    return len({call.receiver for call in calls}) == 1 or all(
        call.takes_effect_before(rules) <= following.sent_at for call, following in pairwise(calls)
    )


def _told_apart(one: tuple[Call, Candidate], other: tuple[Call, Candidate]) -> bool:
    """Whether the instants or the receivers show which activity belongs to which call."""
    return one[1].created_at != other[1].created_at or one[0].receiver == other[0].receiver


def _near(call: Call, free: Iterable[Candidate], rules: Rules) -> list[Candidate]:
    """Return what may be the activity of a call, also if a clock were wrong by ``rules.doubt``."""
    begin, end = call.window(rules)
    doubtful = call.sent_at - rules.doubt
    return [
        each
        for each in free
        if (likeness := each.likeness(call)) is not None
        and (
            begin <= each.created_at <= end or (likeness == "same" and each.created_at >= doubtful)
        )
    ]
