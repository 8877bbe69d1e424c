"""``pipeline dev``: the Dagster UI over a private PostgreSQL and a made-up service."""

import typer

from pipeline.commands.console import Port, out


def dev(port: Port = 3000) -> None:
    """Open the Dagster UI on a private PostgreSQL and a made-up service, until Ctrl-C."""
    from pipeline.commands.private_stage import private_stage
    from pipeline.commands.serving import serve

    with private_stage() as (running, place):
        out.print(f"the service: {running.sandbox.base_url}", markup=False)
        out.print(f'query:       psql "{running.analyst_url}"', markup=False)
        out.print(f'as owner:    psql "{running.warehouse_url}"', markup=False)
        out.print(f"the warehouse and Dagster's history stay in {place}")
        code = serve(port)
    raise typer.Exit(code)
