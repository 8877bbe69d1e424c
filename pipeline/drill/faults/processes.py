"""Faults of the process: killed at any instant, interrupted, told to end."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

from pipeline.drill.commits import HeldCommit
from pipeline.drill.drill import Fault
from pipeline.drill.scene import BATCH

if TYPE_CHECKING:
    from pipeline.drill.scene import Scene

#: One request after the other, so that nothing overtakes the one that is held.
_ONE: dict[str, Any] = {"workers": 1, "walks": 1}


def _kill_in_commit(stage: Scene, *, committed: bool) -> str:
    """Kill a run while PostgreSQL commits its second batch, which then comes to pass or not."""
    with HeldCommit(stage.warehouse_url, after=BATCH // 2) as commit, stage.start(**_ONE) as child:
        backend = commit.wait()
        code = child.kill()
        if committed:
            commit.release()
        else:
            commit.roll_back(backend)
        commit.settled(backend)
    return f"exit {code} inside COMMIT; {stage.kept()}"


def _kill_again_and_again(stage: Scene) -> str:
    for _ in range(3):
        happened = stage.kill_at("details", BATCH + 2, **_ONE)
    stage.in_hand *= 3
    return f"three times {happened}"


FAULTS = (
    Fault("kill-at-login", "kill -9 while it logs in", lambda stage: stage.kill_at("login", 1)),
    Fault(
        "kill-at-page",
        "kill -9 at a page in the middle of a walk",
        lambda stage: stage.kill_at("list", 4, **_ONE),
    ),
    Fault(
        "kill-at-first-details",
        "kill -9 at the first details",
        lambda stage: stage.kill_at("details", 1, **_ONE),
    ),
    Fault(
        "kill-before-first-batch",
        "kill -9 with one activity less than departs for PostgreSQL",
        lambda stage: stage.kill_at("details", BATCH // 2, **_ONE),
    ),
    Fault(
        "kill-after-first-batch",
        "kill -9 with one batch in and the next begun",
        lambda stage: stage.kill_at("details", BATCH + 2, **_ONE),
    ),
    Fault(
        "kill-in-answer",
        "kill -9 with half an answer received",
        lambda stage: stage.kill_at("details", 31, "body", **_ONE),
    ),
    Fault(
        "kill-with-many-in-flight",
        "kill -9 with several requests under way",
        lambda stage: stage.kill_at("details", 45),
    ),
    Fault(
        "kill-in-commit-that-holds",
        "kill -9 inside PostgreSQL's commit, which comes to pass",
        lambda stage: _kill_in_commit(stage, committed=True),
    ),
    Fault(
        "kill-in-commit-that-fails",
        "kill -9 inside PostgreSQL's commit, which is rolled back",
        lambda stage: _kill_in_commit(stage, committed=False),
    ),
    Fault("kill-again-and-again", "kill -9 three runs in a row", _kill_again_and_again),
    Fault(
        "ctrl-c",
        "Ctrl-C of `pipeline sync`",
        lambda stage: stage.interrupt_at(26, signal.SIGINT),
    ),
    Fault(
        "sigterm",
        "SIGTERM to `pipeline sync`",
        lambda stage: stage.interrupt_at(26, signal.SIGTERM),
    ),
)
