"""Serving a sandbox: from a thread, and as `pipeline sandbox` for people."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import httpx
import pytest
import typer
from typer.testing import CliRunner

from pipeline.sandbox import Credentials, Running, SandboxSettings, SandboxState
from pipeline.sandbox.command import sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

RUN = "import typer; from pipeline.sandbox.command import sandbox; typer.run(sandbox)"
app = typer.Typer()
app.command()(sandbox)


def logged_in(base_url: str, credentials: Credentials) -> httpx.Client:
    caller = httpx.Client(
        base_url=f"{base_url}/business/v1", headers={"x-api-key": credentials.api_key}
    )
    given = caller.post("/auth", auth=(credentials.username, credentials.password))
    assert given.status_code == 201
    caller.headers["Authorization"] = f"Bearer {given.json()['token']}"
    return caller


def test_a_sandbox_that_was_down_serves_the_same_world_again() -> None:
    state = SandboxState(SandboxSettings(activities=5))
    with Running(state) as running:
        port = int(running.base_url.rpartition(":")[2])
        caller = logged_in(running.base_url, running.credentials)
    with pytest.raises(httpx.TransportError):
        caller.get("/activities")
    with Running(state, port=port):
        assert caller.get("/activities").status_code == 200
        with pytest.raises(OSError, match="in use"):
            Running(SandboxState(SandboxSettings(activities=1)), port=port)


@pytest.fixture
def command() -> Iterator[subprocess.Popen[str]]:
    arguments = ["--port", "0", "--activities", "30", "--timezone", "America/Lima"]
    arguments += ["--from", "2026-01-01", "--to", "2026-01-31"]
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_tells_its_environment_and_ends_cleanly(
    number: signal.Signals, command: subprocess.Popen[str]
) -> None:
    assert command.stdout is not None
    lines = [command.stdout.readline() for _ in range(7)]
    assert lines[0].startswith("# 30 made-up activities")
    environment = dict(shlex.split(line)[0].split("=", 1) for line in lines[1:])
    assert environment.keys() == {
        "ACTIVITIES_BASE_URL", "ACTIVITIES_API_KEY", "ACTIVITIES_USERNAME",
        "ACTIVITIES_PASSWORD", "ACTIVITIES_TIMEZONE", "ACTIVITIES_START_DATE",
    }  # fmt: skip
    assert environment["ACTIVITIES_TIMEZONE"] == "America/Lima"
    assert environment["ACTIVITIES_START_DATE"] == "2026-01-01"
    credentials = Credentials(
        username=environment["ACTIVITIES_USERNAME"],
        password=environment["ACTIVITIES_PASSWORD"],
        api_key=environment["ACTIVITIES_API_KEY"],
    )
    caller = logged_in(environment["ACTIVITIES_BASE_URL"], credentials)
    assert len(caller.get("/activities", params={"limit": 30}).json()["data"]) == 30
    command.send_signal(number)
    _, said = command.communicate(timeout=10)
    assert command.returncode == 0
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "wrong",
    [
        ["--from", "2026-13-01"],
        ["--from", "2026-02-01", "--to", "2026-01-01"],
        ["--timezone", "Mars/X"],
        ["--activities", "-1"],
        ["--port", "70000"],
        ["--host", "no-such-host.invalid", "--activities", "1"],
    ],
)
def test_wrong_options_end_with_2(wrong: list[str]) -> None:
    result = CliRunner().invoke(app, wrong)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
