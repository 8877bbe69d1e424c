"""Runs ``pipeline`` commands one after another in one process, with everything that can log at its loudest.

As a program: each line of stdin is JSON, ``{"arguments": [...], "settings": {...}}``; the exit code of each
is added as a line to the file named by the first argument.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.commands import CHECKOUT, Command, eventually

if TYPE_CHECKING:
    from tests.support.commands import Done, Project

_TALKERS = (
    "aiohttp", "asyncio", "dagster", "httpcore", "httpx", "pipeline", "psycopg", "sqlalchemy",
    "sqlalchemy.engine", "sqlalchemy.orm", "sqlalchemy.pool", "tenacity",
)  # fmt: skip


class LoudCommands(Command):
    """Commands under way in a project's folder; a context manager."""

    def __init__(self, project: Project) -> None:
        self._codes = project.folder / "codes"
        self._codes.touch()
        self._given = 0
        environment = project.environment(
            PYTHONPATH=str(CHECKOUT),
            PYTHONASYNCIODEBUG="1",
            PIPELINE_TRACEBACK="1",
        )
        command = [sys.executable, "-m", "tests.support.loud", str(self._codes)]
        super().__init__(command, project.folder, environment, stdin=subprocess.PIPE)

    def run(self, *arguments: str, **settings: str) -> int:
        """Run one command to its end; returns its exit code."""
        assert self.process.stdin is not None
        line = json.dumps({"arguments": arguments, "settings": settings})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        self._given += 1

        def ended() -> str | None:
            assert self.process.poll() is None, self.said
            codes = self._codes.read_text().split()
            return codes[-1] if len(codes) == self._given else None

        return int(eventually(ended, f"{arguments} has ended", 120))

    def finish(self) -> Done:
        """End the process, after its last command."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.end()


def _run(wish: dict[str, Any]) -> int:
    from pipeline.cli import main

    before = dict(os.environ)
    os.environ.update(wish["settings"])
    sys.argv = ["pipeline", *wish["arguments"]]
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    except Exception:
        traceback.print_exc()
        return 1
    finally:
        os.environ.clear()
        os.environ.update(before)
    return 0


def _main(codes_file: Path) -> None:
    logging.basicConfig(level=logging.NOTSET, format="%(name)s %(message)s %(args)s")
    for name in _TALKERS:
        logging.getLogger(name).setLevel(1)
    for line in sys.stdin:
        code = _run(json.loads(line))
        with codes_file.open("a") as codes:
            codes.write(f"{code}\n")


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
