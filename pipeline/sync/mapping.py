"""From the service's models to the warehouse's rows.

Implements docs/warehouse.md 4 and docs/warehouse.md 5; the resources are those of docs/service.md 2.
Only `load_mapper` reads the warehouse, the rest is pure. A response that cannot be stored raises
`Unstorable` with a reason that holds no value; the caller puts the response into quarantine.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa

from pipeline.service.instants import instant_from_carrier, instant_from_iso
from pipeline.service.models import (
    AcceptedData,
    ActivityDetails,
    Carrier,
    Entity,
    ListItem,
    Requirement,
    decode_details,
    decode_list_item,
)
from pipeline.service.unknown import unknown_fields
from pipeline.sync.codes import FIELD, LIST_FIELD, Carried, details_codes, list_codes
from pipeline.sync.days import day_of
from pipeline.sync.fields import (
    Unstorable,
    activity_id,
    clean,
    digest,
    fingerprint,
    mend,
    read_instant,
    read_uuid,
)
from pipeline.warehouse import service_facts
from pipeline.warehouse.rows import (
    Cell,
    DetailsObservation,
    EntityObservation,
    ListObservation,
    Row,
)

MAPPING_VERSION = 1
"""Raise it with every change of what is stored for the same response. `pipeline reparse` applies it."""


@dataclass(frozen=True)
class Mapper:
    """Maps responses. ``zone`` is the zone of days; statuses and codes are those of the warehouse."""

    zone: ZoneInfo
    final_statuses: frozenset[str]
    known_codes: frozenset[tuple[str, str]]

    def listed(
        self,
        body: bytes,
        item: ListItem,
        received_at: datetime,
        day: date,
        mark: bytes | None = None,
    ) -> ListObservation:
        """Map one row of the list. Raises `Unstorable`.

        ``day`` is used if the row has no ``created_at``. ``mark``: its fingerprint, if already known.
        """
        unnamed = unknown_fields(body, ListItem)
        codes = self._unknown(list_codes(item), LIST_FIELD, unnamed)
        mended = mend(body)
        if mended is not None:
            item = decode_list_item(mended)
        created_at = read_instant("created_at", instant_from_carrier, item.created_at)
        entity = observe_entity(item.entity, received_at)
        return ListObservation(
            activity_id=activity_id(item.id),
            day=day_of(created_at, self.zone) if created_at else day,
            body=body,
            digest=digest(body),
            fingerprint=mark or fingerprint(body),
            received_at=received_at,
            values=(
                item.type,
                item.in_out_bound,
                entity.id if entity else None,
                item.status,
                item.time_zone,
                created_at,
            ),
            status=item.status,
            entity=entity,
            codes=codes,
            unnamed=tuple(unnamed),
        )

    def details(
        self,
        body: bytes,
        activity: ActivityDetails,
        asked: str,
        received_at: datetime,
        service_time: datetime,
    ) -> DetailsObservation:
        """Map the details received for the activity ``asked``. Raises `Unstorable`.

        ``service_time`` is what the service's clock said at ``received_at``.
        """
        if activity_id(activity.id) != asked:
            raise Unstorable(
                "the details are another activity's: id differs from the one asked for"
            )
        # From the body as sent: mending would hide what the service really sends.
        unnamed = unknown_fields(body)
        codes = self._unknown(details_codes(activity), FIELD, unnamed)
        mended = mend(body)
        if mended is not None:
            activity = decode_details(mended)
        instants = _instants(activity)
        created_at = instants["created_at"]
        entity = observe_entity(activity.entity, received_at)
        final = activity.status in self.final_statuses
        observation = DetailsObservation(
            activity_id=asked,
            day=day_of(created_at, self.zone) if created_at else None,
            body=body,
            digest=digest(body),
            mapping_version=MAPPING_VERSION,
            received_at=received_at,
            service_time=service_time,
            final=final,
            deadline_at=_deadline(instants, service_time, activity.status, final=final),
            values=_details_values(activity, instants, entity),
            entity=entity,
            codes=codes,
            unnamed=tuple(unnamed),
        )
        _add_children(observation, activity)
        return observation

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


def load_mapper(engine: sa.Engine, zone: ZoneInfo) -> Mapper:
    """Return a mapper with the final statuses and known codes of the warehouse.

    Raises a ``WarehouseError``.
    """
    return Mapper(
        zone,
        frozenset(service_facts.final_statuses(engine)),
        frozenset(service_facts.known_codes(engine)),
    )


def observe_entity(entity: Entity | None, observed_at: datetime) -> EntityObservation | None:
    """Map the counterpart of a response. Raises `Unstorable`."""
    if entity is None:
        return None
    # The JSON is the key of the cache: structs can't be one, and equal entities encode alike.
    encoded = msgspec.json.encode(entity)
    form = _shared_form if len(encoded) <= _SHARED_BYTES else _entity_form
    return EntityObservation(*form(encoded), observed_at)


def _entity_form(encoded: bytes) -> tuple[str, Row, list[Row] | None, bytes]:
    """Return id, values, links and digest of a counterpart, given as JSON."""
    entity = _entity.decode(encoded)
    if entity.id is None:
        raise Unstorable("entity.id is missing")
    key = read_uuid("entity.id", entity.id)
    values: Row = (
        key,
        clean(entity.name),
        None if entity.cifcode is None else read_uuid("entity.cifcode", entity.cifcode),
        clean(entity.type),
        clean(entity.avatar),
        entity.score,
        clean(entity.scoring_level),
        entity.unregistered,
        read_instant("entity.created_at", instant_from_carrier, entity.created_at),
    )
    links: list[Row] | None = None
    if entity.social_media is not None:
        links = [
            (position, clean(link.media), clean(link.url))
            for position, link in enumerate(entity.social_media)
        ]
    return key, values, links, digest(repr((values, links)).encode())


_entity = msgspec.json.Decoder(Entity)

#: The same counterpart comes with each of its activities, in the list and in the details.
_shared_form = lru_cache(maxsize=1024)(_entity_form)
_SHARED_BYTES = 4096


def _instants(activity: ActivityDetails) -> dict[str, datetime | None]:
    """Return the six instants. The service may send 0 for an event that has not happened yet."""
    sent: dict[str, Carrier | None] = {
        "attended_at": activity.attended_at or None,
        "completed_at": activity.completed_at or None,
        "expires_at": activity.expires_at or None,
        "valid_until": activity.valid_until,
        "created_at": activity.created_at,
        "updated_at": activity.updated_at,
    }
    return {name: read_instant(name, instant_from_carrier, value) for name, value in sent.items()}


#: Our reading of the service's clock may be ahead, so a deadline that has just passed still counts.
_CLOCK_DOUBT = timedelta(minutes=2)


def _deadline(
    instants: dict[str, datetime | None],
    service_time: datetime,
    status: str | None,
    *,
    final: bool,
) -> datetime | None:
    """Return the next moment at which time alone changes the activity (docs/service.md 3).

    ``valid_until`` cancels an activity that nobody answered, so it means nothing if the status is
    final. An EXPIRED activity has passed both moments.
    """
    valid_until = None if final else instants["valid_until"]
    expires_at = None if status == "EXPIRED" else instants["expires_at"]
    ahead = [
        instant
        for instant in (valid_until, expires_at)
        if instant is not None and instant > service_time - _CLOCK_DOUBT
    ]
    return min(ahead, default=None)


def _details_values(
    activity: ActivityDetails,
    instants: dict[str, datetime | None],
    entity: EntityObservation | None,
) -> Row:
    expires_in = activity.expires_in
    return (
        activity.type,
        activity.type_name,
        activity.in_out_bound,
        entity.id if entity else None,
        activity.description,
        activity.status,
        activity.notification_message,
        activity.time_zone,
        instants["valid_until"],
        instants["attended_at"],
        instants["completed_at"],
        instants["expires_at"],
        instants["created_at"],
        instants["updated_at"],
        expires_in.time_unit if expires_in else None,
        expires_in.amount if expires_in else None,
    )


def _add_children(rows: DetailsObservation, activity: ActivityDetails) -> None:
    _add_requirements(rows, "requested", activity.requirements or ())
    _add_requirements(rows, "declined", activity.declined_requirements or ())
    for place, accepted in enumerate(activity.accepted_requirements or ()):
        code, value = accepted.code, _json(accepted.data)
        rows.requirements.append(("accepted", place, code, accepted.type, accepted.category, value))
        rows.accepted_items += [
            (place, position, code, item.code, item.type, _json(item.data))
            for position, item in enumerate(accepted.items or ())
        ]
    for position, entry in enumerate(activity.timeline or ()):
        at = read_instant(
            "timeline.date_time", instant_from_iso, entry.date_time, activity.time_zone
        )
        rows.timeline_events.append(
            (position, entry.status, at, entry.message, entry.http_request_id)
        )


def _add_requirements(
    rows: DetailsObservation, disposition: str, requirements: Iterable[Requirement]
) -> None:
    for place, requirement in enumerate(requirements):
        rows.requirements.append((disposition, place, requirement.code, None, None, None))
        rows.requirement_items += [
            (disposition, place, position, item.code)
            for position, item in enumerate(requirement.items or ())
        ]


def _json(data: AcceptedData | None) -> Cell:
    value = data.json if data is not None else None
    return value.decode() if value is not None else None
