"""A night through the real daemon, while the warehouse is away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import dagster as dg
import pytest
from dagster._core.scheduler.instigation import ScheduleInstigatorData

from pipeline.assets.nightly import CRON
from pipeline.assets.watch import NIGHTLY
from tests.support.commands import eventually
from tests.support.daemon import DagsterDev
from tests.support.mirroring import compare
from tests.support.receiver import receiver

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.local import LocalPostgres
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project


@pytest.mark.slow
@pytest.mark.daemon
def test_a_night_without_postgresql_happens_when_it_is_back_and_one_message_says_so(
    serve: Serve,
    project: MakeProject,
    crash_postgres: Callable[..., LocalPostgres],
) -> None:
    now = datetime.now(UTC)
    first = now.date() - timedelta(days=5)
    service = serve(60, from_date=first, to_date=now.date(), now=now)
    made = project(service)
    warehouse = crash_postgres()
    with receiver() as inbox:
        made.settings |= {
            "WAREHOUSE_URL": warehouse.url(),
            "ACTIVITIES_START_DATE": str(first),
            "ACTIVITIES_ALERT_URLS": inbox.url,
        }
        with DagsterDev(made):
            eventually(lambda: since_yesterday(made), "the schedule is on")
        warehouse.stop()
        with DagsterDev(made) as dev:  # it makes up for the tick that is over
            run = eventually(lambda: next(iter(dev.runs()), None), "the night has begun")
            again = " - tried again in 1 min"  # the shortest pause: this test takes longer
            waits = eventually(
                lambda: next((line for line in dev.log(run["runId"]) if again in line), None),
                "it waits for the warehouse",
            )
            warehouse.start()
            eventually(dev.idle, "the night is over", 180)
            eventually(lambda: inbox.texts or None, "a message came")
            assert [each["status"] for each in dev.runs()] == ["SUCCESS"]
    (text,) = inbox.texts
    assert "nightly recovered" in text
    assert f"tried again, because at first: {waits.removesuffix(again)}" in text
    assert "postgres" in text.lower()
    assert compare(warehouse.url(), service.state.truth()) == []


def since_yesterday(made: Project) -> bool:
    """Set back the time since when the nightly schedule is on, so that its newest tick is still due."""
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        for state in instance.all_instigator_state():
            if state.name == NIGHTLY:
                began = (datetime.now(UTC) - timedelta(days=1)).timestamp()
                data = ScheduleInstigatorData(CRON, began, None)
                instance.update_instigator_state(state.with_data(data))
                return True
    return False
