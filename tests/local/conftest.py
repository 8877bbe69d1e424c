"""Folders and servers for the tests of the local PostgreSQL itself."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from pipeline.local import LocalPostgres
from tests.support.postgres import HASTY, discard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class MakeServer(Protocol):
    """Makes a server's object, which is stopped and deleted after the test."""

    def __call__(self, home: Path, *, settings: Mapping[str, str] = HASTY) -> LocalPostgres:
        """Return the object; nothing is started yet."""
        ...


class RunPython(Protocol):
    """Starts a process of its own that runs a piece of Python."""

    def __call__(self, code: str, *arguments: object) -> subprocess.Popen[str]:
        """Return the process; it's killed after the test if it still runs."""
        ...


@pytest.fixture
def folder(servers_folder: Path) -> Path:
    """Return a new folder that every user can enter; it's removed after the session."""
    made = Path(tempfile.mkdtemp(dir=servers_folder))
    made.chmod(0o755)
    return made


@pytest.fixture
def make_server() -> Iterator[MakeServer]:
    """Yield the maker of servers."""
    made: list[LocalPostgres] = []

    def make(home: Path, *, settings: Mapping[str, str] = HASTY) -> LocalPostgres:
        made.append(LocalPostgres(home, settings=settings))
        return made[-1]

    yield make
    for server in made:
        discard(server)


@pytest.fixture
def run_python() -> Iterator[RunPython]:
    """Yield the starter of processes."""
    started: list[subprocess.Popen[str]] = []

    def run(code: str, *arguments: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        with process:
            process.kill()
