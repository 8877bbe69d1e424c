"""``pipeline runs``: the newest runs, and what each of them changed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.commands import STYLE
from pipeline.commands.console import AsJson, UsageWrong, out, print_json, print_table
from pipeline.commands.open_warehouse import open_warehouse

if TYPE_CHECKING:
    import sqlalchemy as sa

app = typer.Typer(
    **STYLE,
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
        rows = [_counted(engine, row) for row in history.recent(engine)]
    if as_json:
        print_json(rows)
    elif not rows:
        out.print("no run yet: pipeline sync")
    else:
        names = ("new", "changed", "unchanged", "gone", "quarantined", "requests")
        more = ("started_at", "status", *names, "error")
        shown = [
            (row["run_id"][:8], row["kind"], _days(row), *(row[name] for name in more))
            for row in rows
        ]
        columns = ("run", "kind", "days", "started", "status", *names, "reason")
        print_table("newest runs", columns, shown)


def _counted(engine: "sa.Engine", row: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a run with what it changed so far: one that runs or was killed has no counts."""
    from pipeline.warehouse.run_changes import by_day

    if row["requests"]:
        return row
    new, changed = (
        sum(each) for each in zip((0, 0), *by_day(engine, row["run_id"]).values(), strict=True)
    )
    return row | {"new": new, "changed": changed}


def _days(row: Mapping[str, Any]) -> str:
    if row["window_from"]:
        return f"{row['window_from']}..{row['window_to']}"
    return {"open": "older days", "verify": "a sample"}.get(row["kind"], "all")


@app.command()
def show(run_id: Annotated[str, typer.Argument(help="The run's id, or its beginning.")]) -> None:
    """Show one run and its activities: new, changed (which fields), gone or quarantined."""
    from pipeline.commands.job import print_parts
    from pipeline.warehouse import run_changes
    from pipeline.warehouse import runs as history

    with open_warehouse() as engine:
        rows = [_counted(engine, row) for row in history.find(engine, run_id)]
        changes = [change for row in rows for change in run_changes.of_run(engine, row["run_id"])]
    if not rows:
        raise UsageWrong(f"there is no run whose id begins with {run_id}")
    print_parts(rows)
    for row in rows:
        if row["error"]:
            out.print(f"{row['status']}: {row['error']}")
    title = f"{len(changes)} changes (the first 1,000 a part)"
    shown = [(name, change, ", ".join(fields or ())) for name, change, fields in changes]
    print_table(title, ("activity", "change", "fields"), shown)
