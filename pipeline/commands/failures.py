"""What an exception says to the person who ran a command, and the exit code; imported when one came."""

import errno
import os
import sys

from pipeline.commands.console import Exit, UsageWrong
from pipeline.service.errors import ServiceError
from pipeline.settings import SettingsInvalid
from pipeline.sync.options import SyncError
from pipeline.warehouse.errors import ExportRefused, WarehouseError, WarehouseUrlInvalid

#: When this variable is set, an unexpected error ends with its traceback.
_TRACEBACK = "PIPELINE_TRACEBACK"

#: A disk, or a user's share of it, is full.
_FULL = (errno.ENOSPC, errno.EDQUOT)


def describe(error: Exception) -> tuple[Exception | str, Exit]:
    """Return the line to print and how to exit. Raises ``error`` when its traceback is asked for."""
    match error:
        case UsageWrong() | SettingsInvalid() | WarehouseUrlInvalid() | ExportRefused():
            return error, Exit.USAGE
        case ServiceError() | WarehouseError() | SyncError():
            return error, Exit.FAILED
    if os.environ.get(_TRACEBACK):
        raise error
    if isinstance(error, OSError) and error.errno in _FULL:
        # Python would try once more to write the rest of stdout, and end with a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return one_line(error), Exit.FAILED


def one_line(error: Exception) -> str:
    """Return the line of an error of ours; of any other its class, since its text may quote values."""
    match error:
        case UsageWrong() | SettingsInvalid() | ServiceError() | WarehouseError() | SyncError():
            return str(error)
    text = str(error)
    if "database or disk is full" in text or "unable to open database" in text:
        # SQLite's words; only Dagster uses it.
        return "no space left on the disk for Dagster's history: make room, then run again"
    if isinstance(error, OSError) and error.errno in _FULL:
        place = error.filename or "stdout or a file"
        return f"no space left on the disk for {place}: make room, then run again"
    return f"unexpected {type(error).__name__}: run again with {_TRACEBACK}=1 for the traceback"
