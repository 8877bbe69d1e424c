"""Where Dagster's files and its history are, and the private server of ``demo`` and ``dev``."""

import os
import shutil
from pathlib import Path

from pipeline.commands.console import UsageWrong, err
from pipeline.warehouse.sql import shipped

#: The files by which Dagster knows the project; the package brings both.
FILES = ("dagster.yaml", "workspace.yaml")


def home() -> Path:
    """Return the folder of Dagster's files and history (docs/operations.md "Where things lie").

    ``DAGSTER_HOME``, else this folder or the checkout if it has a dagster.yaml and can be written, else
    the user's folder for state, which is made, and named on stderr. Without a dagster.yaml of its own the
    folder gets a link to the package's. Raises `UsageWrong` when it is not there or can't be written.
    """
    given = os.environ.get("DAGSTER_HOME")
    if not given:
        for near in (Path.cwd(), Path(__file__).resolve().parents[2]):
            if (near / "dagster.yaml").is_file() and os.access(near, os.W_OK):
                return near
    place = Path(given).expanduser().resolve() if given else _state_folder()
    try:
        if not given and not place.is_dir():
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


def _state_folder() -> Path:
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".local/state") / "activity-warehouse"


def nearly_full(folder: Path) -> str | None:
    """Return how little room the disk of ``folder`` has, if it is less than 5 % and 1 GB; None: enough."""
    room = shutil.disk_usage(folder)
    if room.free >= min(room.total / 20, 1e9):
        return None
    return f"{room.free / 1e6:,.0f} MB of {room.total / 1e9:,.1f} GB are free at {folder}"
