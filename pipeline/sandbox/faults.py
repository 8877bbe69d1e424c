"""Fault switches: which requests go wrong, and how."""

from __future__ import annotations

import base64
import hashlib
from typing import Annotated, Literal

import msgspec

Operation = Literal["login", "list", "details", "create", "any"]
FaultKind = Literal[
    "status",
    "reset",
    "reset_body",
    "cut_body",
    "cut_json",
    "html",
    "wrong_content_type",
    "empty",
    "body",
    "latency",
    "hang",
    "expired_token",
]
# These spoil an answer of the service, so the service answers first.
NEED_AN_ANSWER = frozenset({"reset_body", "cut_body", "cut_json", "wrong_content_type"})


class FaultRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fault and the requests it befalls.

    What happens (`kind`):

    - `status`: the answer is `status` (500 by default), with `body` if given; `retry_after`
      seconds are sent as `Retry-After`, as seconds or as an HTTP `date`.
    - `reset`: the connection is reset (RST) before an answer; `reset_body`: in its middle.
    - `cut_body`: the connection closes before the stated `Content-Length`; `cut_json`: valid
      HTTP, but the JSON ends half-way; `html`: a web page with 200; `wrong_content_type`: the
      right body as `content_type` (text/plain); `empty`: 200 without a body.
    - `body`: 200 (or `status`) with these bytes, from `body` (text) or `body_base64`.
    - `latency`: `latency_ms` plus up to `jitter_ms`, then the ordinary answer.
    - `hang`: no answer, ever; it ends when the caller leaves.
    - `expired_token`: a login gets a token that expired a second ago.

    Whom it befalls: requests of `operation` (and, for details, of activity `id`), counted from 1
    from the moment the rule was set. All given conditions must hold:

    - `rate`: this share of them, drawn by `seed` from each request and its attempt.
    - `first_attempts`: the first so many attempts of each distinct request (method, path, query).
    - `requests`: the first so many of them all; `numbers`: exactly these numbers.
    - `after_effect`: the service does what was asked first, then the fault befalls its answer.
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
    jitter_ms: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    body: str | None = None
    body_base64: str | None = None
    content_type: str | None = None

    def __post_init__(self) -> None:
        if self.id is not None and self.operation != "details":
            raise ValueError("`id` needs operation `details`")
        if self.kind == "expired_token" and self.operation != "login":
            raise ValueError("`expired_token` needs operation `login`")
        if self.kind == "body" and (self.body is None) == (self.body_base64 is None):
            raise ValueError("kind `body` needs either `body` or `body_base64`")
        if self.kind == "latency" and not self.latency_ms + self.jitter_ms > 0:
            raise ValueError("kind `latency` needs `latency_ms` or `jitter_ms`")
        self.body_bytes()

    def body_bytes(self) -> bytes:
        """Return the fixed body; ValueError when the base64 is none."""
        if self.body_base64 is not None:
            return base64.b64decode(self.body_base64, validate=True)
        return (self.body or "").encode("utf-8", "surrogatepass")

    def delay(self, draw: float) -> float:
        """Return the latency in seconds for a draw in 0..1."""
        return (self.latency_ms + self.jitter_ms * draw) / 1000


class Fired(msgspec.Struct, frozen=True):
    """A rule that befalls a request, with a draw in 0..1 for what it leaves to chance."""

    rule: FaultRule
    draw: float


class _Counted:
    """A rule and what it has seen so far."""

    def __init__(self, rule: FaultRule) -> None:
        self.rule = rule
        self.seen = 0
        self.fired = 0
        self._attempts: dict[str, int] = {}

    def meets(self, operation: str, activity_id: str | None, key: str) -> Fired | None:
        rule = self.rule
        if rule.operation not in ("any", operation) or operation == "other":
            return None
        if rule.id is not None and rule.id != activity_id:
            return None
        self.seen += 1
        attempt = 0
        if rule.first_attempts is not None or rule.rate < 1 or rule.jitter_ms:
            attempt = self._attempts.get(key, 0) + 1
            self._attempts[key] = attempt
        if rule.first_attempts is not None and attempt > rule.first_attempts:
            return None
        if rule.requests is not None and self.seen > rule.requests:
            return None
        if rule.numbers is not None and self.seen not in rule.numbers:
            return None
        draw = _draw(f"{rule.seed}:{rule.kind}:{key}:{attempt}") if attempt else 0.0
        if rule.rate < 1:
            if draw >= rule.rate:
                return None
            draw /= rule.rate
        self.fired += 1
        return Fired(rule, draw)


def _draw(text: str) -> float:
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).digest()
    return int.from_bytes(digest) / (1 << 48)


class FaultReading(msgspec.Struct, frozen=True):
    """A rule in force: how many requests it looked at, and how many it befell."""

    rule: FaultRule
    seen: int
    fired: int


class Faults:
    """The rules in force. Every latency that fires is waited for; then the first other fault."""

    def __init__(self, rules: tuple[FaultRule, ...] = ()) -> None:
        self._counted: list[_Counted] = []
        self.replace(rules)

    def replace(self, rules: tuple[FaultRule, ...]) -> None:
        """Put these rules in force instead of the former, their counts at nought."""
        self._counted = [_Counted(checked(rule)) for rule in rules]

    def add(self, rule: FaultRule) -> None:
        """Put one more rule in force, after the others."""
        self._counted.append(_Counted(checked(rule)))

    def fired(self, operation: str, activity_id: str | None, key: str) -> list[Fired]:
        """Return what befalls this request; every rule counts it."""
        if not self._counted:
            return []
        met = [counted.meets(operation, activity_id, key) for counted in self._counted]
        return [fired for fired in met if fired is not None]

    def reading(self) -> list[FaultReading]:
        """Return the rules in force with their counts."""
        return [
            FaultReading(counted.rule, counted.seen, counted.fired) for counted in self._counted
        ]


def checked(rule: FaultRule) -> FaultRule:
    """Return the rule if every value of it is allowed; msgspec.ValidationError otherwise."""
    return msgspec.convert(msgspec.structs.asdict(rule), FaultRule)
