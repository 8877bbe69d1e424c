"""``pipeline authorize confirm-restore``: what was sent since the backup, before anything is sent again."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline.authorizations.requests import Request
from pipeline.commands import authorization_tables as tables
from pipeline.commands.authorize_results import read_lines
from pipeline.commands.console import Exit, UsageWrong, err, out
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.settings import load_settings
from pipeline.warehouse import authorizations


def confirm_restore(
    file: Annotated[
        Path | None,
        typer.Argument(help="A file that may have been sent since the backup.", show_default=False),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm without asking.")] = False,
) -> None:
    """Show what was sent since the backup, link it by references, and let requests be sent again.

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
        found = asyncio.run(run.review(fresh))
        tables.print_review(found)
        if not yes and not (sys.stdin.isatty() and typer.confirm("Send again?", err=True)):
            raise UsageWrong("nothing was changed; add --yes to confirm")
        # They were asked: stored and linked, so that a file that is sent again knows them.
        lines = [owner for owner in found.look.owners.values() if isinstance(owner, Request)]
        requests = [line.columns(file.name if file else "") for line in lines]
        authorizations.add(engine, requests, 0, skip=True)
        linked = asyncio.run(run.confirm())
    out.print(f"{linked:,} requests are linked; requests are sent again")
    if found.unsure:
        raise typer.Exit(Exit.INCOMPLETE)
