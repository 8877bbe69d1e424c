"""Runs one contestant in a process of its own, which is measured from its start to its exit.

It is started as ``python -m tests.benchmarks.contestant floor task.json peak.txt``.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

from tests.benchmarks.task import Task


def peak() -> int:
    """Return the peak memory of this process in bytes."""
    # Not getrusage's: that one begins with what the parent had when it forked.
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def main() -> None:
    """Run the contestant named first for the task named second; write its peak memory to the third."""
    name, task_file, peak_file = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    task = Task.read(task_file)
    os.environ |= task.settings
    importlib.import_module(f"tests.benchmarks.contestants.{name}").run(task)
    peak_file.write_text(str(peak()))


if __name__ == "__main__":
    main()
