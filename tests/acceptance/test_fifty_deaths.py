"""Random deaths at random moments of two overlapping backfills and a night: all goes on by itself.

By hand, each with a seed of its own: ``DEATHS=50 pytest -m slow tests/acceptance/test_fifty_deaths.py``.
"""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING

import httpx
import psycopg
import pytest

from pipeline.sandbox import FaultRule
from tests.support.commands import eventually, processes_in
from tests.support.daemon import DagsterDev
from tests.support.mirroring import compare
from tests.support.reading import asked

if TYPE_CHECKING:
    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

pytestmark = [pytest.mark.slow, pytest.mark.daemon, pytest.mark.timeout(900)]

FIRST = date(2026, 1, 1)
DAYS = [str(FIRST + timedelta(days=number)) for number in range(40)]
#: So many that what one kill can lose, a batch and what was in flight, is below a tenth.
TOTAL = 5200

#: Seconds until it goes on by itself after a start, and until all is done: so long on a busy machine.
SOON, DONE = 120, 300

#: Most requests in flight of a run.
IN_FLIGHT = 16

#: How many times as many details a history with a death may ask for as one without.
MOST = 1.1

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
    serve: Serve,
    project: MakeProject,
    migrated_url: str,
    seed: int,
) -> None:
    chance = random.Random(seed)
    death = DEATHS[seed % len(DEATHS)]
    service = serve(TOTAL, from_date=FIRST, to_date=date.fromisoformat(DAYS[-1]))
    service.state.set_faults(FaultRule(kind="latency", operation="details", latency_ms=50))
    made = project(service)
    # Before anything was fetched, in the middle of it, or when one or two of the three runs have ended.
    moment, over = chance.choice(
        [(-1, 0), *[(chance.randrange(TOTAL - 200), 0)] * 4, (-1, 1), (-1, 2)]
    )
    with DagsterDev(made) as dev:
        dev.launch(DAYS[:31])
        dev.launch(DAYS[20:])
        assert dev.ask(_NIGHT, s=_JOB)["launchRun"]["__typename"] == "LaunchRunSuccess"
        eventually(lambda: asked(service) > moment and good(dev) >= over, "the moment", 240)
        strike(dev, made, death)
        struck = time.monotonic()
        ends = death in ("all", "power cut", "SIGINT", "SIGTERM")
        if not ends:
            goes_on(dev, service, migrated_url)
    if ends:
        assert processes_in(made.folder) == {}
        with DagsterDev(made) as dev:
            goes_on(dev, service, migrated_url)
    usual = TOTAL + sampled(migrated_url)
    seconds = time.monotonic() - struck
    print(f"{seed}: {death} after {moment} details and {over} good runs")  # noqa: T201
    print(f"{asked(service)} of {usual} asked for, all good after {seconds:.0f} s")  # noqa: T201
    stored_first = death in (*ALONE, "SIGINT", "SIGTERM")
    assert asked(service) <= (usual + IN_FLIGHT if stored_first else MOST * usual)


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
    """Wait until more is fetched or a run succeeds, then until the night was good and all is stored."""
    service.state.set_faults()
    before, runs = asked(service) + IN_FLIGHT, None

    def under_way() -> bool:
        nonlocal runs
        with suppress(httpx.TransportError):  # the UI is being started again
            now = good(dev)
            runs = now if runs is None else runs
            return asked(service) > before or now > runs or is_good(dev)
        return False

    def done() -> bool:
        return dev.idle() and is_good(dev) and compare(url, service.state.truth()) == []

    eventually(under_way, "it goes on by itself", SOON, pause=1)
    eventually(done, "everything is done", DONE, pause=1)


def is_good(dev: DagsterDev) -> bool:
    """Whether a night succeeded, and every day is shown as materialized."""
    nights = [run["status"] for run in dev.runs() if run["jobName"] == "nightly"]
    return "SUCCESS" in nights and dev.shown() == [((DAYS[0], DAYS[-1]), "MATERIALIZED")]


def good(dev: DagsterDev) -> int:
    """Return how many runs have succeeded."""
    return [run["status"] for run in dev.runs()].count("SUCCESS")


def sampled(url: str) -> int:
    """Return how many activities nights have fetched again to measure."""
    with psycopg.connect(url) as session:
        found = session.execute("select coalesce(sum(sampled), 0) from sync.verifications")
        ((number,),) = found.fetchall()
    return int(number)
