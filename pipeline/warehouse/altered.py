"""Rows that somebody altered outside of a run, and counterparts written again from ``landing``.

Implements docs/design.md "Altered rows". Triggers mark such rows; `pipeline.warehouse.load.load_again`
writes activities again.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TypeAlias

import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse import erasures
from pipeline.warehouse.copying import copy_rows
from pipeline.warehouse.engine import Session, execute, fetch, in_transaction
from pipeline.warehouse.entities import combine, find_news
from pipeline.warehouse.load import write_entities
from pipeline.warehouse.rows import Cell, EntityObservation
from pipeline.warehouse.sql import id_array, statement

Scores: TypeAlias = dict[datetime, tuple[Cell, ...]]
"""Score and scoring level that responses carried, by the time at which each was first received."""

_SCORE_COLUMNS = ("entity_id", "observed_at", "score", "scoring_level")


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
        news = find_news(session, [each for each in entities if each not in altered])
        count = write_entities(session, [*altered, *map(combine, news.values())])
        _replace_scores(session, {each.id: dict(scores[each.id]) for each in altered})
        return count

    return in_transaction(engine, work)


def _replace_scores(session: Session, scores: Mapping[str, Scores]) -> None:
    """Replace the kept scores of counterparts by those that responses told, where they changed."""
    ids = id_array(scores)
    for name, at, *score in session.execute(statement("load/scores"), {"ids": ids}).fetchall():
        scores[name].setdefault(at, tuple(score))
    rows = []
    for name, told in scores.items():
        before: tuple[Cell, ...] = (None, None)
        for at, score in sorted(told.items()):
            if score != before:
                rows.append((name, at, *score))
            before = score
    copy_rows(session, "warehouse.entity_scores", _SCORE_COLUMNS, rows)


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


def give_up_entities(engine: sa.Engine) -> None:
    """Remove altered counterparts that no stored response carries and no activity names.

    Call after all that responses carry were written.
    """
    execute(engine, statement("load/unknown_entities"))
