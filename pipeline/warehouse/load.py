"""Loading: a batch of outcomes in one transaction, with the ledger rows that describe them.

Implements docs/design.md "Load". Whatever is new goes by COPY straight into its table; what is known
is staged and merged; children are replaced. Applying the same batch twice changes nothing.
`pipeline.warehouse.reload` loads what ``landing`` holds, through the same `write`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import psycopg
import sqlalchemy as sa
from msgspec.structs import astuple

from pipeline.warehouse import erasures, ledger, quarantine, run_changes
from pipeline.warehouse.copying import copy_binary, copy_rows, stage_rows
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.entities import digests
from pipeline.warehouse.erase import erase_values
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
from pipeline.warehouse.sql import id_array, statement

T = TypeVar("T")

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
_LIST_LANDING = ("activity_id", "first_seen_at", "digest", "body")
_DETAILS_LANDING = ("activity_id", "first_seen_at", "last_seen_at", "digest", "body")
LINK_COLUMNS = ("entity_id", "position", "media", "url")


def load(engine: sa.Engine, run_id: str, outcomes: Sequence[Outcome]) -> LoadCounts:
    """Store a batch of outcomes, of distinct activities, in one transaction; return what it did.

    An activity with a value that PostgreSQL refuses goes to quarantine with the reason, without the
    others. Raises a ``WarehouseError``.
    """

    def work(session: psycopg.Connection[Any], part: Sequence[Outcome]) -> LoadCounts:
        ids = [outcome.subject for outcome in part if outcome.listed or outcome.details]
        ids += [outcome.subject for outcome in part if outcome.gone_at or outcome.withheld_at]
        # The order matters: an erasure waits for the shared lock, and a load that waited for
        # a ledger row looks up what was erased only after that wait.
        erasures.share(session)
        known = ledger.lock(session, ids)
        kept, to_erase = erasures.keep_out(session, part)
        merged = merge(kept, known)
        write(session, run_id, merged)
        erase_values(session, to_erase)
        return merged.counts

    def refuse(outcome: Outcome, reason: str) -> LoadCounts:
        return load(engine, run_id, [refused(outcome, reason)])

    # Every run locks in the order of ids, so two runs over the same activities do not deadlock.
    ordered = sorted(outcomes, key=lambda outcome: outcome.subject)
    return load_in_parts(engine, ordered, work, refuse)


def load_in_parts(
    engine: sa.Engine,
    items: Sequence[T],
    work: Callable[[psycopg.Connection[Any], Sequence[T]], LoadCounts],
    refuse: Callable[[T, str], LoadCounts],
) -> LoadCounts:
    """Do ``work`` for all items in one transaction; halve them while PostgreSQL refuses a value.

    ``refuse`` gets the one item that is refused alone, and the reason, which holds no value.
    """
    if not items:
        return LoadCounts()
    try:
        return in_transaction(engine, lambda session: work(session, items))
    except psycopg.Error as error:
        # The driver's own message may hold values.
        reason = f"PostgreSQL can't store it: {type(error).__name__} (SQLSTATE {error.sqlstate})"
    if len(items) == 1:
        return refuse(items[0], reason)
    middle = len(items) // 2
    first = load_in_parts(engine, items[:middle], work, refuse)
    return first + load_in_parts(engine, items[middle:], work, refuse)


def refused(outcome: Outcome, reason: str) -> Outcome:
    """Return an outcome whose values PostgreSQL refused, as a failure; the list row may still do."""
    body = outcome.details or outcome.listed
    failure = Failure(
        source="list" if outcome.details is None else "details",
        subject=outcome.subject,
        activity_id=outcome.subject,
        day=body.day if body else None,
        reason=reason,
        payload=body.body if body else None,
        at=body.received_at if body else datetime.now().astimezone(),
    )
    listed = outcome.listed if outcome.details is not None else None
    return Outcome(outcome.subject, listed=listed, failures=[*outcome.failures, failure])


def write(session: psycopg.Connection[Any], run_id: str, merged: Merged) -> None:
    """Write a merged batch; the caller has locked its ledger rows."""
    _write_entities(session, merged.entities)
    _write_activities(session, merged)
    _write_children(session, merged)
    # The changed fields are found by comparing with the version before: it must not have landed yet.
    changes = run_changes.describe(session, merged.changes, merged.details_news)
    _write_landing(session, merged)
    _record_unknown(session, [*merged.details_news, *merged.listed_news])
    _write_ledger(session, merged)
    resolved = quarantine.resolve(session, merged.resolved)
    quarantine.record(session, merged.failures)
    run_changes.record_new(session, run_id, sorted(merged.never_seen))
    run_changes.record(
        session, run_id, [*changes, *((name, "resolved", None) for name in resolved)]
    )


def _write_entities(
    session: psycopg.Connection[Any], entities: Mapping[str, EntityObservation]
) -> None:
    if not entities:
        return
    known = digests(session, sorted(entities))
    new = [entities[name] for name in sorted(entities) if name not in known]
    changed = [entities[name] for name, digest in known.items() if entities[name].digest != digest]
    write_entities(session, new, changed)


def write_entities(
    session: psycopg.Connection[Any],
    new: Sequence[EntityObservation],
    changed: Sequence[EntityObservation],
) -> int:
    """Write counterparts with their links; return how many. One stored later than ours stays."""
    # Two runs may insert the same new one. The second gets a unique violation and retries its batch.
    if new:
        rows = (entity.as_row() for entity in new)
        copy_rows(session, "warehouse.entities", ENTITY_ROW, rows)
    written = list(new)
    if changed:
        rows = (entity.as_row() for entity in changed)
        stage_rows(session, "warehouse.entities", ENTITY_ROW, rows)
        rewritten = {name for (name,) in session.execute(statement("load/entities"))}
        session.execute(
            "delete from warehouse.entity_social_media where entity_id = any(%s::uuid[])",
            (id_array(rewritten),),
        )
        written += [entity for entity in changed if entity.id in rewritten]
    links = [(entity.id, *link) for entity in written for link in entity.social_media]
    if links:
        copy_rows(session, "warehouse.entity_social_media", LINK_COLUMNS, links)
    return len(written)


def _write_activities(session: psycopg.Connection[Any], merged: Merged) -> None:
    # Two runs may insert the same new activity. The second gets a unique violation and retries its
    # batch; by then the ledger knows the activity.
    never_seen = merged.never_seen
    new: list[Row] = []
    known: list[Row] = [_listed_row(listed) for listed in merged.only_listed]
    for details in merged.details_news:
        name = details.activity_id
        row = (name, *details.values, merged.first_seen[name], details.received_at)
        (new if name in never_seen else known).append(row)
    if new:
        copy_rows(session, "warehouse.activities", ACTIVITY_COLUMNS, new)
    if known:
        stage_rows(session, "warehouse.activities", ACTIVITY_COLUMNS, known)
        session.execute(statement("load/activities"))
    if merged.landed_before:
        session.execute(statement("load/first_received"), {"ids": id_array(merged.landed_before)})
    if merged.refusals:
        ids, statuses, gone = zip(*merged.refusals, strict=True)
        session.execute(
            statement("load/refusals"),
            {"ids": id_array(ids), "statuses": list(statuses), "gone": list(gone)},
        )


def listed_values(listed: ListObservation) -> Row:
    """Return the values of a list row in the order of ``DETAILS_COLUMNS``; None where it has none."""
    values: dict[str, Cell] = dict(zip(LISTED_COLUMNS, listed.values, strict=True))
    return tuple(values.get(column) for column in DETAILS_COLUMNS)


def _listed_row(listed: ListObservation) -> Row:
    return (listed.activity_id, *listed_values(listed), listed.received_at, None)


def _write_children(session: psycopg.Connection[Any], merged: Merged) -> None:
    # Children have no identity of their own: an activity's old ones go and the new ones come.
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
            statement("load/landing_seen_again"),
            {
                "ids": id_array(details.activity_id for details in merged.touched),
                "times": [details.received_at for details in merged.touched],
            },
        )


def _record_unknown(
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
        session.cursor().executemany(statement("load/unknown_values"), rows)


def _write_ledger(session: psycopg.Connection[Any], merged: Merged) -> None:
    table = "sync.activity_ledger"
    # The ledger row commits with the data that it describes, or not at all.
    if merged.ledger_new:
        copy_binary(session, table, ledger.COLUMNS, map(astuple, merged.ledger_new))
    if merged.ledger_known:
        stage_rows(session, table, ledger.COLUMNS, map(astuple, merged.ledger_known))
        session.execute(statement("load/ledger_known"))
