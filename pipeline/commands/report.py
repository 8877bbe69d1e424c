"""``pipeline report``: charts of the warehouse on one HTML page."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.commands.console import Page, UsageWrong, need_extra, write
from pipeline.commands.open_warehouse import open_warehouse


def report(
    output: Page = Path("report.html"),
    days: Annotated[
        int, typer.Option(min=7, max=3660, help="How many of the newest days to show.")
    ] = 90,
) -> None:
    """Write one HTML page of charts: outcomes, times, requirements, freshness, quarantine.

    The page needs only a browser, loads nothing and has no personal data. Needs the extra `report`.
    """
    need_extra("report", "matplotlib", "`pipeline report`")
    from pipeline.warehouse.output.report import read_figures

    with open_warehouse() as engine:
        figures = read_figures(engine, days)
    if figures is None:
        raise UsageWrong("the warehouse has no day yet: run `pipeline sync`")
    from pipeline.report import render

    write(output, render(figures))
