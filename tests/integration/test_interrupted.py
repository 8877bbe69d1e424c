"""Runs that meet an outage, a signal, or lose access or a list: what was fetched is kept, nobody is blamed.

Clauses 1, 2 and 4 of docs/guarantees.md.
"""

from __future__ import annotations

import asyncio
import os
import signal
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from pipeline.service.errors import AccessLost, Outage
from pipeline.warehouse.database.engine import execute, warehouse_engine
from tests.support.commands import eventually
from tests.support.habits.lists import list_fails_for
from tests.support.mirroring import FIRST, LAST
from tests.support.reading import value

if TYPE_CHECKING:
    from pipeline.sandbox.faults import Operation
    from tests.integration.conftest import Mirrored


_STORED = "select count(*) from warehouse.activities where details_fetched_at is not null"
_ALL: tuple[Operation, ...] = ("list", "details")


def test_an_outage_stops_the_run_and_blames_nobody_for_long(mirrored: Mirrored) -> None:
    """Nineteen answers in twenty fail; `test_faults.py` plays outages of all answers.

    Some activities fail while others are answered. They count an attempt, and the next run heals them.
    """
    warehouse = mirrored(600)
    state = warehouse.service.state
    state.set_faults(FaultRule(kind="status", status=503, operation="details", rate=0.95))
    with pytest.raises(Outage):
        warehouse.days()
    assert sum(state.counters().details.values()) < 3 * 600
    blamed = set(warehouse.quarantined())
    assert len(blamed) < 600
    ended = warehouse.query("select status, error from sync.runs")
    assert [status for status, _ in ended] == ["failed"]
    assert "run again once it works" in ended[0][1]
    state.set_faults()
    assert warehouse.days().status == "complete"
    assert (warehouse.quarantined(), warehouse.differences(), warehouse.gaps()) == ({}, [], [])


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


def test_a_list_that_fails_leaves_its_days_incomplete_and_the_others_in(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    state = warehouse.service.state
    warehouse.days()
    # The list of some days can't be had, in whatever way they are asked for.
    state.set_faults(list_fails_for("2026-02-10", "2026-02-12"))
    summary = warehouse.days()
    assert summary.status == "incomplete"
    assert 0 < len(warehouse.gaps()) < 20
    assert warehouse.gone() == set()
    state.set_faults()
    assert warehouse.days().status == "complete"
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


class _Terminated(BaseException):
    """As Dagster's, which psycopg does not know as it knows KeyboardInterrupt."""


def test_a_signal_in_the_middle_of_a_statement_is_not_lost(migrated_url: str) -> None:
    asleep = "select count(*) > 0 from pg_stat_activity where query = 'select pg_sleep(60)'"

    def send() -> None:
        eventually(lambda: value(migrated_url, asleep), "the statement runs")
        os.kill(os.getpid(), signal.SIGUSR1)

    def terminate(*_: object) -> None:
        raise _Terminated

    before, sender = signal.signal(signal.SIGUSR1, terminate), Thread(target=send)
    with warehouse_engine(migrated_url) as engine:
        sender.start()
        with pytest.raises(_Terminated):
            execute(engine, "select pg_sleep(60)")
        sender.join()
        assert execute(engine, "select") == 1
    signal.signal(signal.SIGUSR1, before)
