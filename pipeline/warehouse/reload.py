"""Loading again what ``landing`` holds: rows that somebody altered, or that an older mapping wrote.

Implements docs/design.md "Altered rows". An activity is written again, by the ordinary load's `write`, if
its row of the ledger says that it was altered, or names an older mapping. So a process that was killed is
followed by one that goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TypeAlias

import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse import erasures, landing, ledger
from pipeline.warehouse.copying import merge_rows
from pipeline.warehouse.engine import Session, execute, fetch, in_transaction
from pipeline.warehouse.entities import combine, digests, find_news
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.load import load_in_parts, refused, write, write_entities
from pipeline.warehouse.merge import LoadCounts
from pipeline.warehouse.merge_stored import merge_stored
from pipeline.warehouse.rows import Cell, EntityObservation, Outcome
from pipeline.warehouse.sql import statement

Scores: TypeAlias = dict[datetime, tuple[Cell, Cell]]
"""Score and scoring level that responses carried, by the time at which each was first received."""

_SCORE_COLUMNS = ("entity_id", "observed_at", "score", "scoring_level")


def load_stored(
    engine: sa.Engine,
    run_id: str,
    ids: Sequence[str],
    observe: Callable[[StoredResponses], Outcome],
    versions: tuple[int, int],
) -> LoadCounts:
    """Make ledger and tables say what ``landing`` holds of these activities, in one transaction.

    ``versions``: of the mapping, and of the first one that stores the same rows. ``observe`` maps the
    stored responses of one activity; it must be pure, since a transaction can be retried. What does not
    map, or PostgreSQL refuses, goes to quarantine, and its stored rows stay. Raises a ``WarehouseError``.
    """

    def work(session: Session, part: Sequence[str]) -> LoadCounts:
        erasures.share(session)
        # Locked before landing is read: no run can land or load a newer response in between.
        known = ledger.lock(session, list(part))
        stored = landing.newest(session, list(part), known, missing=True)
        # Landing holds nothing that was erased, unless it was restored from an older copy.
        outcomes, to_erase = erasures.keep_out(session, [observe(each) for each in stored])
        # Nearly always all are stored. Activities refer to them, so a missing one must come first.
        carried = {entity.id: entity for entity in erasures.entities_of(outcomes)}
        missing = carried.keys() - digests(session, carried)
        write_entities(session, [carried[name] for name in sorted(missing)])
        merged = merge_stored(outcomes, known, *versions)
        return write(session, run_id, merged, to_erase)

    def refuse(name: str, reason: str) -> LoadCounts:
        return load_stored(
            engine, run_id, [name], lambda stored: refused(observe(stored), reason), versions
        )

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
        altered = [each for each in entities if each.id in scores]
        names, times = [each.id for each in altered], [each.observed_at for each in altered]
        session.execute(statement("load/clamp_observed"), {"ids": names, "times": times})
        news = find_news(session, [each for each in entities if each not in altered])
        count = write_entities(session, [*altered, *map(combine, news.values())])
        # Their kept scores are replaced by those that responses told.
        told = [(name, at, *score) for name in names for at, score in scores[name].items()]
        merge_rows(session, "warehouse.entity_scores", _SCORE_COLUMNS, told, "load/scores")
        return count

    return in_transaction(engine, work)


def altered_activities(
    engine: sa.Engine, days: tuple[date, date] | None, version: int
) -> list[tuple[str, bool]]:
    """Return the activities to load again, and whether somebody altered them.

    ``days``: first and last day of those that were altered; what an older mapping than ``version`` wrote
    may be of any day. Looks only into the ledger.
    """
    first, last = days or (date.min, date.max)
    query = (
        "select activity_id::text, altered from sync.activity_ledger"
        " where (altered and (day is null or day between %s and %s)) or mapping_version <> %s"
        " order by 1"
    )
    return fetch(engine, tuple_row, query, (first, last, version))


def altered_entities(engine: sa.Engine) -> set[str]:
    """Return the counterparts that somebody altered."""
    query = "select id::text from warehouse.entities where digest = ''"
    return set(fetch(engine, scalar_row, query))


def count_altered(engine: sa.Engine) -> int:
    """Return how many activities and counterparts somebody altered."""
    query = "select count(*) from sync.activity_ledger where altered"
    (count,) = fetch(engine, scalar_row, query)
    return int(count) + len(altered_entities(engine))


def give_up_entities(engine: sa.Engine, ids: Sequence[str]) -> None:
    """Remove those of ``ids``, counterparts that no stored response carries, that nobody names.

    The others are as the next response says.
    """
    execute(engine, statement("load/unknown_entities"), {"ids": list(ids)})
