"""Sandboxes served on a free port, and callers that are logged in."""

from __future__ import annotations

import datetime as dt
import ssl
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from pipeline.sandbox import Running, SandboxSettings, SandboxState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    #: Serves a sandbox with these settings; logs a caller in.
    Serve = Callable[..., Running]
    Connect = Callable[..., httpx.Client]

NOON = dt.datetime(2026, 3, 31, 12, tzinfo=dt.UTC)


@pytest.fixture(scope="session")
def tls() -> ssl.SSLContext:
    """One context for all clients: making one takes longer than most of these tests."""
    return ssl.create_default_context()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve a sandbox of 300 activities in the first quarter of 2026, its clock frozen at noon."""
    served: list[Running] = []

    def start(**settings: Any) -> Running:
        chosen: dict[str, Any] = {
            "activities": 300,
            "from_date": dt.date(2026, 1, 1),
            "to_date": dt.date(2026, 3, 31),
            "now": NOON,
            "frozen": True,
        }
        served.append(Running(SandboxState(SandboxSettings(**(chosen | settings)))))
        return served[-1]

    yield start
    for running in served:
        running.close()


@pytest.fixture
def client(tls: ssl.SSLContext) -> Iterator[Connect]:
    """Make a client of the service; `login` (by default) gives it a token in its headers."""
    made: list[httpx.Client] = []

    def connect(running: Running, *, login: bool = True) -> httpx.Client:
        credentials = running.credentials
        caller = httpx.Client(
            base_url=f"{running.base_url}/business/v1",
            headers={"x-api-key": credentials.api_key},
            verify=tls,
            trust_env=False,
            timeout=10,
        )
        made.append(caller)
        if login:
            given = caller.post("/auth", auth=(credentials.username, credentials.password))
            caller.headers["Authorization"] = f"Bearer {given.json()['token']}"
        return caller

    yield connect
    for caller in made:
        caller.close()
