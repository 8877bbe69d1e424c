"""What is known of calls and of activities that the list shows (docs/authorizations.md "Recognition")."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pipeline.authorizations.likeness import Likeness, Text, likeness


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

    call: Call
    created_at: datetime
    likeness: Likeness

    @property
    def offset(self) -> tuple[float, float]:
        """The least and the most seconds by which the clock of creation can be ahead."""
        call = self.call
        return seconds(self.created_at, call.ended_at), seconds(self.created_at, call.sent_at)


@dataclass(frozen=True)
class Evidence:
    """What the list showed ``at`` an instant of the service's clock.

    ``complete``: every day was verified and every row could be read, so that what is not here is absent.
    ``owners``: the numbers that a counterpart is known by. ``proofs``: earlier calls of about that time.
    """

    candidates: Sequence[Candidate]
    complete: bool
    at: datetime
    owners: Mapping[str, Collection[str]]
    proofs: Sequence[Proof] = ()


def resemblance(call: Call, candidate: Candidate, evidence: Evidence) -> Likeness | None:
    """Return how much a candidate resembles a call; None: it is not its activity."""
    if candidate.text is None or is_anothers(call, candidate, evidence):
        return None
    return likeness(call.text, candidate.text)


def is_anothers(call: Call, candidate: Candidate, evidence: Evidence) -> bool:
    """Return whether the counterpart is known by other numbers, and not by this one."""
    numbers = evidence.owners.get(candidate.counterpart or "", ())
    return bool(numbers) and call.number not in numbers


def seconds(later: datetime, earlier: datetime) -> float:
    """Return by how many seconds ``later`` is after ``earlier``."""
    return (later - earlier) / timedelta(seconds=1)
