"""The ``pipeline`` command: names the commands and turns every error into one line."""

import gc
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import typer
from dotenv import load_dotenv
from typer.core import TyperGroup
from typer.main import get_command

from pipeline.commands.console import Exit, UsageWrong, err, tell
from pipeline.commands.interrupts import interrupts
from pipeline.service.errors import ServiceError
from pipeline.settings import SettingsInvalid
from pipeline.sync.options import SyncError
from pipeline.warehouse.errors import ExportRefused, WarehouseError, WarehouseUrlInvalid

#: When this variable is set, an unexpected error ends with its traceback.
_TRACEBACK = "PIPELINE_TRACEBACK"

#: The commands. Each one's module has a function of that name, or an ``app`` with subcommands.
_COMMANDS = (
    *("demo", "dev", "sync", "verify", "reparse", "erase", "export", "report", "drill"),
    *(
        "dictionary",
        "doctor",
        "status",
        "ui",
        "migrate",
        "sandbox",
        "runs",
        "quarantine",
        "authorize",
    ),
)


class _Commands(TyperGroup):
    """Imports a command only when it is used, so that each command starts as fast as it can."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = dict.fromkeys(_COMMANDS)  # type: ignore[assignment]

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        sandbox = cmd_name == "sandbox"
        module = import_module(
            f"pipeline.{'sandbox.command' if sandbox else f'commands.{cmd_name}'}"
        )
        found = getattr(module, "app", None)
        if found is None:
            found = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            found.command(cmd_name)(getattr(module, cmd_name))
        command = get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=_Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


@app.callback()
def pipeline() -> None:
    """Mirrors a Business Activities Service into a PostgreSQL warehouse."""


def main() -> None:
    """Run the command line and end the process with an exit code of `Exit`."""
    # Imports make next to no garbage, but looking for it takes a quarter of their CPU.
    gc.set_threshold(100_000)
    load_dotenv(Path.cwd() / ".env")  # variables that are already set win
    interrupts.listen()
    try:
        app()
    except (SettingsInvalid, UsageWrong, WarehouseUrlInvalid, ExportRefused) as error:
        _end(error, Exit.USAGE)
    except (ServiceError, WarehouseError, SyncError) as error:
        _end(error, Exit.FAILED)
    except SystemExit as ended:
        if ended.code == Exit.INTERRUPTED:  # typer's, for a KeyboardInterrupt
            _interrupted()
        raise
    except KeyboardInterrupt:
        _interrupted()
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        _end(
            f"unexpected {type(error).__name__}: run again with {_TRACEBACK}=1 for the traceback",
            Exit.FAILED,
        )
    finally:
        # An import is an exec. When a KeyboardInterrupt left the last exec, CPython remembers it and
        # `python -m` ends by SIGINT, in spite of our exit code. Another exec makes it forget.
        exec("")  # noqa: S102


def _interrupted() -> NoReturn:
    terminated = interrupts.heard() is signal.SIGTERM
    err.print("interrupted; what was fetched is kept, the next run goes on from there")
    sys.exit(Exit.TERMINATED if terminated else Exit.INTERRUPTED)


def _end(error: Exception | str, code: Exit) -> NoReturn:
    tell("error", error)
    sys.exit(code)
