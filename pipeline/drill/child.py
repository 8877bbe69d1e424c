"""A run in a process of its own, so that it can be killed: ``python -m pipeline.drill.child``.

The process reads its `Job` as JSON from stdin and ends 0 (complete), 3 (incomplete, with the reasons
on stderr) or 1 (stopped, with one line).
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from typing import Self

import msgspec

from pipeline.drill.job import Job, run
from pipeline.service.errors import ServiceError
from pipeline.sync.options import SyncError
from pipeline.warehouse.errors import WarehouseError

#: What stops a run with one clear line.
CLEAR_ERRORS = (ServiceError, WarehouseError, SyncError)


class Missed(Exception):
    """The moment at which a fault was to happen did not come; ``str()`` says which."""


class Child:
    """A job under way in a process of its own; a context manager that leaves nothing of it."""

    def __init__(self, job: Job) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pipeline.drill.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        stdin = self._process.stdin
        if stdin is not None:
            stdin.write(msgspec.json.encode(job))
            stdin.close()
            self._process.stdin = None

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def kill(self) -> int:
        """Kill it as ``kill -9`` does; return its exit code, -9. Raises `Missed` if it had ended."""
        if not self.alive:
            raise Missed(f"the run had ended with {self._process.returncode} before it was killed")
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.returncode != -signal.SIGKILL:
            raise Missed(f"the run ended with {self._process.returncode} while it was killed")
        return self._process.returncode

    def end(self, timeout: float = 120.0) -> int:
        """Wait for its end; return its exit code. Raises `Missed` when that takes too long."""
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Missed(f"the run has not ended within {timeout:g} s") from None

    def told(self, timeout: float = 120.0) -> str:
        """Wait for its end; return ``complete``, ``incomplete``, or ``stopped: `` and why."""
        code = self.end(timeout)
        said = self._process.stderr.read() if self._process.stderr is not None else b""
        cause = said.decode(errors="replace").strip().partition(";")[0]
        return {0: "complete", 3: "incomplete"}.get(code, f"stopped: {cause}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()


def main() -> int:
    """Do the job that stdin holds; return the exit code."""
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    try:
        done = asyncio.run(run(job))
    except CLEAR_ERRORS as error:
        sys.stderr.write(f"{error}\n")
        return 1
    problems = [problem for summary in done for problem in summary.problems]
    sys.stderr.write("\n".join(problems))
    return 3 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
