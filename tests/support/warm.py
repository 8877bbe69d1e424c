"""Imported once by the process that forks the commands: the libraries that they import.

Of the package only the lower layers are: what reads the environment is imported by each command.
"""

import importlib
import tempfile
from pathlib import Path

import dagster as dg

_LIBRARIES = (
    "aiohttp", "dagster_webserver", "dotenv", "httpx", "msgspec", "psycopg", "sqlalchemy", "tenacity",
    "sqlalchemy.dialects.postgresql.psycopg", "tests.support.commands", "typer", "typer.rich_utils",
    "uvloop", "pipeline.sync.run", "pipeline.warehouse.schema.migrate", "pipeline.warehouse.schema.refresh",
    "pipeline.authorizations.run",
)  # fmt: skip


def _import_all() -> None:
    for name in _LIBRARIES:
        importlib.import_module(name)

    @dg.op
    def nothing() -> None:
        """Do nothing."""

    @dg.job
    def once() -> None:
        nothing()

    # Dagster imports much of itself and of alembic only for its first run.
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(__file__).resolve().parents[2] / "dagster.yaml"
        (Path(folder) / settings.name).symlink_to(settings)
        with dg.DagsterInstance.local_temp(folder) as instance:
            quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
            once.execute_in_process(instance=instance, run_config=quiet)


_import_all()
