"""How many processes share the budget of requests: each holds one advisory lock in shared mode.

PostgreSQL frees the lock when its holder's process or connection dies, so the count needs no table, no
renewal and no expiry (docs/design.md "Retries and outages").
"""

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from pipeline.warehouse.engine import open_detached
from pipeline.warehouse.refusals import explain

_KEY = 0x62756467
"""Key of the lock; no other lock of ours uses it."""

_MEMBERS = """
select count(*) from pg_locks
where locktype = 'advisory' and classid = 0 and objid = :key and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
"""


def join(engine: sa.Engine) -> sa.Connection:
    """Become one of the members until the returned connection is closed. Raises a ``WarehouseError``."""
    try:
        connection = open_detached(engine)
        connection.execute(sa.text("select pg_advisory_lock_shared(:key)"), {"key": _KEY})
    except DBAPIError as error:
        raise explain(error, engine.url) from None
    return connection


def count_members(connection: sa.Connection) -> int:
    """Return how many share the budget now, this one included. Raises ``DBAPIError``."""
    return int(connection.execute(sa.text(_MEMBERS), {"key": _KEY}).scalar_one())
