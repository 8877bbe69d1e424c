"""Counterparts: what observations of one say together, what of it is news, and writing it.

Implements docs/warehouse.md "Counterparts": each field has the value that was observed last. An
answer without the field, or with null, says nothing about it. Counterparts that somebody altered are
written again from ``landing`` (docs/design.md "Altered rows").
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

import sqlalchemy as sa
from psycopg.rows import scalar_row

from pipeline.warehouse.answers import erasures
from pipeline.warehouse.database.engine import Session, execute, fetch, in_transaction
from pipeline.warehouse.database.sql import id_array, statement
from pipeline.warehouse.state.copying import copy_rows, replace_rows, upsert
from pipeline.warehouse.state.rows import ENTITY_CODES, ENTITY_ROW, Cell, EntityObservation

Scores: TypeAlias = dict[datetime, tuple[Cell, ...]]
"""Score and scoring level that responses carried, by the time at which each was first received."""

_SCORE_COLUMNS = ("entity_id", "observed_at", "score", "scoring_level")
_LINK_COLUMNS = ("entity_id", "position", "media", "url")
#: A text without a letter or digit, or with asterisks in place of some.
_HIDDEN = re.compile(r"[\W_]*|.*(\*\*|••).*", re.DOTALL)
_ADDRESS = re.compile(r"https?://[^?#]*", re.IGNORECASE)

#: The latest observation of a counterpart wins. A stored form that somebody altered, whose digest is empty,
#: can claim to be newer than any response.
_LATEST = "stored.observed_at <= excluded.observed_at or stored.digest = ''"
#: A form that only repeats what was stored keeps the time of its first observation.
_OBSERVED = {
    "observed_at": "case when stored.digest in (excluded.digest, '')"
    " then least(stored.observed_at, excluded.observed_at) else excluded.observed_at end"
}


def combine(observations: Iterable[EntityObservation]) -> EntityObservation:
    """Return what observations of one counterpart say together; times and digest are the latest one's."""
    first, *later = sorted(observations, key=lambda each: (not each.fills, each.observed_at))
    for each in later:
        links = first.social_media if each.social_media is None else each.social_media
        pairs = zip(first.values, each.values, strict=True)
        values = tuple(old if new is None or _hides(new, old) else new for old, new in pairs)
        first = replace(each, values=values, social_media=links)
    return first


def contradict(one: EntityObservation | None, other: EntityObservation | None) -> bool:
    """Return whether two observations of a counterpart tell the same field otherwise."""
    if one is None or other is None or one.id != other.id:
        return False
    both = (
        combine([replace(first, fills=True), last]) for first, last in ((one, other), (other, one))
    )
    return len({str(_meaning(each)) for each in both}) > 1


def find_news(
    session: Session, observed: Sequence[EntityObservation]
) -> dict[str, list[EntityObservation]]:
    """Return, by counterpart, the observations that say something beyond what is stored.

    The stored form, if there is one, comes first.
    """
    if not observed:
        return {}
    asked = {(each.id, each.digest) for each in observed}
    given = {"ids": id_array(name for name, _ in asked), "digests": [told for _, told in asked]}
    found: dict[tuple[str, bytes], list[EntityObservation]] = {}
    for name, told, *cells, digest, at, links in session.execute(
        statement("load/entity_news"), given
    ):
        links = [tuple(link) for link in links]
        stored = EntityObservation(name, (name, *cells), links, digest, at)
        # Without a digest, it is not stored at all.
        found[name, told] = [] if digest is None else [stored]
    news: dict[str, list[EntityObservation]] = {}
    for each in observed:
        forms = found.get((each.id, each.digest))
        if forms is None:
            continue
        together = combine([*forms, each])
        # An empty digest is nobody's: somebody altered the stored form.
        if not forms or not forms[0].digest or _meaning(together) != _meaning(forms[0]):
            news.setdefault(each.id, [*forms]).append(each)
    return news


def write_entities(session: Session, entities: Sequence[EntityObservation]) -> int:
    """Write counterparts with their links; return how many. One stored later than ours stays."""
    rows = [(*entity.values, entity.digest, entity.observed_at) for entity in entities]
    written = upsert(session, "warehouse.entities", ENTITY_ROW, rows, _OBSERVED, _LATEST)
    links = [
        (entity.id, *link)
        for entity in entities
        if entity.id in written
        for link in entity.social_media or ()
    ]
    replace_rows(session, "warehouse.entity_social_media", _LINK_COLUMNS, written, links)
    return len(written)


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


def altered_entities(engine: sa.Engine) -> set[str]:
    """Return the counterparts that somebody altered."""
    query = "select id::text from warehouse.entities where digest = ''"
    return set(fetch(engine, scalar_row, query))


def stored_entities(engine: sa.Engine) -> set[str]:
    """Return the ids of all stored counterparts."""
    return set(fetch(engine, scalar_row, "select id::text from warehouse.entities"))


def give_up_entities(engine: sa.Engine) -> None:
    """Remove altered counterparts that no stored response carries and no activity names.

    Call after all that responses carry were written.
    """
    execute(engine, statement("load/unknown_entities"))


def without_query(value: object) -> object:
    """Return an address without what stands behind ``?`` or ``#``; anything else as it is."""
    # Nearly all texts have neither, and are told at once.
    if not isinstance(value, str) or ("?" not in value and "#" not in value):
        return value
    found = _ADDRESS.match(value)
    return found[0] if found else value


def _hides(new: Cell, old: Cell) -> bool:
    """Return whether a text only hides the one that was told before."""
    return isinstance(new, str) and old is not None and bool(_HIDDEN.fullmatch(new))


def _meaning(entity: EntityObservation) -> list[object]:
    """Return values and links in a form that compares."""
    own = [
        str(cell).upper() if name in ENTITY_CODES else without_query(cell)
        for name, cell in entity.said.items()
    ]
    return [*own, *(without_query(cell) for link in entity.social_media or () for cell in link)]
