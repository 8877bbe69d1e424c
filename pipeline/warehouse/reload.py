"""Loading again what ``landing`` holds: the warehouse's side of ``pipeline reparse``.

Implements docs/design.md "Load". Rows of the tables are compared with what the stored responses say;
only what differs is written, by the ordinary load's `write`. So a reparse that was killed can start
again, and one that finds nothing wrong writes nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse import erasures, landing, ledger
from pipeline.warehouse.copying import stage_rows
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.erase import erase_values, mark_erased
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.load import (
    ACTIVITY_COLUMNS,
    CHILDREN,
    LINK_COLUMNS,
    listed_values,
    load_in_parts,
    refused,
    write,
    write_entities,
)
from pipeline.warehouse.merge import LoadCounts, merge_stored
from pipeline.warehouse.rows import (
    DETAILS_COLUMNS,
    ENTITY_ROW,
    Cell,
    EntityObservation,
    Outcome,
    Row,
)
from pipeline.warehouse.sql import id_array, statement

_STATUS = DETAILS_COLUMNS.index("status")


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

    def load_again(session: psycopg.Connection[Any], part: Sequence[str]) -> LoadCounts:
        return _load_again(session, run_id, part, observe)

    def refuse(name: str, reason: str) -> LoadCounts:
        def observe_refused(stored: StoredResponses) -> Outcome:
            return refused(observe(stored), reason)

        return in_transaction(
            engine, lambda session: _load_again(session, run_id, [name], observe_refused)
        )

    return load_in_parts(engine, sorted(ids), load_again, refuse)


def _load_again(
    session: psycopg.Connection[Any],
    run_id: str,
    ids: Sequence[str],
    observe: Callable[[StoredResponses], Outcome],
) -> LoadCounts:
    erasures.share(session)
    # Locked before landing is read: no run can land or load a newer response in between.
    known = ledger.lock(session, list(ids))
    stored = landing.newest(session, list(ids), known)
    # Landing holds nothing that was erased, unless it was restored from an older copy.
    outcomes, to_erase = erasures.keep_out(session, [observe(each) for each in stored])
    differing = _find_differing_activities(session, stored, outcomes)
    merged = merge_stored(outcomes, known, differing)
    write(session, run_id, merged)
    erase_values(session, to_erase)
    mark_erased(session, merged.rewritten)
    return merged.counts


def load_entities(engine: sa.Engine, latest: Sequence[EntityObservation]) -> int:
    """Write counterparts that differ from their latest observation; return how many were written."""

    def work(session: psycopg.Connection[Any]) -> int:
        erasures.share(session)
        entities = erasures.redact_entities(session, latest)
        ids = [entity.id for entity in entities]
        rows = [entity.as_row() for entity in entities]
        links = [(entity.id, *link) for entity in entities for link in entity.social_media]
        # Links have no row of their own in the load: a counterpart with other links is written whole.
        differing = _find_differing(session, "entities", ENTITY_ROW, ids, rows)
        differing |= _find_differing(session, "entity_social_media", LINK_COLUMNS, ids, links)
        written = [entity for entity in entities if entity.id in differing]
        # Merged, also those that are not stored: the statement inserts them.
        return write_entities(session, [], written)

    return in_transaction(engine, work)


def remove_unknown(engine: sa.Engine, entities: Sequence[str]) -> int:
    """Remove activities that ``landing`` does not know, and those of ``entities`` without activity.

    Their ledger rows go too, so the next run fetches what the service still lists. Returns how many
    activities were removed.
    """

    def find(session: psycopg.Connection[Any]) -> list[str]:
        return [name for (name,) in session.execute(statement("load/unknown_activities"))]

    def work(session: psycopg.Connection[Any]) -> int:
        # A run may load one of them right now. It holds the ledger row, so look again behind the lock.
        ledger.lock(session, find(session))
        unknown = find(session)
        for table, key in (("warehouse.activities", "id"), ("sync.activity_ledger", "activity_id")):
            session.execute(
                f"delete from {table} where {key} = any(%s::uuid[])", (id_array(unknown),)
            )
        session.execute(statement("load/unknown_entities"), {"ids": id_array(entities)})
        return len(unknown)

    return in_transaction(engine, work)


def _find_differing_activities(
    session: psycopg.Connection[Any],
    stored: Sequence[StoredResponses],
    outcomes: Sequence[Outcome],
) -> set[str]:
    """Return the activities whose rows, or whose children's, are not what the outcomes say."""
    pairs = [
        (each, outcome)
        for each, outcome in zip(stored, outcomes, strict=True)
        if outcome.details or outcome.listed
    ]
    # Rows made from details that no longer map stay. A list row fills the gap only if there is no row.
    unmapped = [each.activity_id for each, outcome in pairs if each.details and not outcome.details]
    found = session.execute(
        "select id::text from warehouse.activities where id = any(%s::uuid[])",
        (id_array(unmapped),),
    )
    left_out = {name for (name,) in found}
    pairs = [(each, outcome) for each, outcome in pairs if outcome.subject not in left_out]
    ids = [outcome.subject for _, outcome in pairs]
    rows = [_expected_row(each, outcome) for each, outcome in pairs]
    columns = (*ACTIVITY_COLUMNS, "gone_at")
    differing = _find_differing(session, "activities", columns, ids, rows)
    for table, child_columns in CHILDREN.items():
        children = [
            (outcome.subject, *row)
            for _, outcome in pairs
            if outcome.details is not None
            for row in getattr(outcome.details, table)
        ]
        differing |= _find_differing(session, table, ("activity_id", *child_columns), ids, children)
    return differing


def _expected_row(stored: StoredResponses, outcome: Outcome) -> Row:
    row = stored.ledger or LedgerRow(stored.activity_id)
    listed, details, fetched_at = outcome.listed, outcome.details, None
    values: list[Cell] = []
    if details is not None and stored.details is not None:
        values = list(details.values)
        fetched_at = stored.details.first_seen_at
    elif listed is not None:
        values = list(listed_values(listed))
    if row.withheld_at is not None and listed is not None and listed.status is not None:
        values[_STATUS] = listed.status
    return (outcome.subject, *values, stored.first_seen_at, fetched_at, row.gone_at)


def _find_differing(
    session: psycopg.Connection[Any],
    table: str,
    columns: Sequence[str],
    ids: Iterable[str],
    rows: Iterable[Sequence[Cell]],
) -> set[str]:
    """Return those of ``ids`` whose rows in ``warehouse.table`` are not exactly ``rows``.

    The first of ``columns`` holds the id that a row belongs to. PostgreSQL compares: only there are
    numbers and JSON values equal as the table holds them.
    """
    # The tables keep when a form was first observed, which landing can't tell after other forms.
    names = ", ".join(column for column in columns if column != "observed_at")
    owner = columns[0]
    stage_rows(session, f"warehouse.{table}", columns, rows)
    stored = f"select {names} from warehouse.{table} where {owner} = any(%(ids)s::uuid[])"
    expected = f"select {names} from stage_{table}"
    found = session.execute(
        f"select distinct {owner}::text from ("
        f"(({stored}) except all ({expected})) union all (({expected}) except all ({stored}))"
        ") as differing",
        {"ids": id_array(ids)},
    )
    differing = {name for (name,) in found}
    session.execute(f"delete from stage_{table}")
    return differing
