"""One law over everything: see ``tests/support/law.py``.

``ORACLE_SEEDS=0-1999`` (or ``17``) chooses the histories, ``ORACLE_STEPS=0,3,5`` plays only these steps of
each. A history that breaks the law is made shorter first, and printed with what plays it again.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.support.histories import draw, played
from tests.support.postgres import PostgresServer, fresh_database

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST, _, _LAST = os.environ.get("ORACLE_SEEDS", "0-19").partition("-")
_ONLY = os.environ.get("ORACLE_STEPS")

#: Where nothing is chosen, also a history that broke the law once: few rows a page, and the same edges.
_SEEDS = [*range(int(_FIRST), int(_LAST or _FIRST) + 1)]
_SEEDS += [579] if "ORACLE_SEEDS" not in os.environ else []


@pytest.fixture(scope="module")
def url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """One database for all histories."""
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


@pytest.mark.parametrize("seed", _SEEDS)
def test_what_is_called_complete_is_equal(url: str, seed: int) -> None:
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
