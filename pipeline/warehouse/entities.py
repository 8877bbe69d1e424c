"""Reading counterparts back."""

import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import id_array


def stored_digests(engine: sa.Engine, ids: list[str]) -> dict[str, bytes]:
    """Return the digest of the stored form of each of these counterparts that is known."""
    return in_transaction(
        engine,
        lambda session: dict(
            session.execute(
                "select id::text, digest from warehouse.entities where id = any(%s::uuid[])",
                (id_array(ids),),
            ).fetchall()
        ),
    )
