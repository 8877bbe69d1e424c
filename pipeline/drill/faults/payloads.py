"""Faults of the bodies: values that PostgreSQL cannot store, and types that nobody promised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.drill.runs import Missed
from pipeline.drill.trial import ACTIVITIES, Fault, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

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


def _describe(description: str) -> Callable[[Trial], str]:
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


FAULTS = (
    Fault("nul", "a text contains NUL characters", _describe("before\0after\0")),
    Fault("20-mb-value", "a text of 20 MB", _describe("20 MB " * (20 * 2**20 // 6))),
    Fault("wrong-types", "six details of wrong types, too deep, out of range", _wrong_types),
    Fault("ids-with-paths", "three rows whose ids are paths", _ids_with_paths),
)
