"""Faults of the session: tokens that end, clocks that differ, credentials that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.drill.runs import Missed
from pipeline.drill.trial import ACTIVITIES, Fault, Trial
from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.drill.runs import End

_HOUR_MS = 3_600_000


def _revoke(trial: Trial) -> str:
    ended = trial.while_held("details", ACTIVITIES // 2, trial.state.revoke_tokens)
    return _count_logins(trial, ended, least=2)


def _give_expired_token(trial: Trial) -> str:
    trial.state.set_faults(FaultRule(kind="expired_token", operation="login", requests=1))
    return _count_logins(trial, trial.run(), least=2)


def _behave(least: int, **behaviour: Any) -> Callable[[Trial], str]:
    """Return a play of one run of a service that behaves so, with at least so many logins."""

    def play(trial: Trial) -> str:
        trial.state.change_behaviour(**behaviour)
        return _count_logins(trial, trial.run(), least)

    return play


def _skew(ahead_ms: int) -> Callable[[Trial], str]:
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


FAULTS = (
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
)
