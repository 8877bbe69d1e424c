"""``pipeline migrate``."""

from typing import Annotated

import typer

from pipeline.commands.console import out
from pipeline.commands.open_warehouse import migrate_warehouse
from pipeline.settings import Settings, load_warehouse_url


def migrate(
    roles: Annotated[
        bool, typer.Option("--roles", help="Also create the roles analyst and analyst_personal.")
    ] = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="With --roles, also take roles that others have made.")
    ] = False,
    zone: Annotated[
        bool,
        typer.Option("--zone", help="Also let new sessions see instants in ACTIVITIES_TIMEZONE."),
    ] = False,
) -> None:
    """Bring the warehouse's schema up to date. Runs do this by themselves.

    Use --roles once: it creates the analysts' roles, or prints the SQL for an administrator. After that
    every migration keeps their grants up to date. --zone changes the database for everybody who reads it.
    """
    from pipeline.warehouse.database.errors import RolesMissing
    from pipeline.warehouse.schema import roles as analysts

    url = load_warehouse_url()
    applied = migrate_warehouse()
    out.print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")
    if zone:
        from pipeline.warehouse.database.server import set_database_zone

        out.print(f"done: {set_database_zone(url, Settings().timezone)}")
    if not roles:
        return
    try:
        analysts.set_up(url, adopt=adopt)
    except RolesMissing as error:
        out.print("".join(f"{statement};\n" for statement in error.statements), end="")
        raise
    out.print(f"{' and '.join(analysts.ROLES)} can read what sql/sensitivity.yaml allows")
