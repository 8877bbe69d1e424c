"""``pipeline dev``: the Dagster UI over a private PostgreSQL and a made-up service."""

import os

import typer

from pipeline.commands.console import Port, out
from pipeline.commands.home import home


def dev(port: Port = 3000) -> None:
    """Open the Dagster UI on a private PostgreSQL and a made-up service, until Ctrl-C."""
    from pipeline.commands.private_stage import private_stage
    from pipeline.commands.serving import serve

    place = home()
    with private_stage(place) as running:
        out.print(f"the service: {running.sandbox.base_url}", markup=False)
        out.print(f'query:       psql "{running.analyst_url}"', markup=False)
        out.print(f'as owner:    psql "{running.warehouse_url}"', markup=False)
        out.print(f"the warehouse and Dagster's history stay in {place}")
        os.environ.update(running.environment())
        code = serve(port)
    raise typer.Exit(code)
