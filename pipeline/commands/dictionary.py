"""``pipeline dictionary``."""

from typing import Annotated, Literal

import typer

from pipeline.commands.console import Output, write
from pipeline.commands.open_warehouse import open_warehouse


def dictionary(
    output: Output = None,
    format_: Annotated[
        Literal["markdown", "dbt"],
        typer.Option("--format", help="Markdown for people, or sources.yml for dbt."),
    ] = "markdown",
) -> None:
    """Write the meaning of every table, view and column, from the comments in the warehouse.

    The Markdown has a mermaid diagram, and example questions with their answers.
    """
    from pipeline.warehouse import dictionary as catalog

    with open_warehouse() as engine:
        make = catalog.dbt_sources if format_ == "dbt" else catalog.dictionary
        text = make(engine)
    write(output, text)
