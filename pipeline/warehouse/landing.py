"""Reading ``landing``: the versions of responses, in batches of activities."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row

from pipeline.warehouse.engine import Session, fetch
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.rows import DetailsObservation, Outcome
from pipeline.warehouse.sql import statement

#: Most activities of a batch, and about how many bytes its responses may have: one may hold images.
_BATCH, _BATCH_BYTES = 200, 8 * 2**20


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


class ResponseMapping(Protocol):
    """Maps responses: `pipeline.sync.mapping.Mapper`."""

    def map_stored(
        self, row: LedgerRow, details: Version | None, listed: Version | None
    ) -> Outcome:
        """Map what ``landing`` holds of an activity, its newest versions, as an outcome with ``stored``.

        ``row``: its ledger row. What no longer maps becomes a failure. Digests are those of the original
        responses, even if something was erased from the bodies later.
        """

    def map_details(self, body: bytes, like: DetailsObservation) -> DetailsObservation | None:
        """Map details that came when ``like`` came; None where it can't."""


def batches(engine: sa.Engine, ids: Sequence[str]) -> Iterator[list[str]]:
    """Yield activities in batches whose responses fit into memory together, in the order of ``ids``."""
    for start in range(0, len(ids), _BATCH):
        asked = {"ids": list(ids[start : start + _BATCH]), "most": _BATCH_BYTES}
        yield from fetch(engine, scalar_row, statement("load/landing_batches"), asked)


def versions(engine: sa.Engine, ids: Sequence[str]) -> Iterator[Version]:
    """Yield every version of these activities' responses, list rows and details; an older one first."""
    for names in batches(engine, ids):
        query = statement("load/landing_versions")
        yield from fetch(engine, class_row(Version), query, {"ids": names})


def newest(session: Session, ids: Sequence[str]) -> dict[str, dict[str, Version]]:
    """Return the newest versions of activities' responses: by activity, then by source."""
    found: dict[str, dict[str, Version]] = {name: {} for name in ids}
    if ids:
        query = statement("load/landing_newest")
        for source, *columns in session.execute(query, {"ids": list(ids)}):
            version = Version(*columns)
            found[version.activity_id][source] = version
    return found
