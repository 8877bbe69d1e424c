"""From the service's models to the warehouse's rows.

Implements docs/warehouse.md 4 and docs/warehouse.md 5; the resources are those of docs/service.md 2.
Only `load_mapper` reads the warehouse, the rest is pure. A response that cannot be stored raises
`Unstorable` with a reason that holds no value; the caller puts the response into quarantine.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa
from msgspec.structs import asdict

from pipeline.service.errors import UnexpectedShape
from pipeline.service.instants import EPOCH, instant_from_carrier, instant_from_iso
from pipeline.service.models import (
    NO_VALUE,
    AcceptedData,
    ActivityDetails,
    Entity,
    ExpiresIn,
    ListItem,
    decode_details,
    decode_list_item,
)
from pipeline.service.reading import Reader
from pipeline.service.unknown import unknown_fields
from pipeline.sync.codes import FIELD, LIST_FIELD, Carried, details_codes, list_codes
from pipeline.sync.days import day_of
from pipeline.sync.fields import Unstorable, digest, mend, read_instant, read_uuid
from pipeline.sync.meaning import meaning_of_details, meaning_of_entity, meaning_of_row
from pipeline.warehouse import service_facts
from pipeline.warehouse.rows import (
    CHILDREN,
    ENTITY_COLUMNS,
    Cell,
    DetailsObservation,
    EntityObservation,
    ListObservation,
    Row,
)

MAPPING_VERSION = 3
"""Raise it with every change of what is stored for the same response, or of what it means."""

SAME_ROWS_SINCE = 1
"""The first version since which the same response makes the same rows."""

_EVENTS = ("attended_at", "completed_at", "expires_at")
_MOMENTS = (*_EVENTS, "valid_until", "created_at", "updated_at")

_ENTITY = itemgetter(*ENTITY_COLUMNS)


@dataclass(frozen=True)
class Mapper:
    """Maps responses. ``zone`` is the zone of days; statuses and codes are those of the warehouse."""

    zone: ZoneInfo
    final_statuses: Set[str]
    known_codes: Set[tuple[str, str]]

    def listed(self, body: bytes, received_at: datetime, day: date) -> ListObservation:
        """Map one row of the list. Raises `Unstorable` and ``UnexpectedShape``.

        ``day`` is used if the row has no ``created_at``.
        """
        item = decode_list_item(body)
        unnamed = unknown_fields(body, ListItem)
        codes = self._unknown(list_codes(item), LIST_FIELD, unnamed)
        mended = mend(body)
        if mended is not None:
            item = decode_list_item(mended)
        created_at = read_instant("created_at", instant_from_carrier, item.created_at)
        entity = observe_entity(item.entity, received_at)
        said = asdict(item)
        said |= {"created_at": created_at, "entity_id": entity and entity.id}
        name = read_uuid("id", item.id)
        return ListObservation(
            activity_id=name,
            day=day_of(created_at, self.zone) if created_at else day,
            body=body,
            digest=digest(body),
            meaning=meaning_of_row(name, said),
            received_at=received_at,
            said=said,
            entity=entity,
            codes=codes,
        )

    def details(
        self,
        body: bytes,
        activity: ActivityDetails,
        asked: str,
        asked_at: datetime,
        received_at: datetime,
        service_time: datetime,
    ) -> DetailsObservation:
        """Map the details received for the activity ``asked``. Raises `Unstorable`.

        ``service_time`` is what the service's clock said at ``received_at``.
        """
        # From the body as sent: mending would hide what the service really sends.
        unnamed = unknown_fields(body)
        codes = self._unknown(details_codes(activity), FIELD, unnamed)
        mended = mend(body)
        if mended is not None:
            activity = decode_details(mended)
        entity = observe_entity(activity.entity, received_at)
        said = _said(activity, entity)
        created_at = said["created_at"]
        reason = implausible(created_at, service_time)
        if reason is not None:
            raise Unstorable(reason)
        final = activity.status in self.final_statuses
        children = _children(activity)
        own = meaning_of_details(said, children)
        return DetailsObservation(
            activity_id=asked,
            day=day_of(created_at, self.zone) if created_at else None,
            body=body,
            digest=digest(body),
            meaning=digest(own + (entity.digest if entity else b"")),
            own=own,
            as_listed=meaning_of_row(asked, said),
            mapping_version=MAPPING_VERSION,
            asked_at=asked_at,
            received_at=received_at,
            service_time=service_time,
            final=final,
            deadline_at=_deadline(said, service_time, final=final),
            said=said,
            entity=entity,
            children=children,
            codes=codes,
        )

    def map_row(self, body: bytes, received_at: datetime, day: date) -> ListObservation | None:
        """Map a row that ``landing`` holds; None if it no longer maps."""
        try:
            return self.listed(body, received_at, day)
        except (UnexpectedShape, Unstorable):
            return None

    def map_details(self, body: bytes, like: DetailsObservation) -> DetailsObservation | None:
        """Map details that ``landing`` holds, as received when ``like`` was; None if they no longer map."""
        try:
            activity = decode_details(body)
            times = like.asked_at, like.received_at, like.service_time
            return self.details(body, activity, like.activity_id, *times)
        except (UnexpectedShape, Unstorable):
            return None

    def _unknown(
        self, codes: list[Carried], kind_of_field: str, fields: list[str]
    ) -> list[tuple[str, str]]:
        """Return the codes and fields that are not known, each cut to 200 characters."""
        seen = {*codes, *((kind_of_field, path) for path in fields)}
        return sorted(
            (kind, value[:200])
            for kind, value in seen - self.known_codes
            if value is not None and "\0" not in value
        )


#: No business asks before, and no clock is so far ahead.
_EARLIEST, _AHEAD = datetime(2000, 1, 1, tzinfo=UTC), timedelta(days=2)
#: Seconds that were taken for milliseconds lie before it.
_SECONDS = datetime(1970, 3, 1, tzinfo=UTC)


def implausible(created_at: datetime | None, now: datetime) -> str | None:
    """Return why a creation can't be true; None if it can. ``now``: the service's time."""
    if created_at is None:
        return None
    # The service's clock may be far behind.
    now = max(now, datetime.now(UTC))
    if EPOCH < created_at < _SECONDS:
        return "created_at lies in 1970: it looks like seconds instead of milliseconds"
    if created_at < _EARLIEST:
        return "created_at lies before 2000"
    return "created_at lies in the future" if created_at > now + _AHEAD else None


def load_mapper(engine: sa.Engine, zone: ZoneInfo) -> Mapper:
    """Return a mapper with the final statuses and known codes of the warehouse.

    Raises a ``WarehouseError``.
    """
    return Mapper(zone, service_facts.final_statuses(engine), service_facts.known_codes(engine))


def observe_entity(entity: Entity | None, observed_at: datetime) -> EntityObservation | None:
    """Map the counterpart of a response. Raises `Unstorable`."""
    if entity is None:
        return None
    # The JSON is the key of the cache: structs can't be one, and equal entities encode alike.
    encoded = msgspec.json.encode(entity)
    form = _shared_form if len(encoded) <= _SHARED_BYTES else _entity_form
    return EntityObservation(*form(encoded), observed_at)


class _Carrier(msgspec.Struct, gc=False):
    """The part of a response, details or list row, that holds its counterpart."""

    entity: Entity | None = None


_read_carrier = Reader(_Carrier, "the response").read


def carried_entity(body: bytes, observed_at: datetime) -> EntityObservation | None:
    """Return the counterpart that a response carries; None if there is none, or none that maps."""
    try:
        return observe_entity(_read_carrier(mend(body) or body).entity, observed_at)
    except (UnexpectedShape, Unstorable):
        return None


def _entity_form(encoded: bytes) -> tuple[str, Row, list[Row] | None, bytes]:
    """Return id, values, links and digest of a counterpart, given as JSON."""
    entity = _entity.decode(encoded)
    if entity.id is None:
        raise Unstorable("entity.id is missing")
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
_shared_form = lru_cache(maxsize=1024)(_entity_form)
_SHARED_BYTES = 4096


def _said(activity: ActivityDetails, entity: EntityObservation | None) -> dict[str, Any]:
    """Return the fields of an activity, and what else has a column, by their names."""
    duration = activity.expires_in or ExpiresIn()
    said = asdict(activity)
    said["entity_id"] = entity and entity.id
    said["expires_in_time_unit"] = duration.time_unit
    said["expires_in_amount"] = duration.amount
    for name in _MOMENTS:
        if said[name] is not None:  # most of them have not come
            said[name] = read_instant(name, instant_from_carrier, said[name])
    for name in _EVENTS:
        # The service may send 0 for an event that has not happened yet.
        said[name] = None if said[name] == EPOCH else said[name]
    return said


#: Our reading of the service's clock may be ahead, so a deadline that has just passed still counts.
_CLOCK_DOUBT = timedelta(minutes=2)


def _deadline(said: Mapping[str, Any], service_time: datetime, *, final: bool) -> datetime | None:
    """Return the next moment at which time alone changes the activity (docs/service.md 3).

    ``valid_until`` cancels an activity that nobody answered, so it means nothing if the status is
    final. An EXPIRED activity has passed both moments.
    """
    valid_until = None if final else said["valid_until"]
    expires_at = None if said["status"] == "EXPIRED" else said["expires_at"]
    ahead = [
        instant
        for instant in (valid_until, expires_at)
        if instant is not None and instant > service_time - _CLOCK_DOUBT
    ]
    return min(ahead, default=None)


def _children(activity: ActivityDetails) -> dict[str, list[Row]]:
    """Return the rows of the child tables. Raises `Unstorable`."""
    rows: dict[str, list[Row]] = {table: [] for table in CHILDREN}
    for disposition, requirements in (
        ("requested", activity.requirements or ()),
        ("declined", activity.declined_requirements or ()),
    ):
        for place, requirement in enumerate(requirements):
            rows["requirements"].append((disposition, place, requirement.code, None, None, None))
            rows["requirement_items"] += [
                (disposition, place, position, item.code)
                for position, item in enumerate(requirement.items or ())
            ]
    for place, accepted in enumerate(activity.accepted_requirements or ()):
        code, value = accepted.code, _json(accepted.data)
        rows["requirements"].append(
            ("accepted", place, code, accepted.type, accepted.category, value)
        )
        rows["accepted_items"] += [
            (place, position, code, item.code, item.type, _json(item.data))
            for position, item in enumerate(accepted.items or ())
        ]
    for position, entry in enumerate(activity.timeline or ()):
        at = read_instant(
            "timeline.date_time", instant_from_iso, entry.date_time, activity.time_zone
        )
        rows["timeline_events"].append(
            (position, entry.status, at, entry.message, entry.http_request_id)
        )
    return rows


def _json(data: AcceptedData | None) -> Cell:
    return None if data is None or data.value == NO_VALUE else bytes(data.value).decode()
