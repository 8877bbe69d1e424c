"""``pipeline migrate``."""

from typing import Annotated

import typer

from pipeline.commands.console import out
from pipeline.settings import load_warehouse_url


def migrate(
    roles: Annotated[
        bool,
        typer.Option("--roles", help="Also make the roles analyst and analyst_personal."),
    ] = False,
) -> None:
    """Bring the warehouse's schema up to date. Runs do that by themselves.

    With --roles once: where the server lacks the analysts' roles they are made, or the SQL for an
    administrator is printed; from then on every migration keeps up to date what they may read.
    """
    from pipeline.warehouse import migrate as schema
    from pipeline.warehouse import roles as analysts
    from pipeline.warehouse.errors import RolesMissing

    url = load_warehouse_url()
    applied = schema.migrate(url)
    out.print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")
    if not roles:
        return
    try:
        analysts.set_up(url)
    except RolesMissing as error:
        out.print("".join(f"{statement};\n" for statement in error.statements), end="")
        raise
    out.print(f"{' and '.join(analysts.ROLES)} may read what sql/roles/grants.sql lists")
