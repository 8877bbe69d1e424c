"""``pipeline authorize confirm-restore``: what was sent since the backup, before anything is sent again."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline.commands import authorization_tables as tables
from pipeline.commands.authorize_results import read_lines
from pipeline.commands.console import Exit, UsageWrong, err, out, tell
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.settings import load_settings
from pipeline.warehouse import authorizations
from pipeline.warehouse.service_facts import forget


def confirm_restore(
    file: Annotated[
        Path | None,
        typer.Argument(help="A file that may have been sent since the backup.", show_default=False),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm without asking.")] = False,
) -> None:
    """Let requests be sent again after a restore.

    What was sent since the backup is linked by references, and shown. While the list can't be read in full
    and may hide requests, nothing can be confirmed: try again, or decide about each request.

    Exit code 0: nothing is left that may have been sent. 3: the people that are named may have been asked.
    """
    settings = load_settings()
    with open_warehouse() as engine:
        if not authorizations.detect_restore(engine):
            out.print("the warehouse was not restored, or that is confirmed already")
            return
        lines = read_lines(engine, file) if file else []
        fresh = [line for line in lines if line.fresh]
        run = settings.authorization_run(err.print)
        found = asyncio.run(run.review(fresh, file.name if file else ""))
        tables.print_review(found)
        if not found.conclusive:
            tell(
                "not confirmed",
                "the list could not be read in full, so nothing is sent: run this again, or decide about"
                " each request with `pipeline authorize resolve` or `cancel`, and leave the file out",
            )
            raise typer.Exit(Exit.INCOMPLETE)
        if not yes and not (sys.stdin.isatty() and typer.confirm("Send again?", err=True)):
            raise UsageWrong("nothing is sent yet; add --yes to confirm")
        forget(engine, authorizations.UNCONFIRMED)
    out.print("requests are sent again")
    if found.unsure:
        raise typer.Exit(Exit.INCOMPLETE)
