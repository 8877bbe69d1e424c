"""One law over everything: see ``tests/support/law.py``.

``ORACLE_SEEDS=0-1999`` (or ``17``) chooses other histories, ``ORACLE_STEPS=0,3,5`` plays only these steps
of each. A history that breaks the law is made shorter first, and printed with what plays it again.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.support.deeds import DEEDS
from tests.support.habits.drawn import WRONGS
from tests.support.histories import HANDS, RUNS, draw, played
from tests.support.postgres import PostgresServer, fresh_database

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Short histories that draw, between them, everything there is to draw; and eight that broke the law once.
ORDINARY = (
    *(36, 115, 143, 513, 834, 867, 880, 923, 948, 1160, 1520, 1731, 1865),
    *(579, 625, 1008, 1129, 1764, 4137, 5147, 8115),
)

_FIRST, _, _LAST = os.environ.get("ORACLE_SEEDS", "").partition("-")
_SEEDS = range(int(_FIRST), int(_LAST or _FIRST) + 1) if _FIRST else ORDINARY
_ONLY = os.environ.get("ORACLE_STEPS")


@pytest.fixture(scope="module")
def url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """One database for all histories."""
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


def test_the_ordinary_histories_draw_everything() -> None:
    """Else choose other seeds."""
    steps = [step for seed in ORDINARY for step in draw(seed)]
    wrongs = {Random(step.seed).choice(WRONGS) for step in steps if step.what == "start"}
    assert wrongs == set(WRONGS)
    assert {step.what for step in steps} >= {*DEEDS, *HANDS, *RUNS}


@pytest.mark.parametrize("seed", _SEEDS)
def test_what_is_called_complete_is_equal(
    url: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The service has no limits: two runs side by side need not make room for each other, and overlap.
    monkeypatch.setattr("pipeline.sync.budget.ROOM", 0.0)
    steps = draw(seed)
    kept = (
        [int(each) for each in _ONLY.split(",") if each]
        if _ONLY is not None
        else list(range(len(steps)))
    )

    def broken(chosen: list[int]) -> list[str]:
        lines = played(url, seed, [steps[each] for each in chosen])
        return lines if lines[-1].startswith("BROKEN") else []

    lines = broken(kept)
    if not lines:
        return
    for each in reversed(kept):
        without = [other for other in kept if other != each]
        shorter = broken(without)
        if shorter:
            kept, lines = without, shorter
    numbers = ",".join(map(str, kept))
    pytest.fail("\n".join((f"ORACLE_SEEDS={seed} ORACLE_STEPS={numbers}", *lines)), pytrace=False)
