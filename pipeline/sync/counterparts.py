"""Maps the counterpart that a response carries (docs/warehouse.md "Counterparts")."""

from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

import msgspec
from msgspec.structs import asdict

from pipeline.service.errors import UnexpectedShape
from pipeline.service.instants import instant_from_carrier
from pipeline.service.models import Entity
from pipeline.service.reading import Reader
from pipeline.sync.fields import Unstorable, mend, read_instant, read_uuid
from pipeline.sync.meaning import meaning_of_entity
from pipeline.warehouse.state.rows import ENTITY_COLUMNS, EntityObservation, Row

_ENTITY = itemgetter(*ENTITY_COLUMNS)


Form: TypeAlias = tuple[str, Row, list[Row] | None, bytes]
"""Id, values, links and digest of a counterpart, as in `EntityObservation`."""


def observe_entity(entity: Entity | None, observed_at: datetime) -> EntityObservation | None:
    """Map the counterpart of a response. Raises `Unstorable`."""
    # The JSON is the key of the cache: structs can't be one, and equal entities encode alike.
    return EntityObservation(*form_of(msgspec.json.encode(entity)), observed_at) if entity else None


def form_of(encoded: bytes) -> Form:
    """Return what a counterpart says, given as JSON. Raises `Unstorable` or ``ValueError``."""
    return _shared_form(encoded) if len(encoded) <= _SHARED_BYTES else _read_form(encoded)


class _Carrier(msgspec.Struct, gc=False):
    """The part of a response, details or list row, that holds its counterpart."""

    entity: Entity | None = None


_read_carrier = Reader(_Carrier, "the response", tolerant=True).read


def carried_entity(body: bytes, observed_at: datetime) -> EntityObservation | None:
    """Return the counterpart that a response carries; None if there is none, or none that maps."""
    try:
        return observe_entity(_read_carrier(mend(body) or body).entity, observed_at)
    except (UnexpectedShape, Unstorable):
        return None


def _read_form(encoded: bytes) -> Form:
    entity = _entity.decode(encoded)
    said = asdict(entity) | {
        "id": read_uuid("entity.id", entity.id),
        "cifcode": None if entity.cifcode is None else read_uuid("entity.cifcode", entity.cifcode),
        "created_at": read_instant("entity.created_at", instant_from_carrier, entity.created_at),
    }
    values: Row = _ENTITY(said)
    links: list[Row] | None = None
    if entity.social_media is not None:
        links = [(place, link.media, link.url) for place, link in enumerate(entity.social_media)]
    return said["id"], values, links, meaning_of_entity(values, links)


_entity = msgspec.json.Decoder(Entity)

#: The same counterpart comes with each of its activities, in the list and in the details.
_shared_form = lru_cache(maxsize=1024)(_read_form)
_SHARED_BYTES = 4096
