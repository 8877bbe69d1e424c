"""The outage brake and the number of logins, over the whole pipeline.

Clause 2 of docs/guarantees.md.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from pipeline.service.errors import AccessLost, Outage
from pipeline.sync.options import Options
from tests.support.mirroring import FIRST, LAST

if TYPE_CHECKING:
    from pipeline.sandbox.faults import Operation
    from tests.integration.conftest import Mirrored


_STORED = "select count(*) from warehouse.activities where details_fetched_at is not null"
_ALL_OF_THEM = 64
_ALL: tuple[Operation, ...] = ("list", "details")


def fails_from(number: int, **what: object) -> FaultRule:
    """Return a rule that makes every details request fail, from the ``number``-th on."""
    rule = {"kind": "status", "status": 503, "operation": "details"} | what
    return FaultRule(**rule, numbers=tuple(range(number, 5000)))  # type: ignore[arg-type]


@pytest.mark.parametrize(("what", "window_days"), [({"status": 429}, 1)])
def test_an_outage_in_the_middle_keeps_what_is_in_and_blames_nobody(
    mirrored: Mirrored, what: dict[str, object], window_days: int
) -> None:
    """Also where each window is done before the outage can be known."""
    warehouse = mirrored(300)
    warehouse.options = Options(window_days=window_days, walks=4, workers=8)
    state = warehouse.service.state
    state.set_faults(fails_from(41, **what))
    with pytest.raises(Outage) as caught:
        warehouse.days()
    assert "\n" not in str(caught.value)
    assert "run again once it works" in str(caught.value)
    assert warehouse.value(_STORED) == 40
    assert warehouse.quarantined() == {}
    # Each is asked once before any is asked again.
    assert max(state.counters().details.values()) <= 8
    state.set_faults()
    assert warehouse.days().details_requests == 260
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


def test_access_lost_in_the_middle_blames_nobody(mirrored: Mirrored) -> None:
    """The key becomes invalid: every answer is 403, also with a new token.

    Also activities whose sharing is over, which a healthy service may refuse.
    """
    warehouse = mirrored(200)
    state = warehouse.service.state
    parking = state.park("details", 41)

    async def run() -> None:
        syncing = asyncio.create_task(warehouse.sync(FIRST, LAST))
        await asyncio.to_thread(parking.wait)
        state.set_faults(*(FaultRule(kind="status", status=403, operation=one) for one in _ALL))
        parking.release()
        await syncing

    with pytest.raises(AccessLost):
        asyncio.run(run())
    answered = state.counters().by_status["details"]["200"]
    assert (warehouse.value(_STORED), warehouse.quarantined()) == (answered, {})
    state.set_faults()
    assert warehouse.days().details_requests == 200 - answered
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


def test_only_one_logs_in_while_all_others_wait(mirrored: Mirrored) -> None:
    warehouse = mirrored(300)
    warehouse.options = Options(workers=_ALL_OF_THEM)
    state = warehouse.service.state
    details, login = state.park("details", 100), state.park("login", 2)

    async def run() -> None:
        syncing = asyncio.create_task(warehouse.sync(FIRST, LAST))
        await asyncio.to_thread(details.wait)
        state.tokens.revoke_all()
        details.release()
        await asyncio.to_thread(login.wait)
        # All refused workers wait for the one login under way.
        assert state.counters().by_operation["login"] == 2
        asked = state.counters().by_operation["details"]
        login.release()
        summary = await syncing
        assert (summary.status, summary.logins) == ("complete", 2)
        assert asked < 300

    asyncio.run(run())
    assert state.counters().by_operation["login"] == 2
    assert warehouse.differences() == []
