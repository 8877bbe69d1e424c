"""``pipeline ui``: the Dagster UI with its daemon, on the service and the warehouse of the settings."""

import os

import typer

from pipeline.commands.console import Port, out
from pipeline.commands.home import home


def ui(port: Port = 3000) -> None:
    """Open the Dagster UI and run the schedule, until Ctrl-C."""
    from pipeline.commands.dev import serve_dagster

    out.print(f"Dagster UI: http://127.0.0.1:{port}   (ready in a few seconds; Ctrl-C ends it)")
    raise typer.Exit(serve_dagster(port, dict(os.environ), home()))
