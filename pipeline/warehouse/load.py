"""Loading: a batch of outcomes in one transaction, with the ledger rows that describe them.

Implements docs/design.md "Load". Whatever is new goes by COPY straight into its table; what is known
is staged and merged; children are replaced. Applying the same batch twice changes nothing.
`pipeline.warehouse.reload` loads what ``landing`` holds, through the same `write`.
"""

from collections.abc import Callable, Collection, Sequence
from collections.abc import Mapping as MappingType
from datetime import date, datetime
from typing import TypeVar

import psycopg
import sqlalchemy as sa
from msgspec.structs import astuple

from pipeline.telemetry import step
from pipeline.warehouse import erasures, ledger, quarantine, run_changes
from pipeline.warehouse.believing import believe, with_stored_rows
from pipeline.warehouse.copying import copy_binary, copy_rows, merge_rows
from pipeline.warehouse.engine import Session, in_transaction
from pipeline.warehouse.entities import combine, find_news
from pipeline.warehouse.erase import erase_values
from pipeline.warehouse.merge import LoadCounts, Merged, merge
from pipeline.warehouse.rows import (
    CHILDREN,
    DETAILS_COLUMNS,
    ENTITY_ROW,
    LISTED_COLUMNS,
    EntityObservation,
    Failure,
    ListObservation,
    Mapping,
    Observation,
    Outcome,
    Row,
)
from pipeline.warehouse.sql import id_array, statement

T = TypeVar("T")

ACTIVITY_COLUMNS = ("id", *DETAILS_COLUMNS, "first_seen_at", "details_fetched_at")
_LANDING = ("activity_id", "first_seen_at", "digest", "body")
LINK_COLUMNS = ("entity_id", "position", "media", "url")
#: Of a UUID as text. The subject of a list row without an id is shorter: a digest.
_UUID_LENGTH = 36


@step("load")
def load(
    engine: sa.Engine, run_id: str, mapping: Mapping, outcomes: Sequence[Outcome]
) -> LoadCounts:
    """Store a batch of outcomes, of distinct activities, in one transaction; return what it did.

    ``mapping`` reads what ``landing`` holds of them. An activity with a value that PostgreSQL refuses goes
    to quarantine with the reason, without the others. Raises a ``WarehouseError``.
    """

    def work(session: Session, part: Sequence[Outcome]) -> LoadCounts:
        ids = [each.subject for each in part if len(each.subject) == _UUID_LENGTH]
        # The order matters: an erasure waits for the shared lock, and a load that waited for
        # a ledger row looks up what was erased only after that wait.
        erasures.share(session)
        known = ledger.lock(session, ids)
        shown = with_stored_rows(session, mapping, part, known)
        kept, to_erase = erasures.keep_out(session, shown)
        believed, judged, fields = believe(session, run_id, mapping, kept, known)
        merged = merge(believed, known, judged, fields, run_id)
        return write(session, run_id, merged, to_erase)

    def refuse(outcome: Outcome, reason: str) -> LoadCounts:
        return load(engine, run_id, mapping, [refused(outcome, reason)])

    # Every run locks in the order of ids, so two runs over the same activities do not deadlock.
    ordered = sorted(outcomes, key=lambda outcome: outcome.subject)
    return load_in_parts(engine, ordered, work, refuse)


def load_in_parts(
    engine: sa.Engine,
    items: Sequence[T],
    work: Callable[[Session, Sequence[T]], LoadCounts],
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


def refused(outcome: Outcome, reason: str, day: date | None = None) -> Outcome:
    """Return an outcome that can't be stored, or is doubtful, as a failure; its list row may still do.

    ``day``: under which the activity is known, unless its list row tells.
    """
    listed, body = outcome.listed, outcome.details or outcome.listed
    if listed is not None and listed.dated:
        day = listed.day
    failure = Failure(
        source="list" if outcome.details is None else "details",
        subject=outcome.subject,
        activity_id=outcome.subject,
        day=day or (body.day if body else None),
        reason=reason,
        payload=body.body if body else None,
        at=body.received_at if body else datetime.now().astimezone(),
    )
    kept = listed if outcome.details is not None else None
    return Outcome(outcome.subject, listed=kept, failures=[*outcome.failures, failure])


def write(
    session: Session, run_id: str, merged: Merged, to_erase: MappingType[str, str]
) -> LoadCounts:
    """Write a merged batch, then erase what `erase_values` is given; return what it did.

    The caller has locked its ledger rows.
    """
    forms = find_news(session, merged.entities)
    write_entities(session, [combine(forms[name]) for name in sorted(forms)])
    # Activities refer to the ledger: no table holds one that it does not know.
    _write_ledger(session, merged)
    existing = _existing(session, [each.activity_id for each in merged.details_news])
    _write_activities(session, merged, existing)
    _write_children(session, merged, [*existing, *merged.childless])
    _write_landing(session, merged, forms.keys())
    _record_unknown(session, [*merged.details_news, *merged.touched, *merged.listed_news])
    if merged.reopened:
        session.execute(statement("load/reopened"), {"days": sorted(merged.reopened)})
    quarantine.make_due_again(session, merged.due)
    resolved = quarantine.resolve(session, merged.resolved)
    quarantine.record(session, merged.failures)
    changes = merged.changes + [(name, "resolved") for name in resolved]
    run_changes.record(session, run_id, changes, merged.fields)
    erase_values(session, to_erase)
    return merged.counts


def write_entities(session: Session, entities: Sequence[EntityObservation]) -> int:
    """Write counterparts with their links; return how many. One stored later than ours stays."""
    if not entities:
        return 0
    rows = [(*entity.values, entity.digest, entity.observed_at) for entity in entities]
    merged = merge_rows(session, "warehouse.entities", ENTITY_ROW, rows, "load/entities")
    written = {str(name) for (name,) in merged}
    links = [
        (entity.id, *link)
        for entity in entities
        if entity.id in written
        for link in entity.social_media or ()
    ]
    _replace_rows(session, "warehouse.entity_social_media", LINK_COLUMNS, written, links)
    return len(written)


def _existing(session: Session, ids: Collection[str]) -> list[str]:
    """Return those of ``ids`` that have a row of ``warehouse.activities``."""
    if not ids:
        return []
    query = "select id::text from warehouse.activities where id = any(%s::uuid[])"
    return [name for (name,) in session.execute(query, (id_array(ids),))]


def _write_activities(session: Session, merged: Merged, existing: Collection[str]) -> None:
    # A new row is copied, not merged. Two runs that insert the same one wait for each other at its row of
    # the ledger, so the second finds the first one's.
    new: list[Row] = []
    known: list[Row] = [_listed_row(listed) for listed in merged.only_listed]
    written = (*merged.ledger_new, *merged.ledger_known)
    listed_at = {row.activity_id: row.listed_at for row in written if row.listed_at}
    there = set(existing)
    for details in merged.details_news:
        name, at = details.activity_id, details.received_at
        # Of a known one the time stays as it is.
        row = (name, *details.values, min(at, listed_at.get(name, at)), at)
        (known if name in there else new).append(row)
    if new:
        copy_rows(session, "warehouse.activities", ACTIVITY_COLUMNS, new)
    if known:
        merge_rows(session, "warehouse.activities", ACTIVITY_COLUMNS, known, "load/activities")
    if merged.landed_before:
        session.execute(statement("load/first_received"), {"ids": id_array(merged.landed_before)})
    if merged.refusals:
        ids, rows, gone = zip(*merged.refusals, strict=True)
        listed = [row.said if row else {} for row in rows]
        columns = {name: [row.get(name) for row in listed] for name in LISTED_COLUMNS}
        parameters = {"ids": id_array(ids), "gone": list(gone), **columns}
        session.execute(statement("load/refusals"), parameters)


def _listed_row(listed: ListObservation) -> Row:
    details = map(listed.said.get, DETAILS_COLUMNS)
    return (listed.activity_id, *details, listed.received_at, None)


def _write_children(session: Session, merged: Merged, existing: Collection[str]) -> None:
    for table, columns in CHILDREN.items():
        rows = [
            (details.activity_id, *row)
            for details in merged.details_news
            for row in details.children[table]
        ]
        names = ("activity_id", *columns)
        _replace_rows(session, f"warehouse.{table}", names, existing, rows)


def _replace_rows(
    session: Session, table: str, columns: Sequence[str], ids: Collection[str], rows: Sequence[Row]
) -> None:
    """Replace rows without an identity of their own: the old ones of ``ids`` go, the new ones come.

    ``columns``: the first is that of the ids.
    """
    if ids:
        old = f"delete from {table} where {columns[0]} = any(%s::uuid[])"
        session.execute(old, (id_array(ids),))
    if rows:
        copy_rows(session, table, columns, rows)


def _write_landing(session: Session, merged: Merged, observed: Collection[str]) -> None:
    """Write responses. ``observed``: counterparts of which something new was observed."""
    held = set(merged.landed_before)
    details = [
        (d.activity_id, d.received_at, d.digest, d.body, d.received_at)
        for d in merged.details_news
        if d.activity_id not in held
    ]
    # A known row lands again only as an observation of its counterpart.
    rows = [
        (x.activity_id, x.received_at, x.digest, x.body)
        for x in merged.listed_news
        if not x.entity_news or (x.entity and x.entity.id in observed)
    ]
    if details:
        columns = (*_LANDING, "last_seen_at")
        copy_binary(session, "landing.activity_details", columns, details)
    if rows:
        copy_binary(session, "landing.activity_list_rows", _LANDING, rows)
    if merged.touched:
        ids = id_array(details.activity_id for details in merged.touched)
        times = [details.received_at for details in merged.touched]
        session.execute(statement("load/landing_seen_again"), {"ids": ids, "times": times})


def _record_unknown(session: Session, observations: Sequence[Observation]) -> None:
    """Record codes and fields seen for the first time; each once a batch, its sample the first."""
    first = {code: each for each in reversed(observations) for code in each.codes}
    rows = [(*code, first[code].activity_id, first[code].received_at) for code in sorted(first)]
    if rows:
        session.cursor().executemany(statement("load/unknown_values"), rows)


def _write_ledger(session: Session, merged: Merged) -> None:
    table = "sync.activity_ledger"
    # The ledger row commits with the data that it describes, or not at all.
    if merged.ledger_new:
        copy_binary(session, table, ledger.COLUMNS, map(astuple, merged.ledger_new))
    if merged.unknown:
        # Whatever the tables hold of them goes with their rows.
        query = "delete from sync.activity_ledger where activity_id = any(%s::uuid[])"
        session.execute(query, (id_array(merged.unknown),))
    if merged.ledger_known:
        known = map(astuple, merged.ledger_known)
        merge_rows(session, table, ledger.COLUMNS, known, "load/ledger_known")
