"""Misbehaviours of a service: transformations of its answers, which can be put on top of each other.

A `Change` gets a request and a function that answers it, and returns the answer. Put some in force by
``state.set_faults(rule(*changes))``: each of them changes the answers of the one before it. Where only
some activities are meant, a draw from their ids decides, so that they stay the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from pipeline.sandbox import Answer, Asked, FaultRule

if TYPE_CHECKING:
    from pipeline.sandbox import SandboxState

AnswerOf: TypeAlias = Callable[[Asked], Answer]
Change: TypeAlias = Callable[[Asked, AnswerOf], Answer]
Row: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[Row]
Chosen: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True)
class Misbehaviour:
    """What the service does wrong for a while.

    ``hides``: activities that no way of asking the list shows. ``bends``: whether it tells untrue
    things of counterparts. ``blackout``: whether it is so much that a run may end 1 for it, and that
    nothing may look deleted. ``restless``: whether addresses change with each answer.
    ``bearable``: whether every day can be read all the same, though activities may be in quarantine.
    ``last``: whether it comes after all others: of what these leave, it cuts off the rest. ``moves``:
    whether rows tell another creation. ``refuses``: whether it refuses requests before others see them.
    """

    name: str
    changes: tuple[Change, ...] = ()
    rules: tuple[FaultRule, ...] = ()
    hides: Callable[[str], bool] = lambda _: False
    bends: bool = False
    blackout: bool = False
    restless: bool = False
    bearable: bool = False
    last: bool = False
    moves: bool = False
    refuses: bool = False
    skew_ms: int = 0


MINUTE_MS, HOUR_MS, DAY_MS = 60_000, 3_600_000, 86_400_000

#: The fields of the details that the interface declares required, without the id (docs/service.md 2.6).
REQUIRED = (
    "type", "type_name", "in_out_bound", "description", "status", "notification_message",
    "time_zone", "valid_until", "attended_at", "completed_at", "expires_at", "created_at", "updated_at",
)  # fmt: skip


def rule(*changes: Change) -> FaultRule:
    """Return the rule that applies these changes, the first one next to the service."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        for each in changes:
            answer_of = _changed(each, answer_of)
        return answer_of(asked)

    return FaultRule(kind="change", change=change)


def _changed(change: Change, answer_of: AnswerOf) -> AnswerOf:
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


# Details.


def details(chosen: Chosen, change_body: Callable[[Row], Row]) -> Change:
    """Change the details of the chosen activities."""
    return bodies(
        "details",
        lambda asked, body: change_body(body) if chosen(asked.activity_id or "") else body,
    )


def error_bodies(chosen: Chosen) -> Change:
    """Answer details with 200 and an error."""
    return details(chosen, lambda body: {"id": body["id"], "error": "try again later"})


def fields_lost(chosen: Chosen, *names: str) -> Change:
    """Leave out these fields of the details."""
    return details(chosen, lambda body: {name: body[name] for name in body if name not in names})


def mixed_up(chosen: Chosen, other: str) -> Change:
    """Answer the details of another activity."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        if asked.operation == "details" and chosen(asked.activity_id or ""):
            return answer_of(msgspec.structs.replace(asked, activity_id=other))
        return answer_of(asked)

    return change


def cut(chosen: Chosen) -> Change:
    """Answer half of the details."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        if asked.operation == "details" and chosen(asked.activity_id or ""):
            return half(asked, answer_of)
        return answer_of(asked)

    return change


def details_refused(chosen: Chosen, status: int) -> Change:
    """Answer the details of the chosen activities with this status."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        if asked.operation == "details" and chosen(asked.activity_id or ""):
            return Answer(status, b'{"error": "no"}')
        return answer_of(asked)

    return change


def refused_by(status: int) -> Change:
    """Refuse details by this status instead of 403."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        is_refused = asked.operation == "details" and answer.status == 403
        return Answer(status, b'{"error": "no"}') if is_refused else answer

    return change


# Both.


def cached(operation: str) -> Change:
    """Answer each address as it was answered the first time."""
    kept: dict[tuple[str, str | None], Answer] = {}

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        if asked.operation != operation:
            return answer_of(asked)
        address = asked.query, asked.activity_id
        if address not in kept:
            answer = answer_of(asked)
            if answer.status != 200:
                return answer
            kept[address] = answer
        return kept[address]

    return change


def lagging(state: SandboxState, operation: str, behind_ms: int) -> Change:
    """Answer as it was so long ago."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        if asked.operation != operation:
            return answer_of(asked)
        now, frozen = state.clock.now(), state.clock.frozen
        state.clock.set(max(0, now - behind_ms), frozen=True)
        try:
            return answer_of(asked)
        finally:
            state.clock.set(now, frozen=frozen)

    return change


def some_answers(change: Change, first: int, last: int) -> Change:
    """Apply a change to the requests from one number to another only, counted from now on."""
    seen = 0

    def changed(asked: Asked, answer_of: AnswerOf) -> Answer:
        nonlocal seen
        if asked.operation in ("list", "details"):
            seen += 1
        return change(asked, answer_of) if first <= seen <= last else answer_of(asked)

    return changed


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


def instant_ms(value: Any) -> int:
    """Return epoch milliseconds of a number, a text, an object that holds one, or nothing (0)."""
    while isinstance(value, dict):
        (value,) = value.values()
    return int(value or 0)


def creations(state: SandboxState) -> Callable[[str], int]:
    """Return what tells when an activity was created, in epoch milliseconds: that never changes."""
    return cache(lambda name: instant_ms(state.truth_of(name).row_fields()["created_at"]))


def as_answer(value: object) -> Answer:
    """Return an answer with this body."""
    return Answer(200, msgspec.json.encode(value))
