"""Nothing blocks after an end: of the daemon, of the command alone, by Ctrl-C, by Dagster's Terminate."""

from __future__ import annotations

import json
import os
import signal
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from tests.support.commands import Command, eventually, processes_in
from tests.support.daemon import PROGRAM, DagsterDev
from tests.support.mirroring import compare
from tests.support.reading import asked, rows, stored

if TYPE_CHECKING:
    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

pytestmark = [pytest.mark.daemon, pytest.mark.timeout(600)]

FIRST = date(2026, 1, 1)
DAYS = [str(FIRST + timedelta(days=number)) for number in range(40)]
TOTAL = 300

#: Most answers that may come after the signal, of a run.
IN_FLIGHT = 16

#: Seconds until everything has gone on by itself after a start.
SOON = 120


@pytest.fixture
def service(serve: Serve) -> Running:
    """Serve a backfill's activities slowly enough to die in the middle."""
    service = serve(TOTAL, from_date=FIRST, to_date=date.fromisoformat(DAYS[-1]))
    slow(service)
    return service


def slow(service: Running) -> None:
    """Answer details slowly."""
    service.state.set_faults(FaultRule(kind="latency", operation="details", latency_ms=1500))


def all_is_stored(dev: DagsterDev, service: Running, url: str) -> None:
    """Wait until everything is stored and no run is under way; compare once, which takes long."""
    eventually(lambda: stored(url) == TOTAL and dev.idle(), "it goes on by itself", SOON, pause=0.5)
    assert compare(url, service.state.truth()) == []


def is_kept(service: Running, url: str) -> None:
    """Assert that what was answered is stored, but for what was in flight."""
    answered = service.state.counters().by_status["details"].get("200", 0)
    assert 0 < answered - IN_FLIGHT <= stored(url) <= answered


def test_ctrl_c_in_a_backfill_stores_what_was_fetched_and_the_next_start_goes_on(
    service: Running, project: MakeProject, migrated_url: str
) -> None:
    """Whatever package of our name the folder has."""
    made = project(service)
    (made.folder / "pipeline").mkdir()
    (made.folder / "pipeline" / "__init__.py").write_text("raise SystemError('not ours')")
    with DagsterDev(made) as dev:
        dev.launch(DAYS)
        eventually(lambda: asked(service) > 60, "it fetches", 120)
        # One run at a time calls the service, the very first ones too.
        assert sorted(run["status"] for run in dev.runs()) == ["QUEUED", "STARTED"]
    assert processes_in(made.folder) == {}
    is_kept(service, migrated_url)
    service.state.set_faults()
    with DagsterDev(made) as dev:
        all_is_stored(dev, service, migrated_url)
        runs = dev.runs()
        assert "Priority sorting" not in dev.command.said[1]  # no line a second while a run waits
        with Command([PROGRAM, "status", "--json"], made.folder, made.environment()) as command:
            facts = json.loads(command.end().out)
    assert [run["status"] for run in runs].count("SUCCESS") == 2
    assert asked(service) <= TOTAL + IN_FLIGHT
    assert (facts["daemon_alive"], facts["complete_through"]) == (True, DAYS[-1])


def test_a_daemon_that_dies_is_started_again_and_there_is_never_a_second_one(
    service: Running, project: MakeProject, migrated_url: str
) -> None:
    """Also after the command was killed alone. A run that was terminated has kept what it had."""
    made = project(service)
    with DagsterDev(made) as dev:
        dev.launch(DAYS)
        eventually(lambda: asked(service) > 60, "it fetches", 120)
        (run,) = [run["runId"] for run in dev.runs() if run["status"] == "STARTED"]
        dev.terminate(run)
        eventually(lambda: (run, "CANCELED") in ends(dev), "the run is canceled", SOON)
        is_kept(service, migrated_url)
        ended = "select status, error from sync.runs where finished_at is not null"
        assert rows(migrated_url, ended) == [("failed", "interrupted")]
        dev.launch(DAYS)
        dev.command.send(signal.SIGKILL)
        dev.command.end()
    assert len(daemons(made)) == 1
    with DagsterDev(made) as dev:
        (daemon,) = daemons(made)
        second = made.run("ui")
        assert (second.code, second.out) == (2, ""), second
        assert f"process {dev.command.process.pid}, UI on {dev.url}" in second.err
        os.kill(daemon, signal.SIGKILL)
        eventually(lambda: "started again" in dev.command.said[1], "it says so")
        service.state.set_faults()
        all_is_stored(dev, service, migrated_url)
    assert processes_in(made.folder) == {}
    assert asked(service) <= TOTAL + 2 * IN_FLIGHT


def ends(dev: DagsterDev) -> list[tuple[str, str]]:
    """Return id and status of each run."""
    return [(run["runId"], run["status"]) for run in dev.runs()]


def daemons(made: Project) -> list[int]:
    """Return the numbers of the daemons on a project's history."""
    found = processes_in(made.folder)
    return [number for number, line in found.items() if "dagster-daemon run" in line]
