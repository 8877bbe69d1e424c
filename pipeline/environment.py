"""The environment of every process: the real one first, then the ``.env`` of the folder in use.

That folder holds Dagster's history, too (docs/operations.md "Where things lie"). The file is read again
once it has changed, so the next run of a running daemon knows a new password. Dagster would read the
``.env`` of the folder in which it starts: `commands.serving` keeps that off.
"""

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from io import StringIO
from pathlib import Path

#: What the names of our settings begin with.
OURS = ("ACTIVITIES_", "WAREHOUSE_")

FILE = ".env"

#: No variable can hold a NUL; a surrogate stands for a byte that is no UTF-8.
_ILLEGIBLE = re.compile("[\0\ud800-\udfff]")


class SettingsInvalid(Exception):
    """Settings are missing or wrong; ``str()`` names all of them, without values of secrets."""


def folder() -> Path:
    """Return the folder in use, which may not be there yet.

    It is ``DAGSTER_HOME``, else this folder if it has a ``.env``, else this folder or the checkout if it
    has a ``dagster.yaml`` and can be written, else the user's folder for state.
    """
    if given := os.environ.get("DAGSTER_HOME"):
        return Path(given).expanduser().resolve()
    checkout = Path(__file__).resolve().parents[1]
    for near in (Path.cwd(), checkout):
        kept = (near / "dagster.yaml").is_file() and os.access(near, os.W_OK)
        if kept or (near == Path.cwd() and os.path.lexists(near / FILE)):
            return near
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".local/state") / "activity-warehouse"


def environment() -> Mapping[str, str]:
    """Return all variables. Raises `SettingsInvalid` when the file can't be read."""
    return {**_variables(), **os.environ}


def share_with_libraries() -> None:
    """Set what the file says for others than us: Dagster, PostgreSQL's client, proxies, OpenTelemetry.

    They read the process's own environment. Raises `SettingsInvalid`.
    """
    for name, value in _variables().items():
        if not name.startswith(OURS):
            os.environ.setdefault(name, value)


def _variables() -> Mapping[str, str]:
    file = folder() / FILE
    if not os.path.lexists(file):
        return {}
    try:
        found = file.stat()
        return _read(file, (found.st_ino, found.st_mtime_ns, found.st_size))
    except OSError as error:
        raise SettingsInvalid(
            f"{file} can't be read: {error.strerror}; correct or remove it"
        ) from None


@lru_cache(maxsize=4)
def _read(file: Path, _: object) -> Mapping[str, str]:
    """Read the file with python-dotenv, which keeps ``$`` as it is; refuse what it would skip."""
    from dotenv.parser import parse_stream  # most commands' help needs none of it

    text = file.read_text("utf-8-sig", "surrogateescape")
    values: dict[str, str] = {}
    for line in parse_stream(StringIO(text)):
        said = f"{line.key}{line.value}"
        if line.error or (line.key and line.value is None) or _ILLEGIBLE.search(said):
            raise SettingsInvalid(
                f"{file}, line {line.original.line}: can't be read; write NAME=value, or NAME='value' if"
                " the value has blanks, quotes or a #"
            )
        if line.key and line.value is not None:
            values[line.key] = line.value
    if "DAGSTER_HOME" in values and Path(values["DAGSTER_HOME"]).resolve() != file.parent.resolve():
        raise SettingsInvalid(
            f"{file} names another folder as DAGSTER_HOME: set that outside of the file, or remove it"
        )
    return values
