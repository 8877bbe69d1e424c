"""Starts what ``pipeline demo`` and ``pipeline dev`` run on: a private PostgreSQL and the sandbox.

Both lie in a folder of their own, with its own settings and history. Nothing real is in reach: no setting,
proxy, collector or address of the real environment stays in this process.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.commands.console import UsageWrong, open_output
from pipeline.commands.home import home
from pipeline.environment import FILE, OURS

if TYPE_CHECKING:
    from pipeline.local.stage import Stage

#: Variables that name something real, for us or for a library.
_REAL = re.compile(rf"(?i)({'|'.join(OURS)}|DAGSTER_|CELERY_|OTEL_|PG[A-Z]).*|.*_PROXY")


@contextmanager
def private_stage() -> Iterator[tuple["Stage", Path]]:
    """Start both and migrate the warehouse, with roles that can log in; yield them and their folder.

    The folder becomes the one in use. Raises ``UsageWrong`` when the local PostgreSQL cannot be used here.
    """
    from pipeline.local import LocalPostgresError
    from pipeline.local.stage import FOLDER, stage
    from pipeline.warehouse.schema import roles
    from pipeline.warehouse.schema.migrate import migrate

    place = home()
    for name in filter(_REAL.fullmatch, [*os.environ]):
        del os.environ[name]
    os.environ["DAGSTER_HOME"] = str(place / FOLDER)
    try:
        with stage(place) as running:
            migrate(running.warehouse_url)
            roles.set_up(running.warehouse_url)
            roles.allow_login(running.warehouse_url)
            with open_output(place / FOLDER / FILE, personal=True) as file:
                for name, value in running.environment().items():
                    file.write(f"{name}='{value}'\n".encode())
            yield running, place / FOLDER
    except LocalPostgresError as error:
        raise UsageWrong(str(error)) from None
