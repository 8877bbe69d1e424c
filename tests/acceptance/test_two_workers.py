"""The distributed form: Celery's run launcher, a real Redis, two workers, history in PostgreSQL."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from datetime import date, timedelta
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from pipeline.sandbox import FaultRule
from tests.acceptance.broker import redis, started_workers
from tests.support.commands import CHECKOUT, eventually
from tests.support.daemon import DagsterDev, backfills_each_second
from tests.support.mirroring import compare, created_on
from tests.support.postgres import fresh_database
from tests.support.reading import rows

if TYPE_CHECKING:
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.postgres import PostgresServer

FIRST, NUMBER = date(2026, 1, 1), 60
CONCURRENCY, POOL = 4, 2
#: Two days each before and after the days on which the second and the third run begin.
EDGES = {FIRST + timedelta(days=day + more) for day in (31, NUMBER) for more in range(-2, 2)}


@pytest.mark.system
def test_a_backfill_of_60_days_spread_over_two_workers(
    serve: Serve, project: MakeProject, migrated_url: str, postgres: PostgresServer
) -> None:
    last = FIRST + timedelta(days=NUMBER)
    service = serve(400, from_date=FIRST, to_date=last)
    made = project(service)
    shutil.copy(CHECKOUT / "pipeline/deploy/dagster.celery.yaml", made.folder / "dagster.yaml")
    with ExitStack() as running:
        history = postgres.url(running.enter_context(fresh_database(postgres)))
        made.settings |= running.enter_context(redis(made.folder))
        made.settings |= {
            "DAGSTER_HOME": str(made.folder),
            "DAGSTER_STORAGE_URL": urlsplit(history)
            ._replace(scheme="postgresql+psycopg2")
            .geturl(),
            "ACTIVITIES_MAX_CONCURRENCY": str(CONCURRENCY),
        }
        made.settings |= backfills_each_second(made.folder)
        dev = running.enter_context(DagsterDev(made))
        workers = running.enter_context(started_workers(made, "one@a", "two@b"))
        service.state.set_faults(FaultRule(kind="latency", latency_ms=20, operation="details"))
        # Two runs are held at their logins: they are under way at once, so each in a worker of its own.
        held = [service.state.park("login", number) for number in (1, 2)]
        days = [str(FIRST + timedelta(days=day)) for day in range(NUMBER + 1)]
        dev.launch(days[:NUMBER])
        dev.launch(days[NUMBER:])
        for login in held:
            login.wait(120)
        one_at_a_time = ["QUEUED", "STARTED", "STARTED"]
        eventually(
            lambda: sorted(run["status"] for run in dev.runs()) == one_at_a_time,
            "the pool holds the third run",
        )
        assert service.state.counters().by_operation["login"] == POOL
        for login in held:
            login.release()
        eventually(lambda: statuses(dev) == {"SUCCESS"}, "all runs have ended well", 120)
        tasks = [run["tags"]["dagster-celery/task_id"] for run in dev.runs()]

        def ended() -> list[list[str]]:
            logs = ["".join(each.said) for each in workers]
            return [
                [task for task in tasks if f"execute_job[{task}] succeeded" in log] for log in logs
            ]

        # A worker says so a moment after its run has.
        eventually(lambda: sum(map(len, ended())) == len(tasks), "the workers have said so")
        done = ended()
    assert sorted(chain(*done)) == sorted(tasks)
    assert all(done)
    counters = service.state.counters()
    assert counters.logins == counters.by_operation["login"] == len(tasks) == 3
    assert counters.max_concurrent <= POOL * CONCURRENCY
    # A question brings rows of the days around its own, too: two runs at once may both fetch these.
    twice = {created_on(each) for each in service.state.truth() if counters.details[each.id] > 1}
    assert twice <= EDGES
    assert max(counters.details.values()) <= 2
    assert compare(migrated_url, service.state.truth()) == []
    spans = "select window_to - window_from + 1, logins, status from sync.runs order by window_from"
    assert rows(migrated_url, spans) == [
        (31, 1, "complete"),
        (29, 1, "complete"),
        (1, 1, "complete"),
    ]


def statuses(dev: DagsterDev) -> set[str]:
    """Return the statuses that runs have."""
    found = {run["status"] for run in dev.runs()}
    assert "FAILURE" not in found
    return found
