"""``pipeline daemon``: Dagster's daemon without its UI, for servers and containers."""

import typer


def daemon() -> None:
    """Run the schedule without the UI, until Ctrl-C or SIGTERM. Runs under way store what they have."""
    from pipeline.commands.serving import serve

    raise typer.Exit(serve(None))
