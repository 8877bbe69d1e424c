"""Starts a sandbox as a process of its own, for tests that must not share its interpreter."""

from __future__ import annotations

import subprocess
import sys
from typing import Self

import msgspec

from .remote import RemoteControls
from .settings import Credentials, SandboxSettings


class Announcement(msgspec.Struct, frozen=True):
    """The line a sandbox prints when it takes connections."""

    base_url: str
    pid: int


class SandboxProcess:
    """`python -m pipeline.sandbox` with these settings; a context manager that ends it.

    `port` 0 takes a free one. RuntimeError, with what it said, when it doesn't start.
    """

    def __init__(self, settings: SandboxSettings | None = None, port: int = 0) -> None:
        self.settings = settings or SandboxSettings()
        command = [sys.executable, "-m", "pipeline.sandbox", "--port", str(port)]
        self._process = subprocess.Popen(
            [*command, "--settings", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101  # for the type checker: it is a pipe
        assert stdout is not None  # noqa: S101
        stdin.write(msgspec.json.encode(self.settings))
        stdin.close()
        line = stdout.readline()
        if not line:
            raise RuntimeError(f"the sandbox ended with {self._process.wait()}")
        self.announcement = msgspec.json.decode(line, type=Announcement)
        self.base_url = self.announcement.base_url
        self.controls = RemoteControls(self.base_url)

    @property
    def credentials(self) -> Credentials:
        """The credentials the service takes."""
        return self.settings.credentials

    def kill(self) -> None:
        """Kill it at once: every connection is lost."""
        self._process.kill()
        self._process.wait()

    def close(self) -> int:
        """End it; returns its exit code."""
        self.controls.close()
        self._process.terminate()
        code = self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
