"""Reading counterparts back."""

import sqlalchemy as sa

from pipeline.warehouse.engine import in_transaction


def stored_digests(engine: sa.Engine, ids: list[str]) -> dict[str, bytes]:
    """Return the digest of the stored form of each of these counterparts that is known."""
    return in_transaction(
        engine,
        lambda session: dict(
            session.execute(
                "select id::text, digest from warehouse.entities where id = any(%s::uuid[])", (ids,)
            ).fetchall()
        ),
    )
