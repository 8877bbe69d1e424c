"""Rules that change how chosen requests are answered: faults, delays, changed answers."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Annotated, Any, Literal

import msgspec

from .answers import JSON, Answer, Refused

Operation = Literal["login", "list", "details", "create", "any"]
FaultKind = Literal["status", "reset", "reset_body", "change", "latency", "hang"]


class FaultRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happens, and to which requests.

    What happens (`kind`):

    - `status`: the answer is `status` (500 by default), with `body` and `content_type` if given;
      `retry_after` seconds are sent as `Retry-After`.
    - `reset`: the connection is reset (RST) before an answer; `reset_body`: in its middle.
    - `change`: the answer is `change(asked, answer_of)`, in process only. `answer_of` gives the
      service's own answer to the request, or to a changed one, as often as it is called.
    - `latency`: `latency_ms`, then the ordinary answer, or that of the next rule.
    - `hang`: no answer, until the sandbox ends.

    To which requests: those of `operation` (and, for details, of activity `id`), counted from 1
    from the moment the rule was set. All given conditions must hold:

    - `rate`: this share of them, drawn by `seed` from each request and its attempt.
    - `first_attempts`: the first attempts of each distinct request (method, path, query).
    - `requests`: the first requests of them all; `numbers`: exactly these numbers.
    - `after_effect`: the service does what was asked first, then its answer is spoiled.
    """

    kind: FaultKind
    operation: Operation = "any"
    id: str | None = None
    rate: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0
    seed: int = 0
    first_attempts: Annotated[int, msgspec.Meta(ge=1)] | None = None
    requests: Annotated[int, msgspec.Meta(ge=1)] | None = None
    numbers: tuple[int, ...] | None = None
    after_effect: bool = False
    status: Annotated[int, msgspec.Meta(ge=200, le=599)] = 500
    retry_after: Annotated[float, msgspec.Meta(ge=0)] | None = None
    latency_ms: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    body: str | None = None
    content_type: str = JSON
    # Callable[[Asked, Callable[[Asked], Answer]], Answer], which msgspec can't check.
    change: Any = None

    def __post_init__(self) -> None:
        if self.id is not None and self.operation != "details":
            raise ValueError("`id` needs operation `details`")
        if (self.kind == "change") != callable(self.change):
            raise ValueError("kind `change`, and no other, needs a function `change`")

    def answer(self, now: int) -> Answer:
        """Return the answer of kind `status`; `now` is in epoch ms."""
        headers = {} if self.retry_after is None else {"Retry-After": f"{self.retry_after:g}"}
        if self.body is not None:
            return Answer(self.status, self.body.encode(), self.content_type, headers)
        failed = "an unexpected error happened during processing"
        return Refused(self.status, failed if self.status >= 500 else "not now", headers).answer(
            now
        )


class RuleInForce:
    """A rule, how many requests it looked at (`seen`), and how many it met (`fired`)."""

    def __init__(self, rule: FaultRule) -> None:
        # The constructor of a struct checks no value; converting does.
        self.rule = msgspec.convert(msgspec.structs.asdict(rule), FaultRule)
        self.seen = 0
        self.fired = 0
        self._attempts: Counter[str] = Counter()

    def meets(self, operation: str, activity_id: str | None, key: str) -> bool:
        """Count a request; whether the rule meets it. `key`: method, path and query."""
        rule = self.rule
        if operation == "other" or rule.operation not in ("any", operation):
            return False
        if rule.id is not None and rule.id != activity_id:
            return False
        self.seen += 1
        self._attempts[key] += 1
        attempt = self._attempts[key]
        met = (
            attempt <= (rule.first_attempts or attempt)
            and self.seen <= (rule.requests or self.seen)
            and (rule.numbers is None or self.seen in rule.numbers)
            and (rule.rate == 1 or _draw(f"{rule.seed}:{rule.kind}:{key}:{attempt}") < rule.rate)
        )
        self.fired += met
        return met


def _draw(text: str) -> float:
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).digest()
    return int.from_bytes(digest) / (1 << 48)
