"""What every run that uses Dagster pays: its import."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.benchmarks.task import Task


def run(_: Task) -> None:
    """Import it."""
    importlib.import_module("dagster")
