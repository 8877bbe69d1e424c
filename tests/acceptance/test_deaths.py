"""Nothing blocks after an end: by Dagster's Terminate, of any process alone or of all, by Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from tests.support.commands import Command, eventually, processes_in
from tests.support.daemon import PROGRAM, DagsterDev, backfills_each_second
from tests.support.mirroring import compare
from tests.support.reading import asked, rows, stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Opened, Serve
    from tests.support.commands import Project

pytestmark = [pytest.mark.daemon, pytest.mark.timeout(600)]

FIRST = date(2026, 1, 1)
DAYS = [str(FIRST + timedelta(days=number)) for number in range(40)]
TOTAL = 400

#: Most answers that may come after the signal, of a run.
IN_FLIGHT = 16

#: Seconds until it goes on by itself: so long on a busy machine.
SOON = 120

#: Parts of the command lines of what dies: of the daemon, the webserver, the code server, and a run.
PROGRAMS = ("dagster-daemon run", "dagster-webserver", "api grpc", "spawn_main")


def unstored(service: Running, url: str) -> int:
    """Return how many details were answered and are not stored."""
    return service.state.counters().by_status["details"].get("200", 0) - stored(url)


def numbers(made: Project, *parts: str) -> list[int]:
    """Return the numbers of the processes on a project's history with such command lines."""
    found = processes_in(made.folder)
    return [number for number, line in found.items() if any(part in line for part in parts)]


def fetches(service: Running, times: int = 2) -> None:
    """Wait until a run has fetched details ``times`` as many as are in flight at once."""
    before = asked(service)
    eventually(lambda: asked(service) > before + times * IN_FLIGHT, "it fetches", SOON)


@contextmanager
def daemon(made: Project, **changes: str) -> Iterator[Command]:
    """Run ``pipeline daemon`` until Ctrl-C: it costs half of what the UI does."""
    with Command([PROGRAM, "daemon"], made.folder, made.environment(**changes)) as command:
        try:
            yield command
        finally:
            command.send(signal.SIGINT)
            command.end(90)


def test_whatever_ends_it_goes_on_by_itself(
    serve: Serve, project: MakeProject, migrated_url: str, opened: Opened
) -> None:
    """Whatever package of our name the folder has."""
    service = serve(TOTAL, from_date=FIRST, to_date=date.fromisoformat(DAYS[-1]))
    service.state.set_faults(FaultRule(kind="latency", operation="details", latency_ms=1500))
    made = project(service)
    made.settings |= backfills_each_second(made.folder)
    (made.folder / "pipeline").mkdir()
    (made.folder / "pipeline" / "__init__.py").write_text("raise SystemError('not ours')")
    with DagsterDev(made) as dev:
        second = made.run("ui")
        assert (second.code, second.out) == (2, ""), second
        assert f"process {dev.command.process.pid}, UI on {dev.url}" in second.err
        terminated(dev, service, migrated_url)
        dev.launch(DAYS[:31])  # a run has so many
        fetches(service)
        for number in numbers(made, *PROGRAMS):
            with suppress(ProcessLookupError):  # the workers of one that is gone end by themselves
                os.kill(number, signal.SIGKILL)
        lost = unstored(service, migrated_url)
        eventually(lambda: dev.command.said[1].count("started again") >= 2, "it says so", SOON)
        fetches(service)
        dev.command.send(signal.SIGKILL)
        dev.command.end()
    assert len(numbers(made, "dagster-daemon run")) == 1
    with daemon(made):
        fetches(service, 4)
        assert len(numbers(made, "dagster-daemon run")) == 1
    assert processes_in(made.folder) == {}
    # What was told to end has stored all that was answered, but for what was in flight.
    assert unstored(service, migrated_url) - lost <= 3 * IN_FLIGHT
    service.state.set_faults()
    history = opened(made)

    def done() -> bool:
        return stored(migrated_url) == TOTAL and all(run.is_finished for run in history.get_runs())

    with daemon(made) as last:
        eventually(done, "everything is stored", SOON, pause=0.5)
        assert "Priority sorting" not in last.said[0]  # no line a second while a run waits
        facts = json.loads(made.run("status", "--json").out)
    assert compare(migrated_url, service.state.truth()) == []
    assert asked(service) <= TOTAL + lost + 4 * IN_FLIGHT
    assert (facts["daemon_alive"], facts["complete_through"]) == (True, DAYS[-1])


def test_no_backfill_is_given_up(serve: Serve, project: MakeProject, opened: Opened) -> None:
    """Neither by Ctrl-C, which comes while the daemon judges them, nor while the code can't be loaded."""
    service = serve(TOTAL, from_date=FIRST, to_date=date.fromisoformat(DAYS[-1]))
    made = project(service)
    made.settings |= backfills_each_second(made.folder) | {"BACKFILLS_EACH": "0"}
    with DagsterDev(made) as dev:
        for day in DAYS:
            dev.launch([day])
        eventually(lambda: len(dev.runs()) > 20, "they are judged", SOON)
    with daemon(made, CODE="broken", BACKFILLS_EACH="1") as waiting:
        eventually(lambda: "will resume once it is available" in waiting.said[0], "it waits", SOON)
    assert [each.error for each in opened(made).get_backfills() if each.error] == []


def terminated(dev: DagsterDev, service: Running, url: str) -> None:
    """Launch a backfill, and terminate its first run, which keeps what it had."""
    dev.launch(DAYS)
    fetches(service)
    # One run at a time calls the service, the very first ones too.
    assert sorted(run["status"] for run in dev.runs()) == ["QUEUED", "STARTED"]
    (first,) = [run["runId"] for run in dev.runs() if run["status"] == "STARTED"]
    dev.terminate(first)

    def ended() -> bool:
        return (first, "CANCELED") in [(run["runId"], run["status"]) for run in dev.runs()]

    eventually(ended, "the run is canceled", SOON)
    ends = "select status, error from sync.runs where finished_at is not null"
    assert rows(url, ends) == [("failed", "interrupted")]
    assert unstored(service, url) <= 2 * IN_FLIGHT
