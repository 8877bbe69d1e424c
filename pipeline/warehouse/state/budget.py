"""How many processes share the budget of requests: each holds one advisory lock in shared mode.

PostgreSQL frees the lock when its holder's process or connection dies, so the count needs no table, no
renewal and no expiry (docs/design.md "Retries and outages").
"""

import sqlalchemy as sa

from pipeline.warehouse.database.engine import Session, hold_lock
from pipeline.warehouse.database.sql import statement

_KEY = 0x62756467
"""Key of the lock; no other lock of ours uses it."""


def join(engine: sa.Engine) -> Session:
    """Become one of the members until the returned session is closed. Raises a ``WarehouseError``."""
    return hold_lock(engine, "select pg_advisory_lock_shared(%(key)s)", {"key": _KEY})


def count_members(session: Session) -> int:
    """Return how many share the budget now, this one included. Raises ``psycopg.Error``."""
    ((number,),) = session.execute(statement("budget/members"), {"key": _KEY}).fetchall()
    return int(number)
