"""``pipeline export``: views as files, for people and lakes without access to the database."""

import shutil
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Literal

import typer

from pipeline.commands.console import Output, UsageWrong, err, need_extra, open_output
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.warehouse.database.sql import shipped


def export(
    view: Annotated[
        str | None, typer.Argument(help="A view of analytics, such as activities.")
    ] = None,
    format_: Annotated[
        Literal["csv", "parquet"], typer.Option("--format", help="Format of the output.")
    ] = "csv",
    output: Output = None,
    role: Annotated[
        Literal["analyst", "analyst_personal"],
        typer.Option("--role", help="Export what this role can see."),
    ] = "analyst",
    folder: Annotated[
        Path | None,
        typer.Option("--all", help="Write all facts and dimensions as Parquet into this folder."),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="With --all: only activities changed since a run.")
    ] = None,
    metrics: Annotated[
        Path | None,
        typer.Option("--metrics", help="Write dbt's sources and semantic models into this folder."),
    ] = None,
) -> None:
    """Write a view of analytics as CSV or Parquet, row by row, as an analyst sees it.

    With --all DIR: all facts and dimensions of one snapshot, as Parquet. With --metrics DIR: dbt's files.
    """
    chosen = [each for each in (view, folder, metrics) if each is not None]
    if len(chosen) != 1 or (since is not None and folder is None):
        raise UsageWrong("name a view, or a folder by --metrics or --all, there also --since RUN")
    if metrics is not None:
        _export_metrics(metrics)
    elif folder is not None:
        _export_all(folder, role, since)
    elif view is not None:
        _export_view(view.removeprefix("analytics."), format_, output, role)


def _export_view(name: str, format_: str, output: Path | None, role: str) -> None:
    from pipeline.warehouse.output.export import export_csv, export_parquet

    if format_ == "parquet":
        need_extra("export", "pyarrow", "--format parquet")
    if format_ == "parquet" and output is None and sys.stdout.isatty():
        raise UsageWrong("--format parquet cannot go to a terminal: name a file by --output")
    write = export_csv if format_ == "csv" else export_parquet
    # Rows that go to the terminal show by themselves that they come.
    shown = err.status(f"writing {output}") if output else nullcontext()
    with open_warehouse() as engine, open_output(output, personal=True) as sink, shown:
        rows = write(engine, name, role, sink)
    if output is not None:
        err.print(f"{rows:,} rows written to {output}")


def _export_all(folder: Path, role: str, since: str | None) -> None:
    from pipeline.warehouse.output.lake import export_all

    need_extra("export", "pyarrow", "--all")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_warehouse() as engine, err.status(f"writing files in {folder}"):
        written = export_all(engine, folder, role, since)
    err.print(f"{sum(written.values()):,} rows written to {len(written)} files in {folder}")


def _export_metrics(folder: Path) -> None:
    """Copy what `sql/metrics.yml` says to dbt, with its sources; no database is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [shipped("sql") / "sources.yml", *sorted((shipped("sql") / "dbt").iterdir())]
    for file in files:
        shutil.copyfile(file, folder / file.name)
    err.print(f"{len(files)} files written to {folder}")
