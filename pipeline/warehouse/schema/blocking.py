"""Names the sessions that a migration waits for (docs/design.md "Migrations")."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import sqlalchemy as sa

from pipeline.warehouse.database.engine import Session, open_session
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.database.sql import statement


@contextmanager
def watched(
    engine: sa.Engine, session: Session, seconds: float, say: Callable[[str], None]
) -> Iterator[list[str]]:
    """Look every ``seconds`` whom a migration in ``session`` waits for, and ``say`` each news of it.

    Yields a list of those that it waited for last, one line each: pid, role, application, since when.
    """
    blocking: list[str] = []
    ended = threading.Event()
    process = session.info.backend_pid

    def watch() -> None:
        while not ended.wait(seconds):
            with suppress(WarehouseError), open_session(engine) as other:
                found = [
                    text for (text,) in other.execute(statement("catalog/blocking"), (process,))
                ]
                if found and found != blocking:
                    blocking[:] = found
                    say(f"the migration waits for {'; '.join(found)}")

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield blocking
    finally:
        ended.set()
        thread.join()
