"""Faults of what the answers hold: values that nothing can store, and shapes that nobody promised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.drill.child import Missed
from pipeline.drill.drill import Fault
from pipeline.drill.scene import ACTIVITIES
from pipeline.sandbox.mutations import Edit, ReplacePayload

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.drill.scene import Scene

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


def _edited(description: str) -> Callable[[Scene], str]:
    """Return a play in which one activity's description holds this."""

    def play(stage: Scene) -> str:
        (name, *_) = stage.state.ids()
        stage.state.mutate(Edit(id=name, changes={"description": description}))
        return f"{len(description):,} characters; {stage.run()}; {stage.kept()}"

    return play


def _wrong_types(stage: Scene) -> str:
    names = stage.state.ids()[3:60:9][: len(_WRONG)]
    for name, body in zip(names, _WRONG, strict=True):
        details = body.replace(b"%s", name.encode())
        stage.state.mutate(ReplacePayload(id=name, details=details))
    return _quarantined(stage, names, stored=ACTIVITIES - len(names))


def _wrong_rows(stage: Scene) -> str:
    names = stage.state.ids()[5:60:20]
    for name in names:
        row = _ROW.replace(b"%s", name.encode())
        stage.state.mutate(ReplacePayload(id=name, row=row))
    return _quarantined(stage, names, stored=ACTIVITIES - len(names))


def _quarantined(stage: Scene, names: list[str], stored: int) -> str:
    """Run, look whether the bad ones and no others are in quarantine, and mend them."""
    ended = stage.run()
    held = stage.value("select count(*) from sync.quarantine where resolved_at is null")
    for name in names:
        stage.state.mutate(ReplacePayload(id=name))
    if (held, stage.stored()) != (len(names), stored):
        raise Missed(f"{held} in quarantine for {len(names)} bad ones; {stage.kept()}")
    return f"{ended}; {held} in quarantine, {stage.kept()}"


FAULTS = (
    Fault("nul", "a text holds NUL characters", _edited("before\0after\0")),
    Fault("20-mb-value", "a text of 20 MB", _edited("20 MB " * (20 * 2**20 // 6))),
    Fault("wrong-types", "six details of wrong types, too deep, out of range", _wrong_types),
    Fault("ids-with-paths", "three rows whose ids are paths", _wrong_rows),
)
