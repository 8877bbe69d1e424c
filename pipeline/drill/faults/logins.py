"""Faults of the session: tokens that end, clocks that differ, credentials that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pipeline.drill.child import Missed
from pipeline.drill.drill import Fault
from pipeline.drill.scene import ACTIVITIES
from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from pipeline.drill.scene import Scene

_HOUR_MS = 3_600_000


def _revoke(stage: Scene) -> str:
    ended = stage.while_held("details", ACTIVITIES // 2, stage.state.revoke_tokens)
    return f"{ended}; {_logins(stage, least=2)}"


def _short_life(stage: Scene) -> str:
    """Tokens of two seconds, while every request takes a tenth of a second of the service's time."""
    stage.state.change_behaviour(token_seconds=2, request_ms=100)
    ended = stage.run()
    return f"{ended}; {_logins(stage, least=3)}"


def _born_expired(stage: Scene) -> str:
    stage.state.set_faults(FaultRule(kind="expired_token", operation="login", requests=1))
    ended = stage.run()
    return f"{ended}; {_logins(stage, least=2)}"


def _skewed(stage: Scene, ahead_ms: int) -> str:
    stage.state.change_behaviour(date_skew_ms=ahead_ms, token_skew_ms=ahead_ms, token_seconds=900)
    ended = stage.run()
    return f"{ended}; {_logins(stage, least=1)}"


def _refused(stage: Scene) -> str:
    wrong = msgspec.structs.replace(stage.service.credentials, password="wrong")  # noqa: S106
    ended = stage.run(credentials=wrong)
    asked = stage.state.counters().by_operation["login"]
    if asked != 1:
        raise Missed(f"{asked} attempts to log in with refused credentials")
    return f"one attempt; {ended}"


def _logins(stage: Scene, least: int) -> str:
    logins = stage.state.counters().logins
    if logins < least:
        raise Missed(f"{logins} logins: no token ended in the middle")
    return f"{logins} login{'s' * (logins > 1)}"


FAULTS = (
    Fault("token-revoked", "every token is revoked in the middle", _revoke),
    Fault("token-of-2-seconds", "tokens live for two seconds", _short_life),
    Fault("token-born-expired", "the first token has expired when it comes", _born_expired),
    Fault(
        "clock-ahead",
        "the service's clock is an hour ahead",
        lambda stage: _skewed(stage, _HOUR_MS),
    ),
    Fault(
        "clock-behind",
        "the service's clock is an hour behind",
        lambda stage: _skewed(stage, -_HOUR_MS),
    ),
    Fault("credentials-refused", "the password is wrong", _refused),
)
