"""Habits of answers: transformations, which can be put on top of each other.

A `Change` gets a request and a function that answers it, and returns the answer. Put some in force by
``state.set_faults(rule(*changes))``: each of them changes the answers of the one before it. Where only
some activities are meant, a draw from their ids decides, so that they stay the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from functools import reduce
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from pipeline.sandbox import Answer, Asked, FaultRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.sandbox import SandboxState

AnswerOf: TypeAlias = Callable[[Asked], Answer]
Change: TypeAlias = Callable[[Asked, AnswerOf], Answer]
Row: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[Row]
Chosen: TypeAlias = Callable[[str], bool]

MINUTE_MS, HOUR_MS, DAY_MS = 60_000, 3_600_000, 86_400_000

#: The fields of the details that the interface declares required, without the id (docs/service.md 2.6).
REQUIRED = (
    "type", "type_name", "in_out_bound", "description", "status", "notification_message",
    "time_zone", "valid_until", "attended_at", "completed_at", "expires_at", "created_at", "updated_at",
)  # fmt: skip

#: Fields of rules for answers that are no good: half the JSON is `CUT_JSON`; a web page with 200.
WEB_PAGE: dict[str, Any] = {
    **{"kind": "status", "status": 200, "content_type": "text/html"},
    "body": "<!doctype html><title>Please wait</title><h1>The service is being maintained</h1>\n",
}


def rule(*changes: Change) -> FaultRule:
    """Return the rule that applies these changes, the first one next to the service."""
    return FaultRule(kind="change", change=together(*changes))


def together(*changes: Change) -> Change:
    """Return one change that makes these, the first one next to the service."""
    return lambda asked, answer_of: reduce(_changed, changes, answer_of)(asked)


def _changed(answer_of: AnswerOf, change: Change) -> AnswerOf:
    # Of one request: changes that read all pages, on top of each other, would ask for the same without end.
    known: dict[tuple[str, str | None], Answer] = {}

    def answer(asked: Asked) -> Answer:
        key = asked.query, asked.activity_id
        if key not in known:
            known[key] = change(asked, answer_of)
        return known[key]

    return answer


def some(random: Random) -> Chosen:
    """Choose some of all ids, or all; the same ones each time."""
    share = random.choice((0.2, 0.5, 1.0))
    return share_of_ids(share, random.randrange(100)) if share < 1 else every


def every(_: str) -> bool:
    """Choose all ids."""
    return True


def share_of_ids(share: float, seed: int) -> Chosen:
    """Choose about this share of all ids; the same ones each time."""
    return lambda name: Random(f"{seed}:{name}").random() < share


def younger_than(state: SandboxState, milliseconds: int) -> Chosen:
    """Choose what was created so short a time ago."""
    return lambda name: created_at(state, name) > state.clock.now() - milliseconds


def created_at(state: SandboxState, name: str) -> int:
    """Return when an activity was created, in epoch milliseconds: that never changes. Unknown: 0."""
    activity = state.world.activities.get(name.lower())
    return activity.created_at if activity else 0


# Of any operation.


def instead(meant: Callable[[Asked], object], change: Change) -> Change:
    """Make a change for those requests only that are meant."""
    return lambda asked, answer_of: change(asked, answer_of) if meant(asked) else answer_of(asked)


def refused(status: int, body: bytes = b'{"error": "no"}') -> Change:
    """Answer this status."""
    return lambda _, __: Answer(status, body)


def bodies(operation: str, change_body: Callable[[Asked, Row], Row]) -> Change:
    """Change the body of each good answer of an operation, given the request."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        if asked.operation != operation or answer.status != 200:
            return answer
        return as_answer(change_body(asked, msgspec.json.decode(answer.body)))

    return change


def half(asked: Asked, answer_of: AnswerOf) -> Answer:
    """Answer with half of the body."""
    found = answer_of(asked)
    return msgspec.structs.replace(found, body=found.body[: len(found.body) // 2])


CUT_JSON: dict[str, Any] = {"kind": "change", "change": half}


def cached(operation: str, now: Callable[[], int] = lambda: 0, most_ms: int = 0) -> Change:
    """Answer each address as it was answered before, for so long by this clock; without one for ever."""
    kept: dict[tuple[str, str | None], tuple[int, Answer]] = {}

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        address = asked.query, asked.activity_id
        if address not in kept or now() - kept[address][0] > most_ms:
            answer = answer_of(asked)
            if answer.status != 200:
                return answer
            kept[address] = now(), answer
        return kept[address][1]

    return instead(lambda asked: asked.operation == operation, change)


@contextmanager
def ago(state: SandboxState, milliseconds: int) -> Iterator[None]:
    """Let it be so long ago at the service."""
    now, frozen = state.clock.now(), state.clock.frozen
    state.clock.set(max(0, now - milliseconds), frozen=True)
    try:
        yield
    finally:
        state.clock.set(now, frozen=frozen)


def lagging(state: SandboxState, operation: str, behind_ms: int) -> Change:
    """Answer as it was so long ago."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        with ago(state, behind_ms):
            return answer_of(asked)

    return instead(lambda asked: asked.operation == operation, change)


def clock_moves(state: SandboxState, milliseconds: int) -> Change:
    """Move the service's clock on with each request."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        state.set_clock(advance_ms=milliseconds)
        return answer_of(asked)

    return change


def some_answers(change: Change, first: int, last: int) -> Change:
    """Apply a change to the requests from one number to another only, counted from now on."""
    seen = 0

    def meant(asked: Asked) -> bool:
        nonlocal seen
        seen += asked.operation in ("list", "details")
        return first <= seen <= last

    return instead(meant, change)


def restless(seed: int) -> Change:
    """Answer the same in another form each time: keys in another order, signed addresses, news beside."""
    random = Random(seed)

    def restated(value: Any) -> Any:
        if isinstance(value, list):
            return [restated(each) for each in value]
        if not isinstance(value, dict):
            return value
        members = [(name, restated(each)) for name, each in value.items()]
        random.shuffle(members)
        made = dict(members)
        if isinstance(made.get("avatar"), str):
            made["avatar"] = f"{made['avatar']}?signature={random.random()}"
        return made

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        if asked.operation not in ("list", "details") or answer.status != 200:
            return answer
        body = restated(msgspec.json.decode(answer.body))
        for each in body["data"] if asked.operation == "list" else [body]:
            each["served_at"] = random.randrange(10**12)
        return as_answer(body)

    return change


# Details.


def details_of(chosen: Chosen) -> Callable[[Asked], bool]:
    """Mean the requests for details of the chosen activities."""
    return lambda asked: asked.operation == "details" and chosen(asked.activity_id or "")


def details(chosen: Chosen, change_body: Callable[[Row], Row]) -> Change:
    """Change the details of the chosen activities."""
    return instead(details_of(chosen), bodies("details", lambda _, body: change_body(body)))


def details_changed(change_body: Callable[[Row], Row], **conditions: Any) -> FaultRule:
    """Change the details of every activity, or of those that ``conditions`` of the rule name."""
    change = details(every, change_body)
    return FaultRule(kind="change", operation="details", change=change, **conditions)


def mixed_up(chosen: Chosen, other: str) -> Change:
    """Answer the details of another activity."""
    return instead(
        details_of(chosen),
        lambda asked, answer_of: answer_of(msgspec.structs.replace(asked, activity_id=other)),
    )


def details_refused(chosen: Chosen, status: int) -> Change:
    """Answer the details of the chosen activities with this status."""
    return instead(details_of(chosen), refused(status))


def refused_by(status: int) -> Change:
    """Refuse details by this status instead of 403."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        is_refused = asked.operation == "details" and answer.status == 403
        return Answer(status, b'{"error": "no"}') if is_refused else answer

    return change


def instant_ms(value: Any) -> int:
    """Return epoch milliseconds of a number, a text, an object that holds one, or nothing (0)."""
    while isinstance(value, dict):
        (value,) = value.values()
    return int(value or 0)


def as_answer(value: object) -> Answer:
    """Return an answer with this body."""
    return Answer(200, msgspec.json.encode(value))
