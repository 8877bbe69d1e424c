"""A backfill through the real daemon: its progress in days, how it is canceled, and how it goes on."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.support.commands import eventually
from tests.support.daemon import DagsterDev
from tests.support.mirroring import compare, created_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Running
    from tests.support.commands import Project

FIRST = date(2026, 1, 1)
DAYS = [str(FIRST + timedelta(days=number)) for number in range(40)]
CHUNK = 31

_DONE = re.compile(rf"(\d+) of {CHUNK} days done")
_IN = re.compile(rf"(\d+) of {CHUNK} days are in; launch the failed and missing days again")


@pytest.mark.slow  # Dagster looks after backfills every 30 seconds
@pytest.mark.daemon
def test_progress_speaks_of_days_and_a_canceled_backfill_does_only_the_rest_later(
    serve: Callable[..., Running], project: Callable[[Running], Project], migrated_url: str
) -> None:
    service = serve(400, from_date=FIRST, to_date=date.fromisoformat(DAYS[-1]))
    chunk = sum(created_on(each) < FIRST + timedelta(days=CHUNK) for each in service.state.truth())
    made = project(service)
    made.settings["ACTIVITIES_MAX_CONCURRENCY"] = "1"
    # A client waits half a minute for an answer, and then asks again: the next ones are held, too.
    late, *_ = [service.state.park("details", chunk - 5 + number) for number in range(6)]
    with DagsterDev(made) as dev:
        backfill = dev.launch(DAYS)
        late.wait(120)
        (run,) = [each["runId"] for each in dev.runs() if each["status"] == "STARTED"]
        done = [int(found[1]) for line in dev.log(run) if (found := _DONE.search(line))]
        assert 0 < len(done) < 4  # a line for each window of eight days but the last
        assert done == sorted(done)
        dev.cancel(backfill)
        assert dev.ended(backfill) == "CANCELED"
        eventually(dev.idle, "all its runs have ended", 60)
        assert {each["status"] for each in dev.runs()} == {"CANCELED"}
        # The second chunk waited for the first, and was never started.
        assert service.state.counters().by_operation["login"] == 1
        (proven,) = [int(found[1]) for line in dev.log(run) if (found := _IN.search(line))]
        assert proven == done[-1] == len(materialized(made))
        stored = count(migrated_url)
        assert stored == chunk - 6

        for parking in service.state.parkings:
            parking.release()
        service.state.reset_counters()
        assert dev.backfill(DAYS) == "COMPLETED_SUCCESS"
        assert service.state.counters().by_operation["details"] == 400 - stored
    assert compare(migrated_url, service.state.truth()) == []


def materialized(made: Project) -> set[str]:
    """Return the days that Dagster shows as materialized."""
    import dagster as dg

    from pipeline.assets.facts import ACTIVITIES

    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        return instance.get_materialized_partitions(ACTIVITIES)


def count(url: str) -> int:
    """Count the activities that are stored."""
    with psycopg.connect(url) as session:
        row = session.execute("select count(*) from warehouse.activities").fetchone()
    assert row is not None
    return int(row[0])
