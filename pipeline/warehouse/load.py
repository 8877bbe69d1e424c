"""Loading: one batch of outcomes in one transaction, the ledger with the data it describes.

The design's "Load": COPY throughout, straight into the tables for what was never seen, by staging
for counterparts that changed; children replaced. Applying the same batch twice changes nothing.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse import erasures, ledger, quarantine, run_changes
from pipeline.warehouse.copying import copy_binary, copy_rows, stage_rows
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.entities import digests
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.merge import LoadCounts, Merged, merge
from pipeline.warehouse.rows import (
    DETAILS_COLUMNS,
    ENTITY_ROW,
    LISTED_COLUMNS,
    Cell,
    DetailsObservation,
    EntityObservation,
    Failure,
    ListObservation,
    Outcome,
    Row,
)
from pipeline.warehouse.sql import id_array, load_statement
from pipeline.warehouse.wipe import wipe_values

ACTIVITY_COLUMNS = ("id", *DETAILS_COLUMNS, "first_seen_at", "details_fetched_at")
CHILDREN = {
    "requirements": ("disposition", "position", "code", "type", "category", "value"),
    "requirement_items": ("disposition", "requirement_position", "position", "code"),
    "accepted_items": (
        "requirement_position",
        "position",
        "requirement_code",
        "code",
        "type",
        "value",
    ),
    "timeline_events": ("position", "status", "date_time", "message", "http_request_id"),
}
"""Child tables of an activity; each name is also the field of ``DetailsObservation``."""
_LIST_LANDING = {
    "activity_id": "uuid",
    "first_seen_at": "timestamptz",
    "digest": "bytea",
    "body": "bytea",
}
_DETAILS_LANDING = {
    "activity_id": "uuid",
    "first_seen_at": "timestamptz",
    "last_seen_at": "timestamptz",
    "digest": "bytea",
    "body": "bytea",
}


def load(engine: sa.Engine, run_id: str, outcomes: Sequence[Outcome]) -> LoadCounts:
    """Store a batch of outcomes, of distinct activities, in one transaction.

    A value that PostgreSQL refuses sends its activity to quarantine with the reason and lets the
    others in. Raises a ``WarehouseError``.
    """
    if not outcomes:
        return LoadCounts()
    ordered = sorted(outcomes, key=lambda outcome: outcome.subject)
    try:
        return in_transaction(engine, lambda session: _load(session, run_id, ordered))
    except psycopg.Error as error:
        if len(ordered) == 1:
            return _load_refused(engine, run_id, ordered[0], error)
    middle = len(ordered) // 2
    return load(engine, run_id, ordered[:middle]) + load(engine, run_id, ordered[middle:])


def _load_refused(
    engine: sa.Engine, run_id: str, outcome: Outcome, error: psycopg.Error
) -> LoadCounts:
    """Quarantine the one activity whose values PostgreSQL refused; the message may hold values."""
    reason = f"PostgreSQL can't store it: {type(error).__name__} (SQLSTATE {error.sqlstate})"
    details, listed = outcome.details, outcome.listed
    source = "details" if details is not None else "list"
    body = details or listed
    refused = Outcome(
        outcome.subject,
        failures=[
            Failure(
                source=source,
                subject=outcome.subject,
                activity_id=outcome.subject,
                day=body.day if body else None,
                reason=reason,
                payload=body.body if body else None,
                at=body.received_at if body else datetime.now().astimezone(),
            )
        ],
    )
    if details is not None and listed is not None:
        refused.listed = listed
    return load(engine, run_id, [refused])


def _load(session: psycopg.Connection[Any], run_id: str, outcomes: list[Outcome]) -> LoadCounts:
    ids = [outcome.subject for outcome in outcomes if outcome.listed or outcome.details]
    ids += [outcome.subject for outcome in outcomes if outcome.gone_at or outcome.withheld_at]
    erasures.share(session)
    known = ledger.lock(session, ids)
    outcomes, to_erase = erasures.keep_out(session, outcomes)
    merged = merge(outcomes, known)
    _write_entities(session, merged.entities)
    _write_activities(session, merged)
    _write_children(session, merged)
    changes = run_changes.describe(session, merged.changes, merged.details_news)
    _write_landing(session, merged)
    write_ledger(session, merged.ledger_new, merged.ledger_known)
    resolved = quarantine.resolve(session, merged.resolved)
    quarantine.record(session, merged.failures)
    run_changes.record_new(session, run_id, sorted(merged.never_seen))
    run_changes.record(
        session, run_id, [*changes, *((name, "resolved", None) for name in resolved)]
    )
    wipe_values(session, to_erase)
    return merged.loaded


def _write_entities(
    session: psycopg.Connection[Any], entities: dict[str, EntityObservation]
) -> None:
    if not entities:
        return
    names = sorted(entities)
    known = digests(session, names)
    # Whoever loses a race for one never seen gets a unique violation and begins anew.
    written = [name for name in names if name not in known]
    if written:
        rows = (entities[name].as_row() for name in written)
        copy_rows(session, "warehouse.entities", ENTITY_ROW, rows)
    changed = [entities[name] for name, digest in known.items() if entities[name].digest != digest]
    if changed:
        rows = (entity.as_row() for entity in changed)
        stage_rows(session, "warehouse.entities", ENTITY_ROW, rows)
        rewritten = [row[0] for row in session.execute(load_statement("entities"))]
        session.execute(
            "delete from warehouse.entity_social_media where entity_id = any(%s::uuid[])",
            (id_array(rewritten),),
        )
        written += rewritten
    links = [(name, *link) for name in written for link in entities[name].social_media]
    if links:
        columns = ("entity_id", "position", "media", "url")
        copy_rows(session, "warehouse.entity_social_media", columns, links)


def _write_activities(session: psycopg.Connection[Any], merged: Merged) -> None:
    # Whoever loses a race for an activity never seen gets a unique violation and begins anew.
    never_seen = merged.never_seen
    new: list[Row] = []
    known: list[Row] = [listed_row(listed) for listed in merged.only_listed]
    for details in merged.details_news:
        name = details.activity_id
        row = (name, *details.values, merged.first_seen[name], details.received_at)
        (new if name in never_seen else known).append(row)
    if new:
        copy_rows(session, "warehouse.activities", ACTIVITY_COLUMNS, new)
    if known:
        stage_rows(session, "warehouse.activities", ACTIVITY_COLUMNS, known)
        session.execute(load_statement("activities"))
    if merged.had_before:
        session.execute(load_statement("landing_had_before"), {"ids": merged.had_before})
    for listed in merged.withheld:
        session.execute(
            "update warehouse.activities set status = %s, gone_at = null where id = %s"
            " and (status is distinct from %s or gone_at is not null)",
            (listed.status, listed.activity_id, listed.status),
        )
    for name, at in merged.gone:
        session.execute("update warehouse.activities set gone_at = %s where id = %s", (at, name))


def listed_row(listed: ListObservation) -> Row:
    """Return a row of ``warehouse.activities``, by `ACTIVITY_COLUMNS`, as far as a list row goes."""
    values: dict[str, Cell] = dict(zip(LISTED_COLUMNS, listed.values, strict=True))
    return (
        listed.activity_id,
        *(values.get(column) for column in DETAILS_COLUMNS),
        listed.received_at,
        None,
    )


def _write_children(session: psycopg.Connection[Any], merged: Merged) -> None:
    for table, columns in CHILDREN.items():
        if merged.rewritten:
            session.execute(
                f"delete from warehouse.{table} where activity_id = any(%s::uuid[])",
                (id_array(merged.rewritten),),
            )
        rows = [
            (details.activity_id, *row)
            for details in merged.details_news
            for row in getattr(details, table)
        ]
        if rows:
            copy_rows(session, f"warehouse.{table}", ("activity_id", *columns), rows)


def _write_landing(session: psycopg.Connection[Any], merged: Merged) -> None:
    if merged.landed:
        copy_binary(
            session,
            "landing.activity_details",
            _DETAILS_LANDING,
            (
                (d.activity_id, d.received_at, d.received_at, d.digest, d.body)
                for d in merged.landed
            ),
        )
    if merged.listed_news:
        copy_binary(
            session,
            "landing.activity_list_rows",
            _LIST_LANDING,
            ((x.activity_id, x.received_at, x.digest, x.body) for x in merged.listed_news),
        )
    if merged.touched:
        session.execute(
            load_statement("landing_seen_again"),
            {
                "ids": [details.activity_id for details in merged.touched],
                "times": [details.received_at for details in merged.touched],
            },
        )
    record_unknown(session, [*merged.details_news, *merged.listed_news])


def record_unknown(
    session: psycopg.Connection[Any],
    observations: Iterable[DetailsObservation | ListObservation],
) -> None:
    """Record codes and fields seen for the first time; each once a batch, its sample the first."""
    first: dict[tuple[str, str], DetailsObservation | ListObservation] = {}
    for observed in observations:
        for code in observed.codes:
            first.setdefault(code, observed)
    rows = [(*code, first[code].activity_id, first[code].received_at) for code in sorted(first)]
    if rows:
        session.cursor().executemany(load_statement("unknown_values"), rows)


def write_ledger(
    session: psycopg.Connection[Any], new: Sequence[LedgerRow], known: Sequence[LedgerRow]
) -> None:
    """Write rows of the ledger: ``new`` ones, and ``known`` ones, which the caller has locked.

    Whoever loses a race for a new one gets a unique violation and begins anew.
    """
    table = "sync.activity_ledger"
    if new:
        copy_binary(session, table, ledger.COLUMNS, (row.as_row() for row in new))
    if known:
        stage_rows(session, table, tuple(ledger.COLUMNS), (row.as_row() for row in known))
        session.execute(load_statement("ledger_known"))
