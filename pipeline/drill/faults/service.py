"""Faults of the service: wrong answers, logins that fail, bad bodies, and changes while it is read."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from pipeline.drill.runs import Missed
from pipeline.drill.trial import ACTIVITIES, Fault, Trial
from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pipeline.drill.runs import End
    from pipeline.sandbox import SandboxState
    from pipeline.sandbox.faults import FaultKind

    Play = Callable[[Trial], str]


#: Rules with these numbers begin with the 31st details request and do not end.
_FROM_31: dict[str, Any] = {"operation": "details", "numbers": tuple(range(31, 10_000))}

_HOUR_MS = 3_600_000

_DEEP = b"[" * 1000 + b"]" * 1000
_WRONG = (
    b'{"id":"%s","status":{"a":1}}',
    b'{"id":"%s","timeline":"none"}',
    b'{"id":"%s","valid_until":1e300}',
    b'{"id":"%s","created_at":"year 10000"}',
    b'{"id":"%s","accepted_requirements":[{"data":{"value":' + _DEEP + b'},"code":7}]}',
    b'["%s"]',
)
_ROW = b'{"id":"../../%s","type":"AT_001","status":"SENT","created_at":1743000000000}'

_INSERTED = 6
_HALF = ACTIVITIES // 2


def spoil(kind: FaultKind, job: Mapping[str, Any] | None = None, **rule: Any) -> Play:
    """Return a play of one run while the service spoils answers by this rule.

    ``job``: fields of the run's ``Job`` that differ from a plain run.
    """

    def play(trial: Trial) -> str:
        trial.state.set_faults(FaultRule(kind=kind, **rule))
        ended = trial.run(**(job or {}))
        (reading,) = trial.state.faults()
        if not reading.fired:
            raise Missed("no request met the fault")
        # The service counts these answers as good ones. Such rules must hit details only.
        if kind in ("html", "empty", "cut_json"):
            trial.needed += reading.fired
        # Before the client calls ten failures in a row an outage, it asks for one more activity.
        trial.repeatable += reading.fired // 10
        return f"{reading.fired} answers spoiled; {ended}; {trial.progress()}"

    return play


def _log_in(play: Callable[[Trial], End], least: int = 2) -> Play:
    """Return a play that needs so many logins, because tokens end during the run."""

    def counted(trial: Trial) -> str:
        ended, logins = play(trial), trial.state.counters().logins
        if logins < least:
            raise Missed(f"{logins} logins: no token ended during the run")
        return f"{ended}; {logins} login{'s' * (logins > 1)}"

    return counted


def _revoke(trial: Trial) -> End:
    return trial.while_held("details", _HALF, trial.state.revoke_tokens)


def _behave(**behaviour: Any) -> Callable[[Trial], End]:
    """Return a run of a service that behaves so."""

    def play(trial: Trial) -> End:
        trial.state.change_behaviour(**behaviour)
        return trial.run()

    return play


def _skew(ahead_ms: int) -> Play:
    behave = _behave(date_skew_ms=ahead_ms, token_skew_ms=ahead_ms, token_seconds=900)
    return _log_in(behave, least=1)


def _refuse(trial: Trial) -> str:
    wrong = replace(trial.job.credentials, password="wrong")  # noqa: S106
    ended = trial.run(credentials=wrong)
    asked = trial.state.counters().by_operation["login"]
    if asked != 1:
        raise Missed(f"{asked} attempts to log in with refused credentials")
    return f"one attempt; {ended}"


def _describe(description: str) -> Play:
    """Return a play in which one activity has this description."""

    def play(trial: Trial) -> str:
        trial.state.edit(trial.state.ids()[0], description=description)
        return f"{len(description):,} characters; {trial.run()}; {trial.progress()}"

    return play


def _send(part: Literal["row", "details"], bodies: Sequence[bytes]) -> Play:
    """Return a play in which some activities have these bad rows or details.

    The bad bodies and no others must be in quarantine. Then they are good again.
    """

    def play(trial: Trial) -> str:
        names = trial.state.ids()[3:60:9][: len(bodies)]
        for name, body in zip(names, bodies, strict=True):
            trial.state.replace_payload(name, **{part: body.replace(b"%s", name.encode())})
        if part == "details":
            trial.needed += len(names)  # the good ones are fetched later
        ended = trial.run()
        held = trial.value("select count(*) from sync.quarantine where resolved_at is null")
        for name in names:
            trial.state.replace_payload(name)
        if (held, trial.stored()) != (len(names), ACTIVITIES - len(names)):
            raise Missed(f"{held} in quarantine for {len(names)} bad ones; {trial.progress()}")
        return f"{ended}; {held} in quarantine, {trial.progress()}"

    return play


def _insert(trial: Trial) -> str:
    """Insert rows before list requests, so that the pages shift."""
    trial.state.change_behaviour(shift_every=2, shift_kind="insert", shift_times=_INSERTED)
    # The deadline of one of them has just passed on the service's clock: each run fetches it. One that
    # some answers list and others do not is fetched as a witness, and again when its day lists it.
    trial.needed += 2 * _INSERTED + 1
    return f"{_INSERTED} inserted; {trial.run(walks=1)}; {trial.progress()}"


def _touch(every: int, touch: Callable[[SandboxState, str], object], again: int) -> Play:
    """Return a play that changes activities after the list was read: half of them were fetched.

    ``again``: how often each of them is fetched once more.
    """

    def play(trial: Trial) -> str:
        names = trial.state.ids()[::every]
        trial.needed += again * len(names)

        def touch_all() -> None:
            for name in names:
                touch(trial.state, name)

        return f"{len(names)} changed; {trial.while_held('details', _HALF, touch_all, workers=1)}"

    return play


_fail = partial(spoil, "status")

_LIMIT = _fail(status=429, retry_after=30, first_attempts=1)
_HANG = spoil("hang", {"answer_within": 0.2}, first_attempts=1, requests=8)
_GIVE_EXPIRED = spoil("expired_token", operation="login", requests=1)
# Each request moves the service's clock on by a tenth of a second.
_SHORT_LIVED = _behave(token_seconds=2, request_ms=100)
_WRONG_TYPES = _send("details", _WRONG)
_CHANGE = _touch(6, lambda state, name: state.enter_status(name, "DECLINED"), again=1)
# The details of some are refused.
_DELETE = _touch(15, lambda state, name: state.delete(name), again=0)

FAULTS = (
    Fault("errors-10-percent", "one answer in ten is 500", _fail(status=500, rate=0.1)),
    Fault("errors-30-percent", "3 answers in 10 are 500", _fail(status=500, rate=0.3)),
    Fault("first-two-attempts", "each request fails twice", _fail(status=502, first_attempts=2)),
    Fault("rate-limited", "each request is asked once to wait (429, Retry-After)", _LIMIT),
    Fault("outage", "503 from the 31st details on", _fail(status=503, **_FROM_31)),
    Fault("list-fails", "the list is always 504", _fail(status=504, operation="list")),
    Fault("no-answer", "some requests are never answered", _HANG),
    Fault("reset-before-answer", "connections reset before the answer", spoil("reset", rate=0.3)),
    Fault("reset-in-answer", "connections reset in the answer", spoil("reset_body", rate=0.3)),
    Fault("cut-json", "bodies end half-way", spoil("cut_json", operation="details", rate=0.3)),
    Fault("maintenance-page", "web pages from the 31st details", spoil("html", **_FROM_31)),
    Fault("wrong-content-type", "all answers are text/plain", spoil("wrong_content_type")),
    Fault("token-revoked", "every token is revoked during the run", _log_in(_revoke)),
    Fault("token-of-2-seconds", "tokens live for two seconds", _log_in(_SHORT_LIVED, least=3)),
    Fault("token-born-expired", "the first token has expired when it arrives", _GIVE_EXPIRED),
    Fault("clock-ahead", "the service's clock is an hour ahead", _skew(_HOUR_MS)),
    Fault("clock-behind", "the service's clock is an hour behind", _skew(-_HOUR_MS)),
    Fault("credentials-refused", "the password is wrong", _refuse),
    Fault("nul", "a text contains NUL characters", _describe("before\0after\0")),
    Fault("20-mb-value", "a text of 20 MB", _describe("20 MB " * (20 * 2**20 // 6))),
    Fault("wrong-types", "six details of wrong types, too deep, out of range", _WRONG_TYPES),
    Fault("ids-with-paths", "three rows whose ids are paths", _send("row", [_ROW] * 3)),
    Fault("inserted-while-walked", "rows appear while the list is read", _insert),
    Fault("changed-while-fetched", "statuses change between list and details", _CHANGE),
    Fault("deleted-while-fetched", "activities vanish between list and details", _DELETE),
)
