"""``pipeline migrate``."""

from pipeline.commands.console import UsageWrong, out


def migrate() -> None:
    """Bring the warehouse's schema up to date. Runs do that by themselves."""
    import os

    from pipeline.warehouse import migrate as schema

    url = os.environ.get("WAREHOUSE_URL", "").strip()
    if not url:
        raise UsageWrong(
            "settings: not set: WAREHOUSE_URL (environment variable, or a .env file here)"
        )
    applied = schema.migrate(url)
    out.print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")
