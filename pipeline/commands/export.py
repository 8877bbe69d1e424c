"""``pipeline export``: a view as a file, for people without access to the database."""

import sys
from typing import Annotated, Literal

import typer

from pipeline.commands.console import Output, UsageWrong, err, need_extra, open_output
from pipeline.commands.open_warehouse import open_warehouse


def export(
    view: Annotated[str, typer.Argument(help="A view of analytics, such as activities.")],
    format_: Annotated[
        Literal["csv", "parquet"], typer.Option("--format", help="Format of the output.")
    ] = "csv",
    output: Output = None,
    role: Annotated[
        Literal["analyst", "analyst_personal"],
        typer.Option("--role", help="Export what this role can see."),
    ] = "analyst",
) -> None:
    """Write a view of analytics as CSV or Parquet, row by row, as an analyst sees it."""
    from pipeline.warehouse.export import export_csv, export_parquet

    if format_ == "parquet":
        need_extra("export", "pyarrow", "--format parquet")
    if format_ == "parquet" and output is None and sys.stdout.isatty():
        raise UsageWrong("--format parquet cannot go to a terminal: name a file by --output")
    write = export_csv if format_ == "csv" else export_parquet
    name = view.removeprefix("analytics.")
    with (
        open_warehouse() as engine,
        open_output(output, personal=True) as sink,
        err.status(f"{name}: reading") as status,
    ):
        rows = write(
            engine, name, role, sink, lambda rows: status.update(f"{name}: {rows:,} rows written")
        )
    if output is not None:
        err.print(f"{rows:,} rows written to {output}")
