"""Keeps the decisions that answers no longer show, in the transaction that stores the answer.

Implements docs/design.md "Kept"; `answers.decisions` has the rule. What is kept follows from the
versions that ``landing`` holds, so loading them again makes the same rows. A first load and an unchanged
answer cost no statement.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from pipeline.warehouse.answers.decisions import (
    COLUMNS,
    Decisions,
    from_rows,
    keep,
    rows_of,
    shown_in,
)
from pipeline.warehouse.answers.erasures import WHOLE
from pipeline.warehouse.answers.landing import ResponseMapping
from pipeline.warehouse.database.engine import Session
from pipeline.warehouse.database.sql import id_array, statement
from pipeline.warehouse.state.copying import replace_rows
from pipeline.warehouse.state.rows import DetailsObservation, Outcome, Row

_TABLE, _COLUMNS = "warehouse.kept_decisions", ("activity_id", "position", *COLUMNS)


def keep_decisions(
    session: Session,
    mapping: ResponseMapping,
    outcomes: Sequence[Outcome],
    stored: Mapping[str, Outcome],
) -> None:
    """Write what is kept of a batch whose responses ``landing`` holds already.

    ``stored``: what was stored of activities before whose answers mean something else, or are loaded again.
    """
    again = {each.subject for each in outcomes if each.stored and not each.failures}
    changed = {
        each.subject: (before.details, each.details)
        for each in outcomes
        if not each.stored
        and each.details
        and (before := stored.get(each.subject))
        and before.details
    }
    if not again and not changed:
        return
    kept = _read(session, again | changed.keys())
    asked = again | kept.keys() | {name for name, both in changed.items() if _lost(*both)}
    if not asked:
        return
    given = {"ids": id_array(asked), "kept": id_array(kept), "whole": sorted(WHOLE)}
    found = session.execute(statement("load/landing_decided"), given).fetchall()
    rows: dict[str, list[Row]] = {}
    for name, versions in groupby(found, itemgetter(0)):
        former = kept.get(name, [])
        after = rows_of(
            _after(mapping, from_rows(former), [(at, body) for _, at, body in versions])
        )
        if after != former:
            rows[name] = after
    replace_rows(
        session, _TABLE, _COLUMNS, rows, [(name, *row) for name in rows for row in rows[name]]
    )


def forget_decisions(session: Session, ids: Collection[str]) -> None:
    """Delete what is kept of activities."""
    replace_rows(session, _TABLE, _COLUMNS, ids, [])


def _read(session: Session, ids: Collection[str]) -> dict[str, list[Row]]:
    query = (
        f"select activity_id::text, position, {', '.join(COLUMNS)} from {_TABLE}"
        " where activity_id = any(%s::uuid[]) order by activity_id, position"
    )
    found = defaultdict(list)
    for name, *row in session.execute(query, (id_array(ids),)):
        found[name].append(tuple(row))
    return found


def _lost(before: DetailsObservation, after: DetailsObservation) -> bool:
    """Whether an answer no longer shows a decision that the one before it showed."""
    then, now = (shown_in(each.children, None, each.received_at) for each in (before, after))
    return not then.keys() <= now.keys()


def _after(
    mapping: ResponseMapping, kept: Decisions, versions: list[tuple[datetime, bytes]]
) -> Decisions:
    answers = [
        (at, shown) for at, body in versions if (shown := mapping.decisions(body, at)) is not None
    ]
    return keep(kept, answers)
