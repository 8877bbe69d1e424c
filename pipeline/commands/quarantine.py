"""``pipeline quarantine``: activities that could not be fetched or stored."""

from getpass import getuser
from typing import Annotated

import typer

from pipeline.commands import STYLE
from pipeline.commands.console import AsJson, UsageWrong, out, print_json, print_rows, print_table
from pipeline.commands.open_warehouse import open_warehouse

app = typer.Typer(
    **STYLE,
    help="Activities that could not be fetched or stored: list, show, retry, accept.",
    no_args_is_help=True,
)

_NO_ENTRY = "there is no such entry in quarantine: `pipeline quarantine list` shows the numbers"


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the entries in quarantine, oldest first."""
    from pipeline.warehouse.state import quarantine

    with open_warehouse() as engine:
        entries = quarantine.open_entries(engine)
    if as_json:
        print_json(entries)
        return
    for entry in entries:
        entry["number"] = str(entry["id"])  # as it is typed, without commas
        entry["activity"] = entry["activity_id"] or f"(unknown, {entry['subject'][:8]})"
        entry["accepted"] = entry["accepted_because"]
    names = ("number", "activity", "source", "attempts", "first_seen_at", "next_attempt_at")
    title, columns = f"{len(entries)} in quarantine", (*names, "reason", "accepted")
    print_rows(title, columns, entries, "nothing is in quarantine", below=("reason", "accepted"))


@app.command()
def show(
    number: Annotated[int, typer.Argument(help="The entry's number in the list.")],
    payload: Annotated[
        bool,
        typer.Option("--payload", help="Print the response as received. It has personal data."),
    ] = False,
) -> None:
    """Show one entry."""
    from pipeline.warehouse.state import quarantine

    with open_warehouse() as engine:
        entry = quarantine.find(engine, number)
    if entry is None:
        raise UsageWrong(_NO_ENTRY)
    body = entry.pop("payload")
    size = "none" if body is None else f"{len(body):,} bytes"
    shown = [name for name in entry if name not in ("id", "subject")]
    rows = [(name.replace("_", " "), entry[name]) for name in shown]
    print_table(f"entry {number}", ("", ""), [*rows, ("payload", size)])
    if payload and body is not None:
        out.print(body.decode("utf-8", "replace"))


@app.command()
def retry(
    numbers: Annotated[
        list[int] | None,
        typer.Argument(help="Numbers of the entries to try again.", show_default="all"),
    ] = None,
) -> None:
    """Let the next run try entries again. It does not wait for their next attempt."""
    from pipeline.warehouse.state import quarantine

    with open_warehouse() as engine:
        due = quarantine.make_due(engine, numbers or None)
    if numbers and not due:
        raise UsageWrong(_NO_ENTRY)
    out.print(f"the next run tries {due} again: `pipeline sync` starts one")


@app.command()
def accept(
    numbers: Annotated[list[int], typer.Argument(help="Numbers of the entries in the list.")],
    why: Annotated[str, typer.Option("--because", help="Why it is no problem.")] = "",
    all_like: Annotated[
        bool, typer.Option("--all-like", help="Also all others with the same problem.")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Let them alarm again.")] = False,
) -> None:
    """Accept problems. They are still shown and tried again, but end no run with exit code 3.

    An entry whose reason changes later is a new problem.
    """
    from pipeline.warehouse.state import quarantine

    if not (why or undo):
        raise UsageWrong("say why: `pipeline quarantine accept NUMBER --because TEXT`")
    with open_warehouse() as engine:
        chosen = set(numbers)
        if all_like:
            chosen |= {each for number in numbers for each in quarantine.all_like(engine, number)}
        if undo:
            done = quarantine.take_back(engine, sorted(chosen))
        else:
            done = quarantine.accept(engine, sorted(chosen), getuser(), why)
    if not done:
        raise UsageWrong(_NO_ENTRY)
    out.print(f"{done} {'alarm again' if undo else 'accepted'}")
