"""Reading stored counterparts."""

from collections.abc import Collection, Sequence
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import id_array


def stored_digests(engine: sa.Engine, ids: Sequence[str]) -> dict[str, bytes]:
    """Return the digest of the stored form of each of these counterparts that is known."""
    return in_transaction(engine, lambda session: digests(session, ids))


def digests(session: psycopg.Connection[Any], ids: Collection[str]) -> dict[str, bytes]:
    """Return what `stored_digests` does, within a transaction."""
    found = session.execute(
        "select id::text, digest from warehouse.entities where id = any(%s::uuid[])",
        (id_array(ids),),
    )
    return dict(found.fetchall())
