"""Loading again what ``landing`` holds: the warehouse's side of ``pipeline reparse`` and of healing.

Implements docs/design.md "Load". An activity is written again, by the ordinary load's `write`, unless
its rows are as they were sealed and were made from its newest stored responses by the present mapping.
So a reparse that was killed can start again, and one that finds nothing wrong writes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

import sqlalchemy as sa
from psycopg.rows import scalar_row

from pipeline.warehouse import erasures, landing, ledger, witness
from pipeline.warehouse.copying import merge_rows
from pipeline.warehouse.engine import Session, execute, fetch, in_transaction
from pipeline.warehouse.entities import combine, digests, find_news
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.load import load_in_parts, refused, write, write_entities
from pipeline.warehouse.merge import LoadCounts, merge_stored
from pipeline.warehouse.rows import Cell, EntityObservation, Outcome
from pipeline.warehouse.sql import id_array, statement

Scores: TypeAlias = dict[datetime, tuple[Cell, Cell]]
"""Score and scoring level that responses carried, by the time at which each was first received."""

_SCORE_COLUMNS = ("entity_id", "observed_at", "score", "scoring_level")


def load_stored(
    engine: sa.Engine,
    run_id: str,
    ids: Sequence[str],
    observe: Callable[[StoredResponses], Outcome],
) -> LoadCounts:
    """Make ledger and tables say what ``landing`` holds of these activities, in one transaction.

    ``observe`` maps the stored responses of one activity; it must be pure, since a transaction can be
    retried. What does not map, or PostgreSQL refuses, goes to quarantine, and its stored rows stay.
    Raises a ``WarehouseError``.
    """

    def work(session: Session, part: Sequence[str]) -> LoadCounts:
        erasures.share(session)
        # Locked before landing is read: no run can land or load a newer response in between.
        known = ledger.lock(session, list(part))
        stored = landing.newest(session, list(part), known)
        # Landing holds nothing that was erased, unless it was restored from an older copy.
        outcomes, to_erase = erasures.keep_out(session, [observe(each) for each in stored])
        # Nearly always all are stored. Activities refer to them, so a missing one must come first.
        carried = {entity.id: entity for entity in erasures.entities_of(outcomes)}
        missing = carried.keys() - digests(session, carried)
        write_entities(session, [carried[name] for name in sorted(missing)])
        merged = merge_stored(outcomes, known, witness.intact(session, "activity", part))
        return write(session, run_id, merged, to_erase)

    def refuse(name: str, reason: str) -> LoadCounts:
        return load_stored(engine, run_id, [name], lambda stored: refused(observe(stored), reason))

    return load_in_parts(engine, sorted(ids), work, refuse)


def load_entities(
    engine: sa.Engine, latest: Sequence[EntityObservation], scores: Mapping[str, Scores]
) -> int:
    """Write counterparts that are not stored as last observed; return how many were written.

    ``scores``: all scores of altered counterparts, for ``warehouse.entity_scores``.
    """

    def work(session: Session) -> int:
        erasures.share(session)
        entities = erasures.redact_entities(session, latest)
        intact = witness.intact(session, "entity", [each.id for each in entities])
        altered = [each for each in entities if each.id in scores and not intact.get(each.id)]
        names, times = [each.id for each in altered], [each.observed_at for each in altered]
        session.execute(statement("witness/clamp_observed"), {"ids": names, "times": times})
        news = find_news(session, [each for each in entities if each not in altered])
        count = write_entities(session, [*altered, *map(combine, news.values())])
        # Their kept scores are replaced by those that responses told.
        told = [(name, at, *score) for name in names for at, score in scores[name].items()]
        merge_rows(session, "warehouse.entity_scores", _SCORE_COLUMNS, told, "load/scores")
        witness.seal(session, "entity", names)
        return count

    return in_transaction(engine, work)


def remove_unknown(engine: sa.Engine) -> int:
    """Remove activities that neither ``landing`` nor the ledger knows; return how many."""
    found = fetch(engine, scalar_row, statement("load/unknown_activities"))
    # A run may store one of them right now, with its ledger row: the statement looks again.
    return execute(engine, statement("witness/remove_unknown"), {"ids": id_array(found)})
