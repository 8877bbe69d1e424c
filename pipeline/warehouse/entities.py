"""Counterparts: what several observations say together, and what they say beyond what is stored.

Implements docs/warehouse.md "Counterparts": each field has the value that was observed last. An
answer without the field, or with null, says nothing about it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipeline.warehouse.engine import Session
from pipeline.warehouse.rows import EntityObservation
from pipeline.warehouse.sql import id_array, statement

_ADDRESS = re.compile(r"https?://[^?#]*", re.IGNORECASE)


def combine(observations: Iterable[EntityObservation]) -> EntityObservation:
    """Return what observations of one counterpart say together; times and digest are the latest one's."""
    first, *later = sorted(observations, key=lambda each: each.observed_at)
    for each in later:
        links = first.social_media if each.social_media is None else each.social_media
        pairs = zip(first.values, each.values, strict=True)
        values = tuple(old if new is None else new for old, new in pairs)
        first = replace(each, values=values, social_media=links)
    return first


def digests(session: Session, ids: Iterable[str]) -> dict[str, bytes]:
    """Return the digest of the stored form of each of these counterparts that is known."""
    found = session.execute(
        "select id::text, digest from warehouse.entities where id = any(%s::uuid[])",
        (id_array(ids),),
    )
    return dict(found.fetchall())


def find_news(
    session: Session, observed: Sequence[EntityObservation]
) -> dict[str, list[EntityObservation]]:
    """Return, by counterpart, the observations that say something beyond what is stored.

    The stored form, if there is one, comes first.
    """
    known = digests(session, {each.id for each in observed})
    other = [each for each in observed if known.get(each.id) != each.digest]
    stored: dict[str, EntityObservation] = {}
    if not other:
        return {}
    ids = id_array(each.id for each in other if each.id in known)
    query = statement("load/stored_entities")
    for *cells, digest, observed_at, links in session.execute(query, {"ids": ids}):
        links = [tuple(link) for link in links]
        stored[cells[0]] = EntityObservation(cells[0], tuple(cells), links, digest, observed_at)
    news: dict[str, list[EntityObservation]] = {}
    for each in other:
        forms = [stored[each.id]] if each.id in stored else []
        together = combine([*forms, each])
        # An empty digest is nobody's: somebody altered the stored form.
        if not forms or not forms[0].digest or _meaning(together) != _meaning(forms[0]):
            news.setdefault(each.id, forms).append(each)
    return news


def without_query(value: object) -> object:
    """Return an address without what stands behind ``?`` or ``#``; anything else as it is."""
    # Nearly all texts have neither, and are told at once.
    if not isinstance(value, str) or ("?" not in value and "#" not in value):
        return value
    found = _ADDRESS.match(value)
    return found[0] if found else value


def _meaning(entity: EntityObservation) -> list[object]:
    """Return values and links in a form that compares."""
    links = [cell for link in entity.social_media or () for cell in link]
    return [without_query(cell) for cell in (*entity.values, *links)]
