"""How many processes share the budget of requests: each holds one advisory lock in shared mode.

PostgreSQL frees the lock when its holder's process or connection dies, so the count needs no table, no
renewal and no expiry (docs/design.md "Retries and outages").
"""

import sqlalchemy as sa

from pipeline.warehouse.engine import hold_lock
from pipeline.warehouse.sql import statement

_KEY = 0x62756467
"""Key of the lock; no other lock of ours uses it."""


def join(engine: sa.Engine) -> sa.Connection:
    """Become one of the members until the returned connection is closed. Raises a ``WarehouseError``."""
    return hold_lock(engine, "select pg_advisory_lock_shared(:key)", {"key": _KEY})


def count_members(connection: sa.Connection) -> int:
    """Return how many share the budget now, this one included. Raises ``DBAPIError``."""
    query = statement("budget/members")
    return int(connection.exec_driver_sql(query, {"key": _KEY}).scalar_one())
