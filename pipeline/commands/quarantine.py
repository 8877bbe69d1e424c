"""``pipeline quarantine``: activities that could not be fetched or stored."""

from typing import Annotated

import typer

from pipeline.commands import STYLE
from pipeline.commands.console import AsJson, UsageWrong, out, print_json, print_table
from pipeline.commands.open_warehouse import open_warehouse

app = typer.Typer(
    **STYLE,
    help="Activities that could not be fetched or stored: list, show, retry.",
    no_args_is_help=True,
)


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the entries in quarantine, oldest first."""
    from pipeline.warehouse import quarantine

    with open_warehouse() as engine:
        entries = quarantine.open_entries(engine)
    if as_json:
        print_json(entries)
    elif not entries:
        out.print("nothing is in quarantine")
    else:
        columns = "number", "activity", "source", "attempts", "since", "next attempt", "reason"
        shown = "source", "attempts", "first_seen_at", "next_attempt_at", "reason"
        rows = [
            (
                str(entry["id"]),
                entry["activity_id"] or f"(unknown, {entry['subject'][:8]})",
                *(entry[name] for name in shown),
            )
            for entry in entries
        ]
        print_table(f"{len(entries)} in quarantine", columns, rows)


@app.command()
def show(
    number: Annotated[int, typer.Argument(help="The entry's number in the list.")],
    payload: Annotated[
        bool,
        typer.Option("--payload", help="Print the response as received. It has personal data."),
    ] = False,
) -> None:
    """Show one entry."""
    from pipeline.warehouse import quarantine

    with open_warehouse() as engine:
        entry = quarantine.find(engine, number)
    if entry is None:
        raise UsageWrong(
            f"there is no quarantine entry number {number}: `pipeline quarantine list` shows them"
        )
    body = entry.pop("payload")
    size = "none" if body is None else f"{len(body):,} bytes"
    rows = [(name, str(entry[name])) for name in entry if name not in ("id", "subject")]
    print_table(f"entry {number}", ("", "value"), [*rows, ("payload", size)])
    if payload and body is not None:
        out.print(body.decode("utf-8", "replace"))


@app.command()
def retry(
    numbers: Annotated[
        list[int] | None,
        typer.Argument(help="Numbers of the entries to try again.", show_default="all"),
    ] = None,
) -> None:
    """Let the next run try entries again now, without waiting for their next attempt."""
    from pipeline.warehouse import quarantine

    with open_warehouse() as engine:
        due = quarantine.make_due(engine, numbers or None)
    out.print(f"the next run tries {due} again: `pipeline sync` starts one")
