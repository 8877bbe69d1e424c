"""``pipeline runs``: the newest runs, and what each of them changed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.commands import STYLE
from pipeline.commands.console import AsJson, UsageWrong, out, print_json, print_rows, print_table
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
    from pipeline.warehouse.state import runs as history

    with open_warehouse() as engine:
        rows = [_counted(engine, row) for row in history.recent(engine)]
        short = history.shortened(engine, [row["run_id"] for row in rows])
    if as_json:
        print_json(rows)
        return
    shown = [
        row | {"run": short[row["run_id"]], "days": _days(row), "reason": row["error"]}
        for row in rows
    ]
    counts = ("new", "changed", "unchanged", "gone", "quarantined", "requests")
    names = ("run", "kind", "days", "started_at", "status", *counts, "reason")
    print_rows("newest runs", names, shown, "no run yet: pipeline sync", below=("reason",))


def _counted(engine: "sa.Engine", row: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a run with what it changed so far: one that runs or was killed has no counts."""
    from pipeline.warehouse.state.runs import changes_by_day

    if row["requests"]:
        return row
    by_day = changes_by_day(engine, row["run_id"]).values()
    new, changed = (sum(each) for each in zip((0, 0), *by_day, strict=True))
    return row | {"new": new, "changed": changed}


def print_parts(parts: Sequence[Mapping[str, Any]]) -> None:
    """Print what the parts of a run did, a column for each; nothing if there are none."""
    from pipeline.warehouse.state.runs import COUNTS

    if parts:
        rows = [
            (name.replace("_", " "), *(part[name] for part in parts))
            for name in ("status", *COUNTS)
        ]
        print_table("run", ("", *map(_days, parts)), rows)


def _days(part: Mapping[str, Any]) -> str:
    if part["window_from"]:
        return f"{part['window_from']}..{part['window_to']}"
    return {"open": "older days", "verify": "a sample"}.get(part["kind"], "all days")


@app.command()
def show(run_id: Annotated[str, typer.Argument(help="The run's id, or its beginning.")]) -> None:
    """Show one run and its activities. They are new, changed (which fields), gone or quarantined."""
    from pipeline.warehouse.state import runs as history

    with open_warehouse() as engine:
        found = history.find(engine, run_id) if run_id else []
        if len(ids := sorted({row["run_id"].partition("/")[0] for row in found})) > 1:
            raise UsageWrong(f"{len(ids)} runs begin with {run_id}: {', '.join(ids[:5])}")
        rows = [_counted(engine, row) for row in found]
        changes = [change for row in rows for change in history.changes_of(engine, row["run_id"])]
    if not rows:
        missing = f"there is no run whose id begins with {run_id}" if run_id else "name a run"
        raise UsageWrong(f"{missing}: `pipeline runs` shows their ids")
    print_parts(rows)
    for row in rows:
        if row["error"]:
            out.print(f"{row['status']}: {row['error']}")
    title = f"{len(changes):,} changes, at most 1,000 of a part"
    shown = [(name, change, ", ".join(fields or ())) for name, change, fields in changes]
    print_table(title, ("activity", "change", "fields"), shown)
