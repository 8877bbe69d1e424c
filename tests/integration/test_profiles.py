"""A decent service is green and cheap, whatever its habits (docs/guarantees.md, clauses 1 and 9).

``PROFILE_PAIRS=100`` plays each by itself and so many random pairs, and prints the requests of all.
"""

from __future__ import annotations

import os
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.support.postgres import PostgresServer, fresh_database
from tests.support.profile_play import play
from tests.support.profiles import NOT_TOGETHER, ORDINARY, PROFILES, Profile

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAIRS = int(os.environ.get("PROFILE_PAIRS", "0"))


def _pairs() -> list[Profile]:
    random = Random(1)
    drawn = (random.sample(PROFILES, 2) for _ in range(_PAIRS))
    return [one + other for one, other in drawn if {one.name, other.name} not in NOT_TOGETHER]


@pytest.fixture(scope="module")
def url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """One database for all services."""
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


@pytest.mark.parametrize(
    "profile",
    [*PROFILES, *_pairs()] if _PAIRS else ORDINARY,
    ids=lambda profile: profile.name,
)
def test_a_decent_service_is_green_and_cheap(
    url: str, profile: Profile, capsys: pytest.CaptureFixture[str]
) -> None:
    played = play(url, profile)
    if _PAIRS:
        with capsys.disabled():
            sys.stdout.write(f"\n{played.table()}\n")
    assert not played.broken, "\n" + played.table()
