"""``pipeline export``: a view as a file, for people without access to the database."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Annotated, Literal

import typer

from pipeline.commands.console import UsageWrong, err
from pipeline.commands.open_warehouse import open_warehouse


def export(
    view: Annotated[str, typer.Argument(help="A view of analytics, such as activity_funnel.")],
    format_: Annotated[
        Literal["csv", "parquet"], typer.Option("--format", help="Format of the output.")
    ] = "csv",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write.", show_default="standard output"),
    ] = None,
    role: Annotated[
        Literal["analyst", "analyst_personal"],
        typer.Option("--role", help="Export what this role can see."),
    ] = "analyst",
) -> None:
    """Write a view of analytics as CSV or Parquet, row by row, as an analyst sees it."""
    from pipeline.warehouse.export import export_csv, export_parquet

    if format_ == "parquet" and find_spec("pyarrow") is None:
        raise UsageWrong(
            "--format parquet needs pyarrow: install the package's extra `export`,"
            " pip install 'activity-warehouse[export]'"
        )
    if format_ == "parquet" and output is None and sys.stdout.isatty():
        raise UsageWrong("--format parquet cannot go to a terminal: name a file by --output")
    write = export_csv if format_ == "csv" else export_parquet
    name = view.removeprefix("analytics.")
    with (
        open_warehouse() as engine,
        _sink(output) as sink,
        err.status(f"{name}: reading") as status,
    ):
        rows = write(
            engine, name, role, sink, lambda rows: status.update(f"{name}: {rows:,} rows written")
        )
    if output is not None:
        err.print(f"{rows:,} rows written to {output}")


@contextmanager
def _sink(output: Path | None) -> Iterator[IO[bytes]]:
    """Open the output. A file gets its name only when it is complete."""
    if output is None:
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader closed the pipe. Without this Python would print an error when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    part = output.with_name(f"{output.name}.part")
    try:
        with part.open("wb") as file:
            os.fchmod(file.fileno(), 0o600)  # it may hold personal data
            yield file
        part.replace(output)
    except OSError as error:
        raise UsageWrong(f"--output {output}: can't be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
