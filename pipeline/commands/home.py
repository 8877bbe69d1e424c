"""The folder in use, made ready for Dagster's history; the private folder of ``demo`` and ``dev``."""

import os
import shutil
from pathlib import Path

from pipeline.commands.console import UsageWrong, err
from pipeline.environment import folder
from pipeline.warehouse.database.sql import shipped

#: The files by which Dagster knows the project; the package brings both.
FILES = ("dagster.yaml", "workspace.yaml")


def home() -> Path:
    """Return the folder in use, with Dagster's history (docs/operations.md "Where things lie").

    The user's folder for state is made, and named on stderr. Without a dagster.yaml of its own the folder
    gets a link to the package's. Raises `UsageWrong` when it is not there or can't be written.
    """
    place = folder()
    try:
        if not os.environ.get("DAGSTER_HOME") and not place.is_dir():
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            err.print(f"Dagster's history and the demo's PostgreSQL go to {place}")
        file = place / "dagster.yaml"
        if not file.is_file():
            # A link, so that an update of the package updates it too. Two commands may make it at once:
            # each makes its own, and a rename is never seen half done.
            new = file.with_name(f".{file.name}.{os.getpid()}")
            new.symlink_to(shipped(file.name))
            new.replace(file)
    except OSError as error:
        remedy = "set DAGSTER_HOME to a folder that you may write to"
        raise UsageWrong(
            f"{place} can't hold Dagster's history ({error.strerror}): {remedy}"
        ) from None
    return place


def nearly_full(folder: Path) -> str | None:
    """Return how little room the disk of ``folder`` has, if it is less than 5 % and 1 GB; None: enough."""
    room = shutil.disk_usage(folder)
    if room.free >= min(room.total / 20, 1e9):
        return None
    return f"{room.free / 1e6:,.0f} MB of {room.total / 1e9:,.1f} GB are free at {folder}"
