"""The warehouse, opened for a command that looks into it."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from pipeline.commands.console import UsageWrong
from pipeline.settings import load_warehouse_url
from pipeline.warehouse.engine import open_engine, server_version
from pipeline.warehouse.migrate import refuse_newer_schema, schema_state


@contextmanager
def open_warehouse() -> Iterator[sa.Engine]:
    """Open the warehouse of the settings.

    What is wrong with it is known at once: everything later is tried again for a minute, as a run
    needs it. Raises ``SettingsInvalid``, ``WarehouseError``, or ``UsageWrong`` where there is nothing yet.
    """
    engine = open_engine(load_warehouse_url())
    try:
        server_version(engine)
        state = schema_state(engine)
        refuse_newer_schema(state)
        if state.pending:
            older = "older than this version" if state.applied else "not there yet"
            raise UsageWrong(f"the warehouse's schema is {older}: `pipeline migrate` brings it")
        yield engine
    finally:
        engine.dispose()
