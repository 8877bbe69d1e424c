"""Rows of the list are stored before anything is judged (docs/design.md "List").

A row whose meaning the ledger knows already is left alone. All others are loaded, and the days that they
add to are not proven any more, in the same transaction. So a run that dies leaves nothing but true facts.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from functools import partial

from pipeline.sync.context import Run
from pipeline.sync.counterparts import carried_entity
from pipeline.sync.days import day_of
from pipeline.sync.list_rows import ListRow, list_failure
from pipeline.sync.listing import Question
from pipeline.sync.proof import Answer
from pipeline.warehouse.answers import landing
from pipeline.warehouse.database.engine import Session, in_transaction
from pipeline.warehouse.load.entities import contradict, find_news
from pipeline.warehouse.state import ledger, quarantine
from pipeline.warehouse.state.ledger import LedgerRow
from pipeline.warehouse.state.rows import EntityObservation, Outcome

#: Rows in one transaction.
_BATCH = 1000


def store(run: Run, question: Question, wanted: Collection[date]) -> Answer:
    """Store what is news in the answer to a question, and add the answer to the run's evidence.

    The answer that is returned holds no rows: details take longer than lists, and rows take memory.
    ``wanted``: days that the run reads. Rows of other days count where the warehouse has walked them.
    Raises a ``WarehouseError``.
    """
    if question.earlier:
        # Also if a row changes back within a question: only details know what happened meanwhile.
        reason = "the list changed while it was read"
        store(run, replace(question, rows=question.earlier, earlier={}, failed=reason), wanted)
    known = run.evidence.known
    # Most rows come twice. What was no news the first time is none now.
    rows = [row for row in question.rows.values() if known.get(row.subject) is not row.meaning]
    said = {row.subject: day_of(row.created_at, run.zone) for row in rows if row.created_at}
    read = {*wanted, *run.covered, *run.walked}
    as_listed = _as_listed(run, rows, said, read)
    others = [row for row in rows if row.subject not in as_listed]
    ids = [row.subject for row in others if row.activity_id == row.subject]
    stored = ledger.read(run.engine, ids)
    placed = as_listed | _place(run, question, others, said, stored, read)
    news = [row for row in others if row.subject in placed and _is_news(run, row, stored)]
    # The counterpart of an activity that is asked for anyway comes with its details.
    names = as_listed.keys() | {name for name in placed if name in stored and stored[name].settled}
    names -= {row.subject for row in news}
    settled = [row for row in rows if row.subject in names]
    stale = _stale_entities(run, settled)
    news += [row for row in settled if row.subject in stale]
    outcomes = [
        _outcome(run, row, placed[row.subject], stored.get(row.subject), stale.get(row.subject))
        for row in news
    ]
    for start in range(0, len(outcomes), _BATCH):
        run.loader.store_now(outcomes[start : start + _BATCH])
    changed = {row.subject for row in news}
    # What has changed is asked for again, also within one run.
    run.worker.asked.difference_update(changed - {name for name in stale if not stale[name].fills})
    for row in others:
        key = ("list", row.subject)
        if row.malformed is None:
            run.quarantined.pop(key, None)
        elif row.subject in changed:
            run.quarantined[key] = True
    run.expired |= {row.subject for row in rows if row.expired}
    known |= {row.subject: row.meaning for row in rows if row.subject in as_listed}
    for name in changed:
        known.pop(name, None)
    # Details may have told another day than the row.
    told = {name: row.day for name, row in stored.items() if row.details and row.day}
    return run.evidence.add(question, {name: told.get(name, day) for name, day in placed.items()})


def _as_listed(
    run: Run, rows: Sequence[ListRow], said: Mapping[str, date], read: Set[date]
) -> dict[str, date]:
    """Return where rows count that the ledger has just so, with settled details: nearly all, and no news.

    ``said``: the day of the creation that a row says, by subject. ``read``: days that are read, or were.
    """
    same = ledger.as_listed(run.engine, read & {*said.values()})
    return {
        row.subject: day
        for row in rows
        if (day := said.get(row.subject)) in same
        and ledger.key(row.subject, row.meaning) in same[day]
        and not (row.malformed or row.spelling or ("list", row.subject) in run.quarantined)
    }


def _place(
    run: Run,
    question: Question,
    rows: Sequence[ListRow],
    said: Mapping[str, date],
    stored: Mapping[str, LedgerRow],
    read: Set[date],
) -> dict[str, date]:
    """Return the day on which each row counts. Those of days that nobody reads or has read are left out.

    ``said``, ``read``: as for `_as_listed`.
    """
    undated = [row.subject for row in rows if row.created_at is None]
    quarantined = (
        {each.subject: each.day for each in quarantine.unresolved(run.engine)} if undated else {}
    )
    placed = {}
    for row in rows:
        held = stored.get(row.subject)
        before = held.day if held else quarantined.get(row.subject)
        before = before or run.evidence.days.get(row.subject)
        # The first day that was asked for stands for one that the row does not say.
        day = said.get(row.subject) or before or question.days.first
        # One that has moved out of these days is listed all the same.
        if day in read or before in read:
            placed[row.subject] = day
    return placed


def _is_news(run: Run, row: ListRow, stored: Mapping[str, LedgerRow]) -> bool:
    before = stored.get(row.subject)
    waits = run.quarantined.get(("list", row.subject))
    if row.malformed is not None:
        same = before is not None and before.listed == row.meaning
        # It is counted as one more attempt when that is due, once a run.
        return not (waits and (same or row.activity_id != row.subject))
    return (
        before is None
        or why_news(row, before) is not None
        or before.spelling != row.spelling
        or waits is not None
    )


def why_news(row: ListRow, before: LedgerRow | None) -> str | None:
    """Return why a run fetches the details of a row that the list has; None: not because of the row."""
    if before is None:
        return "new"
    if before.listed != row.meaning:
        return "changed"
    return "listed again" if before.unlisted_at is not None else None


def _stale_entities(run: Run, rows: Sequence[ListRow]) -> dict[str, EntityObservation]:
    """Return counterparts that say something beyond their stored form, by rows that are no news."""
    # Many rows carry the same entity: one row of each form is enough, the same one each time.
    samples: dict[bytes, ListRow] = {}
    for row in rows:
        if row.form is not None:
            *_, digest = row.form
            if row.subject <= samples.get(digest, row).subject:
                samples[digest] = row
    return in_transaction(run.engine, partial(_beyond, samples=samples)) if samples else {}


def _beyond(session: Session, samples: Mapping[bytes, ListRow]) -> dict[str, EntityObservation]:
    """Return counterparts of samples that say something beyond the stored form, and new.

    Where details once told otherwise than the list, as of a shortened name, the list only shows that there
    is news: details are asked for.
    """
    observed = [entity for row in samples.values() if (entity := row.entity)]
    # The stored form comes first. Without one, no table shows the counterpart.
    found = [
        forms[1:] for forms in find_news(session, observed).values() if forms[0] not in observed
    ]
    stale = {samples[each.digest].subject: each for forms in found for each in forms}
    filling = find_news(session, [replace(each, fills=True) for each in stale.values()])
    for name, bodies in landing.told_before(session, [*stale]).items():
        entity = stale[name]
        told, decided = (carried_entity(body, entity.observed_at) for body in bodies)
        if told is not None and contradict(told, decided):
            stale[name] = replace(entity, fills=True)
            if told.digest == entity.digest and entity.id not in filling:
                del stale[name]
    return stale


def _outcome(
    run: Run, row: ListRow, day: date, before: LedgerRow | None, news: EntityObservation | None
) -> Outcome:
    if row.malformed is not None:
        return Outcome(row.subject, failures=[list_failure(row, day)])
    listed = run.mapper.listed(row, day)
    listed.entity_news = news is not None
    if news is not None:
        listed.entity = news
    elif listed.entity is not None and before is not None:
        # Details come, and may tell more.
        listed.entity = replace(listed.entity, fills=before.details is not None)
    return Outcome(row.subject, listed=listed)
