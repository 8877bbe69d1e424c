"""The ``pipeline`` command: registers the commands and turns every expected error into one line."""

import os
import signal
import sys
from typing import NoReturn

import typer

from pipeline.commands import quarantine, runs
from pipeline.commands.console import Exit, UsageWrong, err, read_dotenv, tell
from pipeline.commands.demo import demo
from pipeline.commands.dev import dev
from pipeline.commands.dictionary import dictionary
from pipeline.commands.doctor import doctor
from pipeline.commands.drill import drill
from pipeline.commands.erase import erase
from pipeline.commands.export import export
from pipeline.commands.interrupts import interrupts
from pipeline.commands.migrate import migrate
from pipeline.commands.reparse import reparse
from pipeline.commands.report import report
from pipeline.commands.sync import sync
from pipeline.commands.verify import verify
from pipeline.sandbox.command import sandbox
from pipeline.service.errors import ServiceError
from pipeline.settings import SettingsInvalid
from pipeline.sync.options import SyncError
from pipeline.warehouse.errors import ExportRefused, WarehouseError, WarehouseUrlInvalid

#: Set to anything, it lets an error that nobody expected end with its traceback.
_TRACEBACK = "PIPELINE_TRACEBACK"

app = typer.Typer(
    help="Mirrors a Business Activities Service into a PostgreSQL warehouse.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    demo,
    dev,
    sync,
    verify,
    reparse,
    erase,
    export,
    report,
    drill,
    dictionary,
    doctor,
    migrate,
    sandbox,
):
    app.command()(command)
app.add_typer(runs.app, name="runs")
app.add_typer(quarantine.app, name="quarantine")


def main() -> None:
    """Run the command line; ends the process with an exit code of `Exit`."""
    read_dotenv()
    try:
        with interrupts:
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
        name = type(error).__name__
        _end(f"an unexpected {name}; with {_TRACEBACK}=1 it tells where", Exit.FAILED)


def _interrupted() -> NoReturn:
    terminated = interrupts.heard() is signal.SIGTERM
    err.print("interrupted; what was fetched is kept, the next run goes on from there")
    sys.exit(Exit.TERMINATED if terminated else Exit.INTERRUPTED)


def _end(error: Exception | str, code: Exit) -> NoReturn:
    tell("error", error)
    sys.exit(code)
