"""``pipeline dictionary``."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from pipeline.commands.console import out, write_output
from pipeline.commands.open_warehouse import open_warehouse


def dictionary(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write.", show_default="standard output"),
    ] = None,
    format_: Annotated[
        Literal["markdown", "dbt"],
        typer.Option("--format", help="Markdown for people, or sources.yml for dbt."),
    ] = "markdown",
) -> None:
    """Write the meaning of every table, view and column, from the comments in the warehouse.

    The Markdown has a mermaid diagram, and example questions with their answers.
    """
    from pipeline.warehouse.dbt import sources
    from pipeline.warehouse.dictionary import dictionary as describe

    with open_warehouse() as engine:
        text = sources(engine) if format_ == "dbt" else describe(engine)
    if output is None:
        sys.stdout.write(text)
        return
    write_output(output, text)
    out.print(f"{output} written")
