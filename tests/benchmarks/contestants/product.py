"""The product: `pipeline sync`, in a folder with the project's dagster.yaml."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from pipeline.cli import main

if TYPE_CHECKING:
    from tests.benchmarks.task import Task


def run(task: Task) -> None:
    """Run the command. Raises RuntimeError when it does not end well."""
    os.chdir(task.folder / "project")
    sys.argv = ["pipeline", *task.arguments]
    try:
        main()
    except SystemExit as ended:
        # `status` names what is wrong by 1: no daemon runs here.
        if ended.code and task.arguments != ("status",):
            raise RuntimeError(
                f"`pipeline {' '.join(task.arguments)}` ended {ended.code}"
            ) from None
