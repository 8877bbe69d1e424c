"""The ``pipeline`` command: names the commands and turns every error into one line."""

import gc
import signal
import sys
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from pipeline.commands import STYLE, interrupts
from pipeline.environment import share_with_libraries

#: The commands by group, and what `--help` says of each. A command's module has a function of its name, or
#: an ``app`` with subcommands, and is imported only when the command is used: help must be quick.
GROUPS = {
    "Sync": {
        "sync": "Bring the warehouse up to date.",
        "quarantine": "List, show or retry what could not be fetched or stored.",
        "reparse": "Rebuild the tables from landing, without one request.",
        "ui": "Open the Dagster UI and run the schedule, until Ctrl-C.",
        "daemon": "Run the schedule without the UI, until Ctrl-C.",
    },
    "Look": {
        "status": "Say whether the nights happen and nothing stands still.",
        "runs": "List the newest runs, and show what each changed.",
        "report": "Write one HTML page of charts.",
        "export": "Write a view of analytics as CSV or Parquet.",
    },
    "People": {
        "person": "Write all that is held of one person.",
        "erase": "Erase personal data for good.",
    },
    "Authorizations": {"authorize": "Ask people for data, each once."},
    "Set up": {
        "init": "Write .env, dagster.yaml and workspace.yaml into this folder.",
        "doctor": "Check settings, service, warehouse, alerts and Dagster.",
        "migrate": "Bring the warehouse's schema up to date.",
    },
    "Try": {
        "demo": "Show the product on this machine, without any account.",
        "dev": "Open the Dagster UI on a made-up service, until Ctrl-C.",
        "sandbox": "Serve a made-up service, until Ctrl-C.",
    },
}

#: They read no settings: `init` writes them, the others bring their own.
_WITHOUT_SETTINGS = ("init", "demo", "dev", "sandbox")

COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}


class _Command(TyperCommand):
    """A command that is not imported yet; the real one takes its place when its arguments are read."""

    def make_context(self, info_name: str | None, args: list[str], **more: Any) -> Any:  # type: ignore[override]
        return load(str(self.name)).make_context(info_name, args, **more)


class _Commands(TyperGroup):
    """The commands by name, none of them imported."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = {name: _Command(name, help=text) for name, text in COMMANDS.items()}

    def format_commands(self, _: Any, formatter: Any) -> None:
        """Write the commands in their groups."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                # As wide as the longest, so that the texts of all groups begin in one column.
                formatter.write_dl([(f"{name:10}", text) for name, text in commands.items()])


def load(name: str) -> Any:
    """Import a command and return it."""
    module = import_module(
        "pipeline.sandbox.command" if name == "sandbox" else f"pipeline.commands.{name}"
    )
    found = getattr(module, "app", None)
    if found is None:
        found = typer.Typer(**STYLE)
        found.command(name)(getattr(module, name))
    command = get_command(found)
    command.name = name
    return command


app = typer.Typer(cls=_Commands, no_args_is_help=True, **STYLE | {"add_completion": True})


def _print_version(asked: bool) -> None:
    if asked:
        share_with_libraries()  # the daemon's unit asks for the version to learn whether .env is refused
        from pipeline.commands.versions import versions

        typer.echo(versions())
        raise typer.Exit


@app.callback()
def pipeline(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback prints it
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the versions."
        ),
    ] = False,
) -> None:
    """Mirrors a Business Activities Service into a PostgreSQL warehouse."""
    if context.invoked_subcommand not in _WITHOUT_SETTINGS and not {"-h", "--help"} & set(sys.argv):
        share_with_libraries()


def main() -> None:
    """Run the command line and end the process with an exit code of `Exit`."""
    # Imports make next to no garbage, but looking for it takes a quarter of their CPU.
    gc.set_threshold(1_000_000)
    interrupts.listen()
    try:
        app()
    except SystemExit as ended:
        if ended.code == 128 + signal.SIGINT:  # typer's, for a KeyboardInterrupt
            _interrupted()
        raise
    except KeyboardInterrupt:
        _interrupted()
    except Exception as error:
        if interrupts.heard():  # a library that a signal stops in between may raise its own error
            _interrupted()
        from pipeline.commands.console import tell
        from pipeline.commands.failures import describe

        line, code = describe(error)
        tell("error", line)
        sys.exit(code)
    finally:
        gc.freeze()  # all is freed without it: the interpreter would search everything once more at its end
        # An import is an exec. When a KeyboardInterrupt left the last exec, CPython remembers it and
        # `python -m` ends by SIGINT, in spite of our exit code. Another exec makes it forget.
        exec("")  # noqa: S102


def _interrupted() -> NoReturn:
    from pipeline.commands.console import err

    err.print("interrupted; what was fetched is kept, the next run goes on from there")
    sys.exit(128 + (interrupts.heard() or signal.SIGINT))
