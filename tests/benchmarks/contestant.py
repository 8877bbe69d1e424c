"""Runs one contestant in a process of its own, and measures it there.

    python -m tests.benchmarks.contestant floor task.json result.json

What it imports, also late, is imported before the clock starts: the names were noted by a run before.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.task import Task


@dataclass(frozen=True)
class Used:
    """What a process used up to some moment: seconds of its CPU, its peak memory in bytes."""

    cpu: float
    peak: int

    @classmethod
    def now(cls) -> Used:
        """Return what this process and the children it has waited for used until now."""
        own, children = (
            resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
        return cls(cpu, _peak())


def _peak() -> int:
    # Not getrusage's: that one begins with what the parent had when it forked.
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def import_noted(noted: Path) -> None:
    """Import what a run before imported, in its order."""
    if not noted.exists():
        return
    for name in json.loads(noted.read_text()):
        with suppress(Exception):  # made up at run time, not to be had by its name
            importlib.import_module(name)


def main() -> None:
    """Run the contestant named first for the task named second; write what it used to the third."""
    name, task_file, result_file = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    task = Task.read(task_file)
    contestant = importlib.import_module(f"tests.benchmarks.contestants.{name}")
    os.environ |= task.settings  # read already by what is imported
    noted = task.folder / f"{name}-imports.json"
    import_noted(noted)
    before, began = Used.now(), time.monotonic()
    contestant.run(task)
    seconds, after = time.monotonic() - began, Used.now()
    noted.write_text(json.dumps(list(sys.modules)))
    result_file.write_text(
        json.dumps({"seconds": seconds, "before": asdict(before), "after": asdict(after)})
    )


if __name__ == "__main__":
    main()
