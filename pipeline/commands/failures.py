"""What an exception says to the person who ran a command, and the exit code; imported when one came.

The exit code 3 is not decided here: no exception leads to it (see `console.Exit`).
"""

import errno
import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from pipeline.commands.console import Exit, UsageWrong
from pipeline.environment import folder
from pipeline.service.errors import ServiceError
from pipeline.settings import SettingsInvalid
from pipeline.sync.options import SyncError
from pipeline.warehouse.database.errors import ExportRefused, WarehouseError, WarehouseUrlInvalid

T = TypeVar("T")

#: When this variable is set, an unexpected error ends with its traceback.
_TRACEBACK = "PIPELINE_TRACEBACK"

#: A disk, or a user's share of it, is full.
_FULL = (errno.ENOSPC, errno.EDQUOT)


#: Their text is one clear line. The first ones are the caller's to correct.
_WRONG_USAGE = (UsageWrong, SettingsInvalid, WarehouseUrlInvalid, ExportRefused)
_CLEAR = (*_WRONG_USAGE, ServiceError, WarehouseError, SyncError)


def describe(error: Exception) -> tuple[str, Exit]:
    """Return the line to print and how to exit. Raises ``error`` when its traceback is asked for."""
    line = _one_line(error)
    if _is_full(error):
        # Python would try once more to write the rest of stdout, and end with a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return line, Exit.USAGE if isinstance(error, _WRONG_USAGE) else Exit.FAILED


def guarded(findings: Iterable[T], finding: Callable[[str], T]) -> Iterator[T]:
    """Yield the findings. An error, whichever it is, ends them with the ``finding`` that has its line.

    Raises it when its traceback is asked for.
    """
    try:
        yield from findings
    except Exception as error:
        yield finding(_one_line(error))


def _one_line(error: Exception) -> str:
    """Return the line of an error of ours; of any other its class, since its text may quote values."""
    text = str(error)
    if isinstance(error, _CLEAR):
        return text
    if os.environ.get(_TRACEBACK):
        raise error
    # Of Dagster's history: the warehouse's errors have classes of ours.
    if isinstance(error, sqlite3.Error) or type(error).__module__.startswith("sqlalchemy"):
        return _of_history(error)
    if _is_full(error):
        place = getattr(error, "filename", None) or "stdout or a file"
        return f"no space left on the disk for {place}: make room, then run again"
    return f"unexpected {type(error).__name__}: run again with {_TRACEBACK}=1 for the traceback"


def _of_history(error: Exception) -> str:
    """Return the line of an error of Dagster's history. SQL and its values stay out of it."""
    from pipeline.commands.home import nearly_full

    place, cause = folder(), getattr(error, "orig", error)
    full = nearly_full(place)
    if full or "disk is full" in str(cause):
        where = f"the disk for Dagster's history ({full or place})"
        return f"no space left on {where}: make room, then run again"
    reason = str(cause) if isinstance(cause, sqlite3.Error) else "no answer"
    return f"Dagster's history in {place} can't be used ({reason}): `pipeline doctor` says more"


def _is_full(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno in _FULL
