"""Faults of the service: wrong answers, logins that fail, bad bodies, and changes while it is read."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.drill.runs import Missed
from pipeline.drill.trial import ACTIVITIES, Fault, Trial
from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.drill.runs import End
    from pipeline.sandbox.faults import FaultKind

    Play = Callable[[Trial], str]


#: Rules with these numbers begin with the 31st details request and do not end.
_FROM_31: dict[str, Any] = {"operation": "details", "numbers": tuple(range(31, 10_000))}

# The service counts these answers as good ones. Rules of these kinds must hit details only.
_SPOIL_200 = ("html", "empty", "cut_json")

_PLAIN: Mapping[str, Any] = MappingProxyType({})

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


def spoil(kind: FaultKind, job: Mapping[str, Any] = _PLAIN, **rule: Any) -> Play:
    """Return a play of one run while the service spoils answers by this rule.

    ``job``: fields of the run's ``Job`` that differ from a plain run.
    """

    def play(trial: Trial) -> str:
        trial.state.set_faults(FaultRule(kind=kind, **rule))
        ended = trial.run(**job)
        (reading,) = trial.state.faults()
        if not reading.fired:
            raise Missed("no request met the fault")
        if kind in _SPOIL_200:
            trial.needed += reading.fired
        return f"{reading.fired} answers spoiled; {ended}; {trial.progress()}"

    return play


def _revoke(trial: Trial) -> str:
    ended = trial.while_held("details", ACTIVITIES // 2, trial.state.revoke_tokens)
    return _count_logins(trial, ended, least=2)


def _give_expired_token(trial: Trial) -> str:
    trial.state.set_faults(FaultRule(kind="expired_token", operation="login", requests=1))
    return _count_logins(trial, trial.run(), least=2)


def _behave(least: int, **behaviour: Any) -> Play:
    """Return a play of one run of a service that behaves so, with at least so many logins."""

    def play(trial: Trial) -> str:
        trial.state.change_behaviour(**behaviour)
        return _count_logins(trial, trial.run(), least)

    return play


def _skew(ahead_ms: int) -> Play:
    return _behave(1, date_skew_ms=ahead_ms, token_skew_ms=ahead_ms, token_seconds=900)


def _refuse(trial: Trial) -> str:
    wrong = msgspec.structs.replace(trial.job.credentials, password="wrong")  # noqa: S106
    ended = trial.run(credentials=wrong)
    asked = trial.state.counters().by_operation["login"]
    if asked != 1:
        raise Missed(f"{asked} attempts to log in with refused credentials")
    return f"one attempt; {ended}"


def _count_logins(trial: Trial, ended: End, least: int) -> str:
    logins = trial.state.counters().logins
    if logins < least:
        raise Missed(f"{logins} logins: no token ended during the run")
    return f"{ended}; {logins} login{'s' * (logins > 1)}"


def _describe(description: str) -> Play:
    """Return a play in which one activity has this description."""

    def play(trial: Trial) -> str:
        trial.state.edit(trial.state.ids()[0], description=description)
        return f"{len(description):,} characters; {trial.run()}; {trial.progress()}"

    return play


def _wrong_types(trial: Trial) -> str:
    names = trial.state.ids()[3:60:9][: len(_WRONG)]
    for name, body in zip(names, _WRONG, strict=True):
        trial.state.replace_payload(name, details=body.replace(b"%s", name.encode()))
    # The good ones are fetched later.
    trial.needed += len(names)
    return _quarantine(trial, names)


def _ids_with_paths(trial: Trial) -> str:
    names = trial.state.ids()[5:60:20]
    for name in names:
        trial.state.replace_payload(name, row=_ROW.replace(b"%s", name.encode()))
    return _quarantine(trial, names)


def _quarantine(trial: Trial, names: list[str]) -> str:
    """Run, check that the bad bodies and no others are in quarantine, and repair them."""
    ended = trial.run()
    held = trial.value("select count(*) from sync.quarantine where resolved_at is null")
    for name in names:
        trial.state.replace_payload(name)
    if (held, trial.stored()) != (len(names), ACTIVITIES - len(names)):
        raise Missed(f"{held} in quarantine for {len(names)} bad ones; {trial.progress()}")
    return f"{ended}; {held} in quarantine, {trial.progress()}"


def _insert(trial: Trial) -> str:
    """Insert rows before list requests, so that the pages shift."""
    trial.state.change_behaviour(shift_every=2, shift_kind="insert", shift_times=_INSERTED)
    # The deadline of one of them has just passed on the service's clock: each run fetches it.
    trial.needed += _INSERTED + 1
    return f"{_INSERTED} inserted; {trial.run(walks=1)}; {trial.progress()}"


def _change(trial: Trial) -> str:
    """Change statuses after the list was read: of activities fetched already, and of others."""
    changed = trial.state.ids()[::6]
    trial.needed += len(changed)

    def change() -> None:
        for name in changed:
            trial.state.enter_status(name, "DECLINED")

    return f"{len(changed)} changed; {trial.while_held('details', _HALF, change, workers=1)}"


def _delete(trial: Trial) -> str:
    """Delete activities after the list was read: the details of some are refused."""
    deleted = trial.state.ids()[::15]

    def delete() -> None:
        for name in deleted:
            trial.state.delete(name)

    return f"{len(deleted)} deleted; {trial.while_held('details', _HALF, delete, workers=1)}"


FAULTS = (
    Fault("errors-10-percent", "one answer in ten is 500", spoil("status", status=500, rate=0.1)),
    Fault("errors-30-percent", "3 answers in 10 are 500", spoil("status", status=500, rate=0.3)),
    Fault(
        "first-two-attempts",
        "the first two attempts of each request fail with 502",
        spoil("status", status=502, first_attempts=2),
    ),
    Fault(
        "rate-limited",
        "429 with Retry-After to the first attempt of each request",
        spoil("status", status=429, retry_after=30, first_attempts=1),
    ),
    Fault("outage", "503 from the 31st details on", spoil("status", status=503, **_FROM_31)),
    Fault("list-fails", "the list is always 504", spoil("status", status=504, operation="list")),
    Fault(
        "no-answer",
        "some requests are never answered",
        spoil("hang", {"answer_within": 0.2}, first_attempts=1, requests=8),
    ),
    Fault("reset-before-answer", "connections reset before the answer", spoil("reset", rate=0.3)),
    Fault("reset-in-answer", "connections reset in the answer", spoil("reset_body", rate=0.3)),
    Fault("cut-json", "bodies end half-way", spoil("cut_json", operation="details", rate=0.3)),
    Fault(
        "maintenance-page", "web pages with 200 from the 31st details", spoil("html", **_FROM_31)
    ),
    Fault("wrong-content-type", "all answers are text/plain", spoil("wrong_content_type")),
    Fault("token-revoked", "every token is revoked during the run", _revoke),
    Fault(
        "token-of-2-seconds",
        "tokens live for two seconds",
        # Each request moves the service's clock on by a tenth of a second.
        _behave(3, token_seconds=2, request_ms=100),
    ),
    Fault("token-born-expired", "the first token has expired when it arrives", _give_expired_token),
    Fault("clock-ahead", "the service's clock is an hour ahead", _skew(_HOUR_MS)),
    Fault("clock-behind", "the service's clock is an hour behind", _skew(-_HOUR_MS)),
    Fault("credentials-refused", "the password is wrong", _refuse),
    Fault("nul", "a text contains NUL characters", _describe("before\0after\0")),
    Fault("20-mb-value", "a text of 20 MB", _describe("20 MB " * (20 * 2**20 // 6))),
    Fault("wrong-types", "six details of wrong types, too deep, out of range", _wrong_types),
    Fault("ids-with-paths", "three rows whose ids are paths", _ids_with_paths),
    Fault("inserted-while-walked", "rows appear while the list is read", _insert),
    Fault("changed-while-fetched", "statuses change between list and details", _change),
    Fault("deleted-while-fetched", "activities vanish between list and details", _delete),
)
