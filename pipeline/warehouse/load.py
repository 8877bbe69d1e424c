"""Loading: one batch of outcomes in one transaction, the ledger with the data it describes.

The design's "Load": staging and an anti-join for entities, children replaced for what changed,
COPY throughout. Applying the same batch twice changes nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse import ledger, quarantine, run_changes
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.rows import (
    DETAILS_COLUMNS,
    ENTITY_COLUMNS,
    LISTED_COLUMNS,
    Cell,
    DetailsObservation,
    EntityObservation,
    Failure,
    ListObservation,
    Outcome,
    Row,
)
from pipeline.warehouse.sql import load_statement

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


@dataclass(slots=True)
class Loaded:
    """What a batch did, by activity."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    quarantined: int = 0

    def __add__(self, other: "Loaded") -> "Loaded":
        return Loaded(
            self.new + other.new,
            self.changed + other.changed,
            self.unchanged + other.unchanged,
            self.gone + other.gone,
            self.quarantined + other.quarantined,
        )


@dataclass(slots=True)
class _Merged:
    """A batch split by what has to be written."""

    ledger_new: list[LedgerRow] = field(default_factory=list)
    ledger_known: list[LedgerRow] = field(default_factory=list)
    entities: dict[str, EntityObservation] = field(default_factory=dict)
    listed_news: list[ListObservation] = field(default_factory=list)
    only_listed: list[ListObservation] = field(default_factory=list)
    details_news: list[DetailsObservation] = field(default_factory=list)
    landed: list[DetailsObservation] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    touched: list[DetailsObservation] = field(default_factory=list)
    first_seen: dict[str, datetime] = field(default_factory=dict)
    had_before: list[str] = field(default_factory=list)
    withheld: list[ListObservation] = field(default_factory=list)
    gone: list[tuple[str, datetime]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    resolved: dict[str, list[tuple[str, datetime]]] = field(
        default_factory=lambda: {"list": [], "details": []}
    )
    changes: list[tuple[str, str]] = field(default_factory=list)
    loaded: Loaded = field(default_factory=Loaded)

    def observe(self, entity: EntityObservation | None) -> None:
        """Keep the latest observation of each counterpart."""
        if entity is None:
            return
        known = self.entities.get(entity.id)
        if known is None or known.observed_at <= entity.observed_at:
            self.entities[entity.id] = entity


def load(engine: sa.Engine, run_id: str, outcomes: Sequence[Outcome]) -> Loaded:
    """Store a batch of outcomes, of distinct activities, in one transaction.

    A value that PostgreSQL refuses sends its activity to quarantine with the reason and lets the
    others in. Raises a ``WarehouseError``.
    """
    if not outcomes:
        return Loaded()
    ordered = sorted(outcomes, key=lambda outcome: outcome.subject)
    try:
        return in_transaction(engine, lambda session: _load(session, run_id, ordered))
    except psycopg.Error as error:
        if len(ordered) == 1:
            return _load_refused(engine, run_id, ordered[0], error)
    middle = len(ordered) // 2
    return load(engine, run_id, ordered[:middle]) + load(engine, run_id, ordered[middle:])


def _load_refused(engine: sa.Engine, run_id: str, outcome: Outcome, error: psycopg.Error) -> Loaded:
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


def _load(session: psycopg.Connection[Any], run_id: str, outcomes: list[Outcome]) -> Loaded:
    ids = [outcome.subject for outcome in outcomes if outcome.listed or outcome.details]
    ids += [outcome.subject for outcome in outcomes if outcome.gone_at or outcome.withheld_at]
    known = ledger.lock(session, ids)
    merged = _merge(outcomes, known)
    session.execute(load_statement("stage"))
    _write_entities(session, merged.entities)
    _write_activities(session, merged)
    _write_children(session, merged)
    changes = run_changes.describe(session, merged.changes, merged.details_news)
    _write_landing(session, merged)
    write_ledger(session, merged.ledger_new, merged.ledger_known)
    resolved = quarantine.resolve(session, merged.resolved)
    quarantine.record(session, merged.failures)
    run_changes.record(
        session, run_id, [*changes, *((name, "resolved", None) for name in resolved)]
    )
    return merged.loaded


def _merge(outcomes: list[Outcome], known: dict[str, LedgerRow]) -> _Merged:
    merged = _Merged()
    for outcome in outcomes:
        before = known.get(outcome.subject)
        after = before or LedgerRow(outcome.subject)
        after = _merge_list(merged, outcome, after)
        after = _merge_details(merged, outcome, after)
        after = _merge_endings(merged, outcome, after)
        for failure in outcome.failures:
            merged.failures.append(failure)
            merged.loaded.quarantined += 1
            merged.changes.append((failure.subject, "quarantined"))
        if before is None and after.listed_at is None and after.checked_at is None:
            continue
        if before is None:
            merged.ledger_new.append(after)
        elif after != before:
            merged.ledger_known.append(after)
    return merged


def _merge_list(merged: _Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    listed = outcome.listed
    if listed is None or not row.accepts_list(listed):
        return row
    merged.observe(listed.entity)
    merged.resolved["list"].append((outcome.subject, listed.received_at))
    again = listed.digest == row.list_digest and listed.received_at == row.listed_at
    if (listed.digest != row.list_digest or listed.entity_news) and not again:
        merged.listed_news.append(listed)
    if row.details_digest is None and outcome.details is None:
        merged.only_listed.append(listed)
    return row.with_list(listed, outcome.details.day if outcome.details else None)


def _merge_details(merged: _Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    details = outcome.details
    if details is None or not row.accepts_details(details):
        return row
    merged.observe(details.entity)
    merged.resolved["details"].append((outcome.subject, details.received_at))
    if row.gone_at is not None:
        merged.changes.append((outcome.subject, "returned"))
    if row.holds(details) and row.gone_at is None:
        merged.touched.append(details)
        merged.loaded.unchanged += 1
        return row.with_details(details)
    merged.details_news.append(details)
    if row.details_digest != details.digest:
        merged.landed.append(details)
    else:
        merged.touched.append(details)
        merged.had_before.append(outcome.subject)
    times = [details.received_at, *([outcome.listed.received_at] if outcome.listed else [])]
    merged.first_seen[outcome.subject] = min(times)
    if row.details_digest is None:
        merged.loaded.new += 1
        merged.changes.append((outcome.subject, "new"))
    else:
        merged.loaded.changed += 1
        merged.changes.append((outcome.subject, "changed"))
        merged.rewritten.append(outcome.subject)
    return row.with_details(details)


def _merge_endings(merged: _Merged, outcome: Outcome, row: LedgerRow) -> LedgerRow:
    withheld_at, gone_at = outcome.withheld_at, outcome.gone_at
    if withheld_at is not None and outcome.listed is not None and row.accepts_ending(withheld_at):
        merged.withheld.append(outcome.listed)
        merged.resolved["details"].append((outcome.subject, withheld_at))
        row = row.with_withheld(withheld_at)
    if gone_at is not None and row.gone_at is None and row.accepts_ending(gone_at):
        merged.gone.append((outcome.subject, gone_at))
        merged.resolved["details"].append((outcome.subject, gone_at))
        merged.resolved["list"].append((outcome.subject, gone_at))
        merged.loaded.gone += 1
        merged.changes.append((outcome.subject, "gone"))
        row = row.with_gone(gone_at)
    return row


def _write_entities(
    session: psycopg.Connection[Any], entities: dict[str, EntityObservation]
) -> None:
    if not entities:
        return
    copy_rows(
        session,
        "stage_entities",
        (*ENTITY_COLUMNS, "digest", "observed_at"),
        ((*entity.values, entity.digest, entity.observed_at) for entity in entities.values()),
    )
    written = [row[0] for row in session.execute(load_statement("entities"))]
    if not written:
        return
    session.execute(
        "delete from warehouse.entity_social_media where entity_id = any(%s::uuid[])", (written,)
    )
    links = [(name, *link) for name in written for link in entities[name].social_media]
    if links:
        columns = ("entity_id", "position", "media", "url")
        copy_rows(session, "warehouse.entity_social_media", columns, links)


def _write_activities(session: psycopg.Connection[Any], merged: _Merged) -> None:
    rows: list[Row] = [
        (
            details.activity_id,
            *details.values,
            merged.first_seen[details.activity_id],
            details.received_at,
        )
        for details in merged.details_news
    ]
    rows += [listed_row(listed) for listed in merged.only_listed]
    if rows:
        copy_rows(session, "stage_activities", ACTIVITY_COLUMNS, rows)
        session.execute(load_statement("activities"))
    if merged.had_before:
        session.execute(load_statement("landing_had_before"), {"ids": merged.had_before})
    for listed in merged.withheld:
        session.execute(
            "update warehouse.activities set status = %s where id = %s and status is distinct from %s",
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


def _write_children(session: psycopg.Connection[Any], merged: _Merged) -> None:
    for table, columns in CHILDREN.items():
        if merged.rewritten:
            session.execute(
                f"delete from warehouse.{table} where activity_id = any(%s::uuid[])",
                (merged.rewritten,),
            )
        rows = [
            (details.activity_id, *row)
            for details in merged.details_news
            for row in getattr(details, table)
        ]
        if rows:
            copy_rows(session, f"warehouse.{table}", ("activity_id", *columns), rows)


def _write_landing(session: psycopg.Connection[Any], merged: _Merged) -> None:
    if merged.landed:
        columns = ("activity_id", "first_seen_at", "last_seen_at", "digest", "body")
        copy_rows(
            session,
            "landing.activity_details",
            columns,
            (
                (d.activity_id, d.received_at, d.received_at, d.digest, d.body)
                for d in merged.landed
            ),
        )
    if merged.listed_news:
        copy_rows(
            session,
            "landing.activity_list_rows",
            ("activity_id", "first_seen_at", "digest", "body"),
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
    """Write rows of the ledger: ``new`` ones, and ``known`` ones, which the caller has locked."""
    rows = [(*row.as_row(), True) for row in new]
    rows += [(*row.as_row(), False) for row in known]
    if not rows:
        return
    copy_rows(session, "stage_ledger", (*ledger.COLUMNS, "is_new"), rows)
    if new:
        session.execute(load_statement("ledger_new"))
    if known:
        session.execute(load_statement("ledger_known"))


def copy_rows(
    session: psycopg.Connection[Any],
    table: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
) -> None:
    """Write rows into a table by COPY; ``columns`` are our own names."""
    statement = f"copy {table} ({', '.join(columns)}) from stdin"
    with session.cursor().copy(statement) as copy:
        write: Callable[[Sequence[Cell]], None] = copy.write_row
        for row in rows:
            write(row)
