"""``pipeline authorize``: ask people for data, each once (docs/design.md "Authorizations")."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
import typer
from typer.core import TyperGroup

from pipeline.authorizations.files import requirements_cell
from pipeline.authorizations.intake import find_stored
from pipeline.authorizations.phones import mask_in
from pipeline.authorizations.references import compose
from pipeline.authorizations.requests import Request
from pipeline.authorizations.run import RESTORED
from pipeline.commands import STYLE
from pipeline.commands.authorize_decisions import cancel, confirm_restore, resolve
from pipeline.commands.authorize_results import list_, read_lines, receiver, results
from pipeline.commands.console import Exit, UsageWrong, confirm, err, out, print_table, tell
from pipeline.commands.open_warehouse import migrate_warehouse, open_warehouse
from pipeline.configured import authorization_run
from pipeline.settings import Settings, load_settings
from pipeline.warehouse.requests import authorizations

_MOST_PLANNED = 20


class _FileFirst(TyperGroup):
    """Reads ``authorize people.csv`` as ``authorize send people.csv``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``send`` in front of arguments that begin with no command."""
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["send", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    **STYLE,
    help="Ask people for data, each once: `authorize FILE` checks a .csv file and sends it.",
    no_args_is_help=True,
    cls=_FileFirst,
)


@app.command()
def send(
    file: Annotated[
        Path | None,
        typer.Argument(help="Whom to ask for what; none: what is queued."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be sent, and send nothing.")
    ] = False,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Send the good lines of a file with bad ones.")
    ] = False,
    queue_only: Annotated[
        bool, typer.Option("--queue-only", help="Queue, and leave sending to the Dagster job.")
    ] = False,
    queued_too: Annotated[
        bool, typer.Option("--queued", help="Send what was queued before this file, too.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking.")] = False,
) -> None:
    """Send a file's requests; without a file, what is queued. A file sent twice sends nothing twice.

    Exit code 0: everything was sent. 1: failed. 2: wrong usage, settings or lines. 3: sent, with the
    exceptions that are named.
    """
    if not dry_run:
        if not queue_only:
            load_settings()  # wrong settings must show before anything is queued
        migrate_warehouse()
    with open_warehouse() as engine:
        lines = read_lines(engine, file) if file else []
        if file:
            _print_problems(lines)
            _refuse_bad(lines, skip_invalid=skip_invalid)
            _print_plan(lines, Settings().authorizations_reference)
        fresh = [line for line in lines if line.fresh]
        if not dry_run and authorizations.detect_restore(engine):
            raise UsageWrong(RESTORED)
        queued = {row.id for row in authorizations.find(engine, "states", states=["queued"])}
        known = {line.known.id for line in lines if line.known}
        ours = queued & known if file and not queued_too else queued
        if left := len(queued - ours):
            err.print(f"{left:,} queued before are left out: --queued sends them, too")
        number = len(fresh) + len(ours)
        if dry_run:
            out.print(f"{number:,} requests would be sent")
            return
        if number and not yes and not queue_only:
            confirm(f"Send {number:,} requests to people now?")
        if file is not None:
            _queue(engine, lines, file, skip_invalid=skip_invalid)
        # What was queued in the meantime belongs to somebody else, as the rest that was queued does.
        ours |= {row.id for row in find_stored(engine, fresh).values()}
    if not queue_only:
        raise typer.Exit(_run(load_settings(), sorted(ours) if file else None))


@app.command()
def settle() -> None:
    """Find out what earlier calls created; send nothing."""
    migrate_warehouse()
    raise typer.Exit(_run(load_settings(), []))


app.command("list")(list_)
app.command()(results)
app.command()(resolve)
app.command()(cancel)
app.command()(confirm_restore)


def _refuse_bad(lines: list[Request], *, skip_invalid: bool) -> int:
    """Return how many lines can't be sent. Raises `UsageWrong` if these are not skipped."""
    bad = sum(bool(line.problems) for line in lines)
    if bad and not skip_invalid:
        raise UsageWrong(
            f"{bad} of {len(lines)} lines can't be sent, so nothing was:"
            " correct them, or send the others with --skip-invalid"
        )
    return bad


def _queue(engine: sa.Engine, lines: list[Request], file: Path, *, skip_invalid: bool) -> None:
    """Queue the new lines, and print how many. Whoever was asked in the meantime is refused."""
    requests = [line.columns(file.name) for line in lines if line.fresh]
    days = Settings().days_between_requests
    added, reasons = authorizations.add(engine, requests, days, skip=skip_invalid)
    refused_lines = [line for line in lines if line.fresh and line.key in reasons]
    for line in refused_lines:
        line.problems.append(f"{reasons[line.key]} (ACTIVITIES_AUTHORIZATIONS_REPEATS)")
    _print_problems(refused_lines)
    bad = _refuse_bad(lines, skip_invalid=skip_invalid)
    known = len(lines) - bad - added
    out.print(f"of {len(lines):,}: {added:,} queued, {known:,} known already, {bad:,} skipped")


def _run(settings: Settings, only: list[str] | None) -> Exit:
    """Send, and print what the run did and what a person may want to know."""
    with err.status("settling earlier calls") as status:
        run = authorization_run(settings, status.update)
        summary = asyncio.run(run.send(only))
    rows = [(name, summary.now[name] or None, all_) for name, all_ in summary.states.items()]
    print_table("authorizations", ("", "now", "all"), rows)
    for problem in summary.problems:
        tell("incomplete", problem, "yellow")
    if summary.stopped:
        tell("stopped", f"{summary.stopped}; the rest stays queued")
        return Exit.FAILED
    return Exit.INCOMPLETE if summary.problems else Exit.COMPLETE


def _print_problems(lines: Sequence[Request]) -> None:
    """Print the errors, then each warning once, with the first line that has it."""
    places = defaultdict[str, list[int]](list)
    for line in lines:
        if line.problems:
            tell(f"line {line.number}", f"error: {'; '.join(line.problems)}")
        for warning in [] if line.problems else line.warnings:
            places[warning].append(line.number)
    for warning, (first, *more) in places.items():
        others = f" (and {len(more)} more line{'s' * (len(more) > 1)})" if more else ""
        tell(f"line {first}", f"warning: {warning}{others}", "yellow")


def _print_plan(lines: Sequence[Request], pattern: str) -> None:
    """Print what a file would send: each message as its receiver will see it."""
    columns = ("", "reference", "to", "validity", "requirements", "characters", "message")
    rows = []
    fresh = [line for line in lines if line.fresh]
    for line in fresh:
        amount, requirements = line.validity_amount, requirements_cell(line.requirements)
        validity = None if amount is None else f"{amount:f} {line.validity_time_unit}"
        message = compose(line.description, line.message_reference or "", pattern)
        shown = (len(message), mask_in(message, line.phone_number))
        rows.append((line.number, line.reference, receiver(line), validity, requirements, *shown))
    people = len({line.subscriber for line in fresh})
    title = f"{len(lines):,} lines, {len(rows):,} of them new; people to ask: {people:,}"
    print_table(title, columns, rows[:_MOST_PLANNED])
    if (left := len(rows) - _MOST_PLANNED) > 0:
        out.print(f"and {left:,} more")
