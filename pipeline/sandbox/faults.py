"""Rules that change how chosen requests are answered: faults, delays, changed answers."""

from __future__ import annotations

import email.utils
import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec.structs import replace

from .answers import HTML, JSON, Answer, Refused

if TYPE_CHECKING:
    from .behaviour import Behaviour

Operation = Literal["login", "list", "details", "create", "any"]
FaultKind = Literal[
    "status", "reset", "reset_body", "cut_json", "html", "wrong_content_type", "empty", "body",
    "change", "latency", "hang", "expired_token",
]  # fmt: skip
# These need the service's own answer; the others replace it.
_NEED_AN_ANSWER: Final = {"reset_body", "cut_json", "wrong_content_type", "change", "expired_token"}
_PAGE: Final = (
    b"<!doctype html><html><head><title>Please wait</title></head>"
    b"<body><h1>The service is being maintained</h1></body></html>\n"
)


class FaultRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happens, and to which requests.

    What happens (`kind`):

    - `status`: the answer is `status` (500 by default), with `body` if given; `retry_after`
      seconds are sent as `Retry-After`, as seconds or as an HTTP `date`.
    - `reset`: the connection is reset (RST) before an answer; `reset_body`: in its middle.
    - `cut_json`: the JSON ends half-way; `html`: a web page with 200; `wrong_content_type`: the
      right body as text/plain; `empty`: 200 without a body; `body`: 200 (or `status`) with `body`.
    - `change`: the answer is `change(asked, answer_of)`, in process only. `answer_of` gives the
      service's own answer to the request, or to a changed one, as often as it is called.
    - `latency`: `latency_ms`, then the ordinary answer, or that of the next rule.
    - `hang`: no answer, ever; it ends when the caller leaves.
    - `expired_token`: a login gets a token that expired a second ago; nothing else changes.

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
    status: Annotated[int, msgspec.Meta(ge=200, le=599)] | None = None
    retry_after: Annotated[float, msgspec.Meta(ge=0)] | None = None
    retry_after_form: Literal["seconds", "date"] = "seconds"
    latency_ms: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    body: str | None = None
    # Callable[[Asked, Callable[[Asked], Answer]], Answer], which msgspec can't check.
    change: Any = None

    def __post_init__(self) -> None:
        if self.id is not None and self.operation != "details":
            raise ValueError("`id` needs operation `details`")
        if self.kind == "body" and self.body is None:
            raise ValueError("kind `body` needs `body`")
        if (self.kind == "change") != callable(self.change):
            raise ValueError("kind `change`, and no other, needs a function `change`")
        if (self.kind == "latency") != (self.latency_ms > 0):
            raise ValueError("kind `latency`, and no other, needs `latency_ms`")

    @property
    def needs_an_answer(self) -> bool:
        """Whether the service must do what is asked before this happens."""
        return self.after_effect or self.kind in _NEED_AN_ANSWER


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
        attempt = 0
        if rule.first_attempts is not None or rule.rate < 1:
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


def spoiled(rule: FaultRule, answer: Answer | None, behaviour: Behaviour, now: int) -> Answer:
    """Return the answer that a rule gives in place of the service's own one, where it had one."""
    if rule.kind == "status":
        return _status_answer(rule, behaviour, now)
    if rule.kind == "html":
        return Answer(rule.status or 200, _PAGE, HTML)
    if rule.kind in ("empty", "body"):
        return Answer(rule.status or 200, (rule.body or "").encode())
    assert answer is not None  # noqa: S101  # all others need one
    if rule.kind == "cut_json":
        return replace(answer, body=answer.body[: len(answer.body) // 2])
    if rule.kind == "wrong_content_type":
        return replace(answer, content_type="text/plain")
    return answer


def _status_answer(rule: FaultRule, behaviour: Behaviour, now: int) -> Answer:
    status = rule.status or 500
    headers = {}
    if rule.retry_after is not None:
        headers["Retry-After"] = f"{rule.retry_after:g}"
        if rule.retry_after_form == "date":
            # From the stated time, which may be skewed: the caller can only compare with that.
            until = (now + behaviour.date_skew_ms) / 1000 + rule.retry_after
            headers["Retry-After"] = email.utils.formatdate(until, usegmt=True)
    if rule.body is not None:
        return Answer(status, rule.body.encode(), JSON, headers)
    message = "an unexpected error happened during processing" if status >= 500 else "not now"
    return Refused(status, message, headers).answer(behaviour, now)
