"""The systemd units: well formed, hardened, and stopped and started without loss."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

import httpx
import pytest

from pipeline.sandbox import FaultRule
from tests.support.commands import Command, eventually, processes_in
from tests.support.daemon import free_port
from tests.support.mirroring import compare
from tests.support.reading import stored
from tests.support.receiver import receiver
from tests.support.units import DEPLOY, exec_line, here, service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

UNITS = sorted(DEPLOY.glob("*.service"))
DAEMON = DEPLOY / "pipeline-daemon.service"
WEBSERVER = DEPLOY / "pipeline-webserver.service"
RANGE = {
    "dagster/asset_partition_range_start": "2026-01-01",
    "dagster/asset_partition_range_end": "2026-01-20",
}


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``systemd-analyze``, which .ci/run brings where it is missing."""
    program = shutil.which("systemd-analyze")
    assert program, "no systemd-analyze here: `apt-get install systemd` brings it"
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def units(tmp_path: Path) -> list[str]:
    """Return the units' files, with the programs of this environment: they have to exist."""
    for unit in UNITS:
        (tmp_path / unit.name).write_text(here(unit), encoding="utf-8")
    assert len(UNITS) == 4
    timer = DEPLOY / "pipeline-liveness.timer"
    (tmp_path / timer.name).write_text(timer.read_text(encoding="utf-8"), encoding="utf-8")
    return [str(tmp_path / unit.name) for unit in UNITS]


@pytest.mark.system
def test_systemd_finds_nothing_wrong(units: list[str]) -> None:
    verified = analyze("verify", *units)
    assert (verified.returncode, verified.stderr) == (0, "")  # unknown settings are only warned of


@pytest.mark.system
def test_units_are_hardened(units: list[str]) -> None:
    for unit in units:
        rated = analyze("security", "--offline=true", "--threshold=15", unit)  # 1.5 of 10
        assert rated.returncode == 0, rated.stdout.splitlines()[-1]


def test_units_agree_with_each_other() -> None:
    same = ("User", "EnvironmentFile", "Environment", "StateDirectory", "WorkingDirectory")
    settings = [service(unit) for unit in UNITS]
    for name in same:
        assert len({each[name] for each in settings}) == 1
    assert {each["LimitCORE"] for each in settings} == {"0"}


@pytest.mark.slow
def test_the_daemon_is_stopped_in_the_middle_of_a_run_and_started_again(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service_ = serve(200, from_date=date(2026, 1, 1), to_date=date(2026, 1, 20))
    service_.state.set_faults(FaultRule(kind="latency", latency_ms=500, operation="details"))
    made = project(service_)
    in_flight = 8
    made.settings |= {
        "DAGSTER_HOME": str(made.folder),
        "ACTIVITIES_MAX_CONCURRENCY": str(in_flight),
    }
    environment = made.environment()
    with receiver() as inbox:
        made.settings["ACTIVITIES_ALERT_URLS"] = inbox.url
        prepared = exec_line(DAEMON, "ExecStartPre")
        subprocess.run(prepared, cwd=made.folder, env=environment, check=True, capture_output=True)
        with started(made) as daemon:
            eventually(lambda: alerts_began(made), "the alerts' sensor has had a tick")
            launch = [prepared[0], "job", "launch", "-w", "workspace.yaml", "-j", "sync_days_job"]
            launch += ["--tags", json.dumps(RANGE)]
            subprocess.run(
                launch, cwd=made.folder, env=environment, check=True, capture_output=True
            )
            eventually(
                lambda: service_.state.counters().by_operation["details"] > 40, "a run is on"
            )
            assert (
                service(DAEMON)["KillMode"] == "mixed"
            )  # the first signal is for the command alone
            daemon.send(signal.SIGTERM)
            daemon.end(float(service(DAEMON)["TimeoutStopSec"]))
            eventually(lambda: processes_in(made.folder) == {}, "the run's process has ended too")
        answered = service_.state.counters().by_status["details"]["200"]
        kept = stored(migrated_url)
        assert 0 < answered < 200
        # Nothing that was received is lost; some answers may have come after the signal.
        assert answered - in_flight <= kept <= answered
        service_.state.set_faults()
        with started(made), served(made):
            eventually(lambda: compare(migrated_url, service_.state.truth()) == [], "it goes on")
            eventually(lambda: inbox.texts or None, "the interruption has been told")
        again = service_.state.counters().by_status["details"]["200"] - answered
        assert again == 200 - kept
        assert service_.state.counters().logins == 2
        (text,) = inbox.texts
    # Dagster starts the run again by itself: only the cure is told.
    assert text.startswith("activity-warehouse: sync_days_job recovered\n")
    assert "days: 2026-01-01..2026-01-20\n" in text
    assert "at first: its process was told to end, by a restart or by somebody" in text


def started(made: Project) -> Command:
    """Start the daemon by its unit's command line."""
    return Command(exec_line(DAEMON), made.folder, made.environment())


@contextmanager
def served(made: Project) -> Iterator[None]:
    """Start the UI by its unit's command line, on a free port; end it as its unit does."""
    line = exec_line(WEBSERVER)
    line[line.index("3000")] = port = str(free_port())
    with Command(line, made.folder, made.environment()) as server:

        def answers() -> bool:
            assert server.process.poll() is None, server.said
            try:
                return httpx.get(f"http://127.0.0.1:{port}/server_info", trust_env=False).is_success
            except httpx.TransportError:
                return False

        eventually(answers, "the UI answers")
        yield
        server.send(signal.SIGTERM)
        server.end(float(service(WEBSERVER)["TimeoutStopSec"]))


def alerts_began(made: Project) -> bool:
    """Return whether the daemon has kept a cursor of the sensor, which the setting switched on."""
    with sqlite3.connect(made.folder / "schedules/schedules.db") as database:
        rows = database.execute("select job_body from jobs").fetchall()
    return any('"alerts"' in body and '"cursor": "{' in body for (body,) in rows)
