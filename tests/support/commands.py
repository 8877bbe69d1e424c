"""Runs the real ``pipeline`` command, as people do: in a folder of its own, with a clean environment."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.sandbox import Credentials

T = TypeVar("T")

CHECKOUT = Path(__file__).resolve().parents[2]

#: What a command inherits from the tests: nothing that configures the pipeline or Dagster.
_INHERITED = ("PATH", "LANG", "LC_ALL", "TMPDIR", "PIPELINE_POSTGRES_BIN")

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of stderr."""
        return [line for line in self.err.splitlines() if line.strip()]

    def __str__(self) -> str:
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


@dataclass
class Project:
    """A folder with the project's dagster.yaml and workspace.yaml, and the settings for it."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)

    def environment(self, **changes: str | None) -> dict[str, str]:
        """Return a command's whole environment; a setting given as None is left out."""
        kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        home = {"HOME": str(self.folder), "DAGSTER_HOME": str(self.folder)}
        asked = {**home, "COLUMNS": "200", **self.settings, **changes}
        return kept | {name: value for name, value in asked.items() if value is not None}

    def run(self, *arguments: str, **changes: str | None) -> Done:
        """Run ``pipeline`` to its end."""
        with self.start(*arguments, **changes) as command:
            return command.end()

    def start(self, *arguments: str, **changes: str | None) -> Command:
        """Start ``pipeline`` and return at once."""
        return Command(
            [sys.executable, "-m", "pipeline", *arguments],
            self.folder,
            self.environment(**changes),
        )


class Command:
    """A command under way, in a process group of its own; a context manager that leaves none of it."""

    def __init__(
        self,
        arguments: list[str],
        folder: Path,
        environment: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
    ) -> None:
        self._files: list[IO[bytes]] = []
        out, err = self._file(folder), self._file(folder)
        self.process = subprocess.Popen(
            arguments,
            cwd=folder,
            env=dict(environment),
            stdin=stdin,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )

    def _file(self, folder: Path) -> IO[bytes]:
        # Not pipes: what a killed command's children hold open would keep us reading for ever.
        name = folder / f"output-{time.monotonic_ns()}"
        self._files.append(name.open("w+b"))
        name.unlink()
        return self._files[-1]

    @property
    def said(self) -> tuple[str, str]:
        """What it wrote to stdout and stderr until now, without colours."""
        texts = []
        for file in self._files:
            size = os.fstat(file.fileno()).st_size
            raw = os.pread(file.fileno(), size, 0).decode("utf-8", "replace")
            texts.append(_COLOURS.sub("", raw).replace("\r", "\n"))
        return texts[0], texts[1]

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the command alone, not to what it started."""
        self.process.send_signal(number)

    def end(self, timeout: float = 120.0) -> Done:
        """Wait for its end."""
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            out, err = self.said
            raise AssertionError(f"still running after {timeout:g} s\n{out}\n{err}") from None
        return Done(code, *self.said)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for file in self._files:
            file.close()


def make_project(folder: Path, settings: Mapping[str, str]) -> Project:
    """Make a project's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("dagster.yaml", "workspace.yaml"):
        shutil.copy(CHECKOUT / name, folder / name)
    return Project(folder, dict(settings))


def service_settings(base_url: str, credentials: Credentials) -> dict[str, str]:
    """Return the settings that point at a service."""
    return {
        "ACTIVITIES_BASE_URL": base_url,
        "ACTIVITIES_API_KEY": credentials.api_key,
        "ACTIVITIES_USERNAME": credentials.username,
        "ACTIVITIES_PASSWORD": credentials.password,
        "ACTIVITIES_START_DATE": "2026-01-01",
    }


def eventually(look: Callable[[], T | None], what: str, seconds: float = 60.0) -> T:
    """Return what ``look`` finds as soon as it finds something (not None, not False)."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found is not None and found is not False:
            return found
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.05)


def processes_in(folder: Path) -> dict[int, str]:
    """Return number and command line of all processes that work in ``folder`` or name it."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            place = (process / "cwd").readlink()
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended meanwhile, or is another user's
        if place.is_relative_to(folder) or str(folder) in line:
            found[int(process.name)] = line.strip()
    return found
