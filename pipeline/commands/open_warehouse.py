"""Opens the warehouse for a command that reads it, or brings its schema up to date."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipeline.commands.console import UsageWrong, err
from pipeline.settings import Settings, load_warehouse_url

if TYPE_CHECKING:
    import sqlalchemy as sa


@contextmanager
def open_warehouse() -> Iterator["sa.Engine"]:
    """Open the warehouse of the settings.

    First check that it answers and that its schema is current.
    Without these checks a command would try its first query for a minute. Raises ``SettingsInvalid``,
    ``WarehouseError``, or ``UsageWrong`` when migrations are missing.
    """
    from pipeline.warehouse.database.engine import warehouse_engine
    from pipeline.warehouse.database.server import await_server
    from pipeline.warehouse.schema.migrate import may_read_record

    with warehouse_engine(load_warehouse_url()) as engine:
        await_server(engine)
        # An analyst's login, which may export, is not told which migrations are applied.
        if may_read_record(engine) and is_empty(engine):
            raise UsageWrong("the warehouse's schema is not there yet: run `pipeline migrate`")
        yield engine


def is_empty(engine: "sa.Engine") -> bool:
    """Return whether a warehouse has no schema yet. Raises `UsageWrong` where it has an older one."""
    from pipeline.warehouse.schema.migrate import schema_state

    state = schema_state(engine)
    if state.applied and state.pending:
        raise UsageWrong(
            "the warehouse's schema is older than this version: run `pipeline migrate`"
        )
    return not state.applied


def migrate_warehouse() -> tuple[str, ...]:
    """Bring the schema of the warehouse of the settings up to date, as `schema.migrate` does.

    Raises ``SettingsInvalid`` or a ``WarehouseError``.
    """
    from pipeline.warehouse.schema.migrate import migrate

    return migrate(load_warehouse_url(), err.print, wait=Settings().migration_wait_seconds)
