"""Serving a sandbox: from a thread, and as `pipeline sandbox` for people."""

from __future__ import annotations

import httpx
import pytest
import typer
from typer.testing import CliRunner

from pipeline.sandbox import Credentials, Running, SandboxSettings, SandboxState
from pipeline.sandbox.command import sandbox

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
