"""Reading ``landing``: the versions of responses, in batches of activities."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row

from pipeline.warehouse.engine import Session, fetch
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.sql import statement

#: Most bytes of responses in one batch, unless a single activity has more.
BATCH_BYTES = 8 * 2**20


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a response. ``last_seen_at`` of a list row is its ``first_seen_at``.

    ``redacted``: something may have been erased from the body. Only `newest` tells it.
    """

    activity_id: str
    first_seen_at: datetime
    last_seen_at: datetime
    digest: bytes
    body: bytes = field(repr=False)
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class StoredResponses:
    """What is stored of one activity: its ledger row, empty if there is none, and its newest responses."""

    ledger: LedgerRow
    details: Version | None
    listed: Version | None


def next_ids(engine: sa.Engine, after: str | None, limit: int) -> list[str]:
    """Return the next activities of landing in the order of their ids, at most ``limit``.

    Fewer if their versions hold more than `BATCH_BYTES`; an empty list at the end.
    """
    parameters = {"after": after, "limit": limit, "bytes": BATCH_BYTES}
    return fetch(engine, scalar_row, statement("load/landing_next"), parameters)


def versions(engine: sa.Engine, ids: Sequence[str]) -> list[Version]:
    """Return every version of these activities' responses, list rows and details, oldest first."""
    return fetch(engine, class_row(Version), statement("load/landing_versions"), {"ids": list(ids)})


def stored_entities(engine: sa.Engine) -> set[str]:
    """Return the ids of all stored counterparts."""
    return set(fetch(engine, scalar_row, "select id::text from warehouse.entities"))


def newest(
    session: Session, ids: list[str], known: dict[str, LedgerRow], *, missing: bool = False
) -> list[StoredResponses]:
    """Return what landing holds of those of ``ids`` that it knows; with ``missing``, of all.

    ``known``: their ledger rows.
    """
    # Landing's rows come by source; an activity can have one of each.
    found: dict[str, dict[str, Version]] = {name: {} for name in ids} if missing else {}
    for source, *columns in session.execute(statement("load/landing_newest"), {"ids": ids}):
        version = Version(*columns)
        found.setdefault(version.activity_id, {})[source] = version
    return [
        StoredResponses(known.get(name) or LedgerRow(name), of.get("details"), of.get("list"))
        for name, of in sorted(found.items())
    ]
