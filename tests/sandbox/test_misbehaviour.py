"""Each misbehaviour that histories draw from changes answers: none of them is idle."""

from __future__ import annotations

from base64 import b64encode
from random import Random
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import Asked, SandboxSettings, SandboxState
from pipeline.sandbox.service import answered
from tests.support.habits.answers import rule
from tests.support.habits.drawn import WRONGS, Misbehaviour
from tests.support.mirroring import FIRST, LAST, NOON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _requests(state: SandboxState) -> Iterator[Asked]:
    """Ask for every page of the list, and for every activity's details."""
    given = state.settings.credentials
    basic = b64encode(f"{given.username}:{given.password}".encode()).decode()
    key = {"x-api-key": given.api_key}
    answer = answered(state, Asked("login", {"Authorization": f"Basic {basic}", **key}))
    token = answer.body.split(b'"')[3].decode()
    headers = {"Authorization": f"Bearer {token}", **key}
    for page in range(1, 6):
        yield Asked("list", headers, f"limit=21&page={page}&from={FIRST}")
    for name in state.ids():
        yield Asked("details", headers, activity_id=name)


@pytest.mark.parametrize("kind", WRONGS)
def test_every_misbehaviour_changes_answers(
    kind: Callable[[SandboxState, Random], Misbehaviour],
) -> None:
    state = SandboxState(
        SandboxSettings(activities=90, from_date=FIRST, to_date=LAST, now=NOON, frozen=True)
    )
    for seed in range(6):
        wrong = kind(state, Random(seed))
        change = rule(*wrong.changes).change
        changed = 0
        for hours in (0, 100):  # a cache and a replica that lags show only when something changes
            state.set_clock(advance_ms=hours * 3_600_000)
            state.enter_status(state.ids()[0], f"AFTER_{hours}")
            state.create(drawn=False)
            changed += sum(
                change(asked, lambda other: answered(state, other)) != answered(state, asked)
                for asked in _requests(state)
            )
        assert changed or wrong.rules or wrong.skew_ms, wrong.name
