"""``pipeline quarantine``: activities that could not be fetched or stored."""

from typing import Annotated

import typer

from pipeline.commands import STYLE
from pipeline.commands.console import AsJson, UsageWrong, out, print_json, table
from pipeline.commands.open_warehouse import open_warehouse

app = typer.Typer(
    **STYLE,
    add_completion=False,
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
        return
    if not entries:
        out.print("nothing is in quarantine")
        return
    shown = table(
        f"{len(entries)} in quarantine",
        "number", "activity", "source", "attempts", "since", "next attempt", "reason",
        right=("number", "attempts"),
    )  # fmt: skip
    for entry in entries:
        shown.add_row(
            str(entry.id),
            entry.activity_id or f"(unknown, {entry.subject[:8]})",
            entry.source,
            str(entry.attempts),
            f"{entry.first_seen_at:%Y-%m-%d %H:%M}",
            f"{entry.next_attempt_at:%Y-%m-%d %H:%M}",
            entry.reason,
        )
    out.print(shown)


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
        found = quarantine.find(engine, number)
    if found is None:
        raise UsageWrong(
            f"there is no quarantine entry number {number}: `pipeline quarantine list` shows them"
        )
    entry, body = found
    shown = table(f"entry {entry.id}", "", "value")
    for name in (
        "activity_id", "source", "reason", "attempts", "first_seen_at", "last_seen_at",
        "next_attempt_at", "resolved_at",
    ):  # fmt: skip
        shown.add_row(name, str(getattr(entry, name)))
    shown.add_row("payload", "none" if body is None else f"{len(body):,} bytes")
    out.print(shown)
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
