"""Random deaths at random moments of two overlapping backfills and a night: all goes on by itself.

By hand, each with a seed of its own: ``DEATHS=50 pytest -m slow tests/acceptance/test_fifty_deaths.py``.
"""

from __future__ import annotations

import os
import random
import signal
from contextlib import suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING

import httpx
import pytest

from pipeline.sandbox import FaultRule
from tests.support.commands import eventually, processes_in
from tests.support.daemon import DagsterDev
from tests.support.mirroring import compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Running
    from tests.support.commands import Project

pytestmark = [pytest.mark.slow, pytest.mark.daemon, pytest.mark.timeout(900)]

FIRST = date(2026, 1, 1)
DAYS = [str(FIRST + timedelta(days=number)) for number in range(40)]
TOTAL = 250

#: Seconds until everything has gone on by itself after a start, and most requests in flight of a run.
SOON, IN_FLIGHT = 120, 16

#: Most details that the night asks for again without any death: its sample, and what is due.
NIGHT = 55

#: Parts of the command lines of what dies alone.
ALONE = {
    "daemon": "dagster-daemon run",
    "webserver": "dagster-webserver",
    "code server": "api grpc",
}
DEATHS = (*ALONE, "worker", "all", "power cut", "SIGINT", "SIGTERM")

_NIGHT = """mutation($s: JobOrPipelineSelector!) {
    launchRun(executionParams: {selector: $s, mode: "default"}) { __typename } }"""
_JOB = {
    "repositoryLocationName": "pipeline",
    "repositoryName": "__repository__",
    "jobName": "nightly",
}


@pytest.mark.parametrize("seed", range(int(os.environ.get("DEATHS", "3"))))
def test_a_random_death_at_a_random_moment(
    serve: Callable[..., Running],
    project: Callable[[Running], Project],
    migrated_url: str,
    seed: int,
) -> None:
    chance = random.Random(seed)
    death = DEATHS[seed % len(DEATHS)]
    service = serve(TOTAL, from_date=FIRST, to_date=date.fromisoformat(DAYS[-1]))
    service.state.set_faults(FaultRule(kind="latency", operation="details", latency_ms=400))
    made = project(service)
    moment = chance.randrange(-50, TOTAL - 50)  # below 0: before anything was fetched
    with DagsterDev(made) as dev:
        dev.launch(DAYS[:31])
        dev.launch(DAYS[20:])
        assert dev.ask(_NIGHT, s=_JOB)["launchRun"]["__typename"] == "LaunchRunSuccess"
        eventually(lambda: asked(service) > moment and dev.runs(), "the moment", 120)
        strike(dev, made, death)
        ends = death in ("all", "power cut", "SIGINT", "SIGTERM")
        if not ends:
            goes_on(dev, service, migrated_url)
    if ends:
        assert processes_in(made.folder) == {}
        with DagsterDev(made) as dev:
            goes_on(dev, service, migrated_url)
    # What was in flight; after a kill also the batch that was not committed yet.
    lost = asked(service) - TOTAL
    stored_first = death in (*ALONE, "SIGINT", "SIGTERM")
    assert lost <= NIGHT + IN_FLIGHT + (0 if stored_first else max(moment, 0) + IN_FLIGHT)


def strike(dev: DagsterDev, made: Project, death: str) -> None:
    """Let it happen."""
    if death in ("SIGINT", "SIGTERM"):
        dev.command.send(signal.Signals[death])
        dev.command.end(90)
    elif death in ("all", "power cut"):
        dev.kill()
    else:
        for number, line in processes_in(made.folder).items():
            if ALONE.get(death, "spawn_main") in line:
                os.kill(number, signal.SIGKILL)


def goes_on(dev: DagsterDev, service: Running, url: str) -> None:
    """Wait until everything is stored and no run is left."""
    service.state.set_faults()

    def done() -> bool:
        with suppress(httpx.TransportError):  # the UI is being started again
            return compare(url, service.state.truth()) == [] and dev.idle()
        return False

    eventually(done, "everything goes on by itself", SOON, pause=1)


def asked(service: Running) -> int:
    """Return how many details were asked for."""
    return service.state.counters().by_operation.get("details", 0)
