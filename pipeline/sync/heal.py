"""Heal: restore rows that somebody changed, removed or added outside of a run.

Implements docs/design.md "Witnesses". What is altered is written again from ``landing``. What landing
can't restore is distrusted, so that the run that follows fetches it from the service.
"""

from collections.abc import Sequence
from functools import partial

import sqlalchemy as sa

from pipeline.sync.fields import digest
from pipeline.sync.mapping import Mapper, load_mapper
from pipeline.sync.options import Summary, Tools
from pipeline.sync.reparse import observe_stored, rebuild_entities
from pipeline.warehouse import coverage, reload, witness
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.rows import Outcome

#: Activities in one transaction.
_BATCH = 100


def heal(tools: Tools, summary: Summary) -> None:
    """Restore the altered rows of the summary's days, of all days without; count them in ``summary``.

    Raises a ``WarehouseError``.
    """
    engine, log, days = tools.engine, tools.progress.log, summary.days
    found = witness.altered(engine) if days is None else witness.altered_on(engine, [*days])
    entities = witness.altered_entities(engine)
    if unlanded := witness.unlanded(engine, days):
        witness.distrust(engine, [name for name, _ in unlanded])
        coverage.recount(engine, [day for _, day in unlanded if day is not None])
        log(f"landing has lost the responses of {len(unlanded)} activities; they are fetched again")
    if lost_days := coverage.overcounted(engine):
        coverage.recount(engine, lost_days)
        log(
            f"{len(lost_days)} days have lost activities outside a run; the service is asked for them again"
        )
    if not found and not entities:
        return
    # First, and committed: from now on these days are not complete, even if this run dies.
    affected = [day for _, day in found if day is not None]
    coverage.recount(engine, affected)
    if entities:
        _, unknown = rebuild_entities(engine, log)
        witness.give_up_entities(engine, unknown)
    mapper = load_mapper(engine, tools.zone)
    names = [name for name, _ in found]
    lost = 0
    for start in range(0, len(names), _BATCH):
        lost += restore(engine, summary.run_id, mapper, names[start : start + _BATCH])
    coverage.recount(engine, affected)
    summary.healed = len(names) - lost
    log(
        f"healed {summary.healed} activities and {len(entities)} counterparts whose rows were changed"
        f" outside a run; {lost} more must be fetched from the service again"
    )


def restore(engine: sa.Engine, run_id: str, mapper: Mapper, names: Sequence[str]) -> int:
    """Write those of ``names`` that are altered again from landing; return how many it can't restore.

    The next details of these win. Raises a ``WarehouseError``.
    """
    reload.load_stored(engine, run_id, names, partial(_observe, mapper))
    return witness.give_up(engine, names)


def _observe(mapper: Mapper, stored: StoredResponses) -> Outcome:
    """Map the stored responses, or return an empty outcome if they can't restore the rows. Pure."""
    outcome = observe_stored(mapper, stored)
    # A list row may carry the digest of an earlier one that means the same.
    details = stored.details
    altered = details and not details.redacted and digest(details.body) != details.digest
    believed, held = stored.ledger.details_digest, details.digest if details else None
    lost = believed is not None and believed != held
    return Outcome(outcome.subject) if altered or lost or outcome.failures else outcome
