"""Reading ``landing``: the versions of responses, in batches of activities."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row

from pipeline.warehouse.answers.decisions import Decisions
from pipeline.warehouse.answers.losses import missing_fields
from pipeline.warehouse.database.engine import Session, fetch
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.state.ledger import LedgerRow
from pipeline.warehouse.state.rows import Outcome

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

    def decisions(self, body: bytes, at: datetime) -> Decisions | None:
        """Return the decisions that details received ``at`` show; None if they do not map."""


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


def told_before(session: Session, ids: Sequence[str]) -> dict[str, tuple[bytes, bytes]]:
    """Return by activity its newest row of the list before its details last came, and these details."""
    found = session.execute(statement("load/landing_told"), {"ids": list(ids)}) if ids else ()
    return {name: (row, details) for name, row, details in found}


def newest(session: Session, ids: Sequence[str]) -> dict[str, dict[str, Version]]:
    """Return the newest versions of activities' responses: by activity, then by source."""
    found: dict[str, dict[str, Version]] = {name: {} for name in ids}
    if ids:
        query = statement("load/landing_newest")
        for source, *columns in session.execute(query, {"ids": list(ids)}):
            version = Version(*columns)
            found[version.activity_id][source] = version
    return found


def read_stored(
    session: Session,
    mapping: ResponseMapping,
    outcomes: Sequence[Outcome],
    known: Mapping[str, LedgerRow],
) -> dict[str, Outcome]:
    """Map what ``landing`` holds, where an outcome is compared with it, shown by it, or made of it."""
    names = [each.subject for each in outcomes if _needs_stored(each, known.get(each.subject))]
    return {
        # Without a row of the ledger it counts as altered.
        name: mapping.map_stored(
            known.get(name) or LedgerRow(name, altered=True), held.get("details"), held.get("list")
        )
        for name, held in newest(session, names).items()
    }


def _needs_stored(outcome: Outcome, row: LedgerRow | None) -> bool:
    if outcome.stored:
        return not outcome.failures
    if row is None:
        return False
    details = outcome.details
    if details is None:
        failed = row.details is None and bool(outcome.failures)
        return outcome.listed is None and (outcome.withheld_at is not None or failed)
    changed = row.details is not None and not row.holds(details)
    return row.accepts_answer(details.received_at) and (
        # Of a new one that says too little, the list is all that can be shown.
        changed or row.is_ahead(details) or details.entity is None or bool(missing_fields(details))
    )


def with_stored(outcomes: Sequence[Outcome], stored: Mapping[str, Outcome]) -> list[Outcome]:
    """Return outcomes with what ``landing`` holds of what was refused, failed or is loaded again."""
    filled = []
    for outcome in outcomes:
        held = stored.get(outcome.subject)
        if held is not None and outcome.details is None:
            # Of what was refused or failed, the newest row of the list is all that can be shown.
            outcome = held if outcome.stored else replace(outcome, listed=held.listed)
        filled.append(outcome)
    return filled
