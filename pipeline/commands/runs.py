"""``pipeline runs``: the newest runs, and what each of them changed."""

from typing import Annotated

import typer

from pipeline.commands import STYLE
from pipeline.commands.console import AsJson, UsageWrong, out, print_json, table
from pipeline.commands.open_warehouse import open_warehouse

app = typer.Typer(
    **STYLE,
    add_completion=False,
    help="The history of runs, and what each changed.",
    invoke_without_command=True,
)


@app.callback()
def runs(context: typer.Context, as_json: AsJson = False) -> None:
    """List the newest runs."""
    if context.invoked_subcommand is not None:
        return
    from pipeline.warehouse import runs as history

    with open_warehouse() as engine:
        rows = history.recent(engine)
    if as_json:
        print_json(rows)
        return
    if not rows:
        out.print("no run yet: pipeline sync")
        return
    names = ("new", "changed", "unchanged", "gone", "quarantined", "requests")
    shown = table("newest runs", "run", "kind", "days", "started", "status", *names, right=names)
    for row in rows:
        days = f"{row.window_from}..{row.window_to}" if row.window_from else "older days"
        counts = [f"{getattr(row, name):,}" for name in names]
        started = f"{row.started_at:%Y-%m-%d %H:%M}"
        shown.add_row(row.run_id[:8], row.kind, days, started, row.status, *counts)
    out.print(shown)


@app.command()
def show(run_id: Annotated[str, typer.Argument(help="The run's id, or its beginning.")]) -> None:
    """Show one run and its activities: new, changed (which fields), gone or quarantined."""
    from pipeline.commands.job import summary_table
    from pipeline.warehouse import run_changes
    from pipeline.warehouse import runs as history

    with open_warehouse() as engine:
        rows = history.find(engine, run_id)
        changes = [change for row in rows for change in run_changes.of_run(engine, row.run_id)]
    if not rows:
        raise UsageWrong(f"there is no run whose id begins with {run_id}")
    out.print(summary_table(rows))
    shown = table(
        f"{len(changes)} changes (the first 1,000 a part)", "activity", "change", "fields"
    )
    for name, change, fields in changes:
        shown.add_row(name, change, ", ".join(fields or ()))
    out.print(shown)
