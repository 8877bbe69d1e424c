"""``pipeline reparse``."""

import uuid

import typer

from pipeline.commands.console import Exit, out
from pipeline.commands.open_warehouse import migrate_warehouse
from pipeline.settings import load_settings


def reparse() -> None:
    """Rebuild the warehouse's tables from the responses kept in landing, without one request."""
    from pipeline.commands.job import progress_bar
    from pipeline.sync.reparse import reparse as run_reparse
    from pipeline.warehouse.database.engine import warehouse_engine
    from pipeline.warehouse.schema.refresh import refresh

    settings = load_settings()
    migrate_warehouse()
    with warehouse_engine(settings.warehouse_url) as engine, progress_bar() as progress:
        summary = run_reparse(engine, settings.timezone, progress, str(uuid.uuid4()))
        refresh(engine)
    out.print(str(summary))
    raise typer.Exit(Exit.INCOMPLETE if summary.quarantined else Exit.COMPLETE)
