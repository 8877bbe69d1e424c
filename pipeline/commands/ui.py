"""``pipeline ui``: the Dagster UI with its daemon, on the service and the warehouse of the settings."""

import typer

from pipeline.commands.console import Port


def ui(port: Port = 3000) -> None:
    """Open the Dagster UI and run the schedule, until Ctrl-C."""
    from pipeline.commands.serving import serve

    raise typer.Exit(serve(port))
