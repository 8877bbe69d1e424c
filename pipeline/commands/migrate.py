"""``pipeline migrate``."""

from pipeline.commands.console import out
from pipeline.settings import load_warehouse_url


def migrate() -> None:
    """Bring the warehouse's schema up to date. Runs do that by themselves."""
    from pipeline.warehouse import migrate as schema

    applied = schema.migrate(load_warehouse_url())
    out.print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")
