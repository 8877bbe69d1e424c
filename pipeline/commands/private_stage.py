"""Starts what ``pipeline demo`` and ``pipeline dev`` run on: a private PostgreSQL and the sandbox."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.commands.console import UsageWrong

if TYPE_CHECKING:
    from pipeline.local.stage import Stage


@contextmanager
def private_stage(home: Path) -> Iterator["Stage"]:
    """Start both in the folder ``home`` and migrate the warehouse, with roles that can log in.

    Raises ``UsageWrong`` when the local PostgreSQL cannot be used here.
    """
    from pipeline.local import LocalPostgresError
    from pipeline.local.stage import stage
    from pipeline.warehouse import roles
    from pipeline.warehouse.migrate import migrate

    try:
        with stage(home) as running:
            migrate(running.warehouse_url)
            roles.set_up(running.warehouse_url)
            roles.allow_login(running.warehouse_url)
            yield running
    except LocalPostgresError as error:
        raise UsageWrong(str(error)) from None
