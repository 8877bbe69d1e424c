"""``pipeline dictionary``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline.commands.console import out, write_output
from pipeline.commands.open_warehouse import open_warehouse


def dictionary(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write.", show_default="standard output"),
    ] = None,
) -> None:
    """Write the meaning of every table, view and column, with example questions and their answers.

    The output is Markdown with a mermaid diagram, from the comments in the warehouse.
    """
    from pipeline.warehouse.dictionary import dictionary as describe

    with open_warehouse() as engine:
        text = describe(engine)
    if output is None:
        sys.stdout.write(text)
        return
    write_output(output, text)
    out.print(f"{output} written")
