"""``pipeline export``: a view as a file, for people without access to the database."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn

from pipeline.commands.console import UsageWrong, err
from pipeline.commands.open_warehouse import open_warehouse


class Format(StrEnum):
    """Format of the output."""

    CSV = "csv"
    PARQUET = "parquet"


class Role(StrEnum):
    """Role with whose rights the view is read."""

    ANALYST = "analyst"
    ANALYST_PERSONAL = "analyst_personal"


def export(
    view: Annotated[str, typer.Argument(help="A view of analytics, such as activity_funnel.")],
    format_: Annotated[Format, typer.Option("--format", help="Format of the output.")] = Format.CSV,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write.", show_default="standard output"),
    ] = None,
    role: Annotated[
        Role, typer.Option("--role", help="Export what this role can see.")
    ] = Role.ANALYST,
) -> None:
    """Write a view of analytics as CSV or Parquet, row by row, as an analyst sees it."""
    from pipeline.warehouse.export import export_csv, export_parquet

    if format_ is Format.PARQUET and find_spec("pyarrow") is None:
        raise UsageWrong(
            "--format parquet needs pyarrow: install the package's extra `export`,"
            " pip install -c constraints.txt -e '.[export]'"
        )
    if format_ is Format.PARQUET and output is None and sys.stdout.isatty():
        raise UsageWrong("--format parquet cannot go to a terminal: name a file by --output")
    write = export_csv if format_ is Format.CSV else export_parquet
    name = view.removeprefix("analytics.")
    with open_warehouse() as engine, _sink(output) as sink, _counting(name) as report:
        rows = write(engine, name, role.value, sink, report)
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
            yield file
        part.replace(output)
    except OSError as error:
        raise UsageWrong(f"--output {output}: can't be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _counting(name: str) -> Iterator[Callable[[int], None]]:
    """Show the number of rows written on stderr, if that is a terminal."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as shown:
        task = shown.add_task(f"{name}: reading")
        yield lambda rows: shown.update(task, description=f"{name}: {rows:,} rows written")
