"""Runs the real ``pipeline`` command, as people do: in a folder of its own, with a clean environment.

To import the libraries takes most of a short command's time. So each command is a process of its own that
is forked from one in which they are imported (`tests.support.warm`).
"""

from __future__ import annotations

import multiprocessing
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import time
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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

    def start(self, *arguments: str, **changes: str | None) -> ForkedCommand:
        """Start ``pipeline`` and return at once."""
        return ForkedCommand(None, arguments, self.folder, self.environment(**changes))

    def start_python(self, code: str, *arguments: str) -> ForkedCommand:
        """Start a Python program that uses the libraries of ``pipeline``."""
        return ForkedCommand(code, arguments, self.folder, self.environment())

    def run_python(self, code: str, *arguments: str) -> Done:
        """Run a Python program to its end, which must be a good one."""
        with self.start_python(code, *arguments) as program:
            done = program.end()
        assert done.code == 0, done
        return done

    def start_interpreter(self, *arguments: str, **changes: str | None) -> Command:
        """Start ``pipeline`` in a new interpreter, for what depends on imports or is measured."""
        command = [sys.executable, "-m", "pipeline", *arguments]
        return Command(command, self.folder, self.environment(**changes))


class Underway:
    """A process in a group of its own, its output in files; a context manager that leaves none of it.

    Not pipes: what a killed command's children hold open would keep us reading for ever.
    """

    process: subprocess.Popen[bytes] | _Fork

    def __init__(self, folder: Path) -> None:
        names = [folder / f"output-{time.monotonic_ns()}-{stream}" for stream in ("out", "err")]
        self._files = [name.open("w+b") for name in names]

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


class Command(Underway):
    """Any command, in a new interpreter or program."""

    process: subprocess.Popen[bytes]

    def __init__(
        self,
        arguments: list[str],
        folder: Path,
        environment: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
    ) -> None:
        super().__init__(folder)
        out, err = self._files
        for file in self._files:
            Path(file.name).unlink()
        self.process = subprocess.Popen(
            arguments,
            cwd=folder,
            env=dict(environment),
            stdin=stdin,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )


class ForkedCommand(Underway):
    """``python -m pipeline``, or ``python -c code``, in a fork of the warm process."""

    def __init__(
        self,
        code: str | None,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
    ) -> None:
        super().__init__(folder)
        names = [str(file.name) for file in self._files]
        self.process = _Fork(_become, code, arguments, folder, dict(environment), names)


class _Fork:
    """A process forked from the one that is warm; what is used of it is as in ``subprocess.Popen``."""

    def __init__(self, target: Callable[..., None], *arguments: object) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.support.warm"])
        self._process = context.Process(target=target, args=arguments)
        with chdir(CHECKOUT):  # the first one starts the warm process, which imports from here
            self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if (code := self.poll()) is None:
            raise subprocess.TimeoutExpired("pipeline", timeout or 0)
        return code

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)


def _become(
    code: str | None,
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    outputs: Sequence[str],
) -> None:
    """Become the command: all that a new process would have is set in this one."""
    os.setsid()
    for number, name in enumerate(outputs, start=1):
        with Path(name).open("ab") as file:
            os.dup2(file.fileno(), number)
        Path(name).unlink()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.dont_write_bytecode = False  # the tests' own environment may say otherwise
    sys.argv = ["-c" if code else "pipeline", *arguments]
    sys.path.insert(0, str(folder))
    if code is None:
        runpy.run_module("pipeline", run_name="__main__", alter_sys=True)
    else:
        exec(code, vars(sys.modules["__main__"]))  # noqa: S102 - a program of a test


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


def eventually(
    look: Callable[[], T | None], what: str, seconds: float = 60.0, *, pause: float = 0.05
) -> T:
    """Return what ``look`` finds as soon as it finds something (not None, not False)."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found is not None and found is not False:
            return found
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(pause)


def processes_in(folder: Path) -> dict[int, str]:
    """Return number and command line of all processes that work in ``folder``, or on its history."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            place = (process / "cwd").readlink()
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            history = f"DAGSTER_HOME={folder}".encode() in (process / "environ").read_bytes()
        except OSError:
            continue  # it has ended meanwhile, or is another user's
        if place.is_relative_to(folder) or history or str(folder) in line:
            found[int(process.name)] = line.strip()
    return found
