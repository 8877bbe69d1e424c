"""From the service's models to the warehouse's rows (specification section 2, contract rules 4 and 5).

Raises `Unstorable` with a reason that holds no value; whoever calls puts the response into quarantine.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
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
from pipeline.sync.cleaning import clean_json, clean_text, may_need_cleaning
from pipeline.sync.codes import FIELD, LIST_FIELD, Carried, details_codes, list_codes
from pipeline.sync.days import day_of
from pipeline.warehouse import service_facts
from pipeline.warehouse.rows import (
    Cell,
    DetailsObservation,
    EntityObservation,
    ListObservation,
    Row,
)

MAPPING_VERSION = 1
"""Raise it with every change of what is stored for the same response; ``reparse`` then rewrites."""

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


class Unstorable(Exception):
    """A response that can't be stored as specified; ``str()`` says why, without values."""


@dataclass(frozen=True)
class Mapper:
    """What mapping needs to know: the zone of days, which statuses are final, which codes are known."""

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
        """Map one row of the list; ``day`` counts where the row has no readable ``created_at``.

        ``mark``: its fingerprint, where that is known already.
        """
        codes = self._unknown(list_codes(item), LIST_FIELD, unknown_fields(body, ListItem))
        if may_need_cleaning(body):
            item = decode_list_item(clean_json(body))
        created_at = _instant("created_at", instant_from_carrier, item.created_at)
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
        )

    def details(
        self,
        body: bytes,
        activity: ActivityDetails,
        asked: str,
        received_at: datetime,
        service_time: datetime,
    ) -> DetailsObservation:
        """Map the details received for the activity ``asked`` for."""
        if activity_id(activity.id) != asked:
            raise Unstorable(
                "the details are another activity's: id differs from the one asked for"
            )
        codes = self._unknown(details_codes(activity), FIELD, unknown_fields(body))
        if may_need_cleaning(body):
            activity = decode_details(clean_json(body))
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
        )
        _add_children(observation, activity)
        return observation

    def _unknown(
        self, codes: list[Carried], kind_of_field: str, fields: list[str]
    ) -> list[tuple[str, str]]:
        """Return codes and fields that were not known; what is too long for a code is cut."""
        seen = {*codes, *((kind_of_field, path) for path in fields)}
        return sorted(
            (kind, value[:200])
            for kind, value in seen - self.known_codes
            if value is not None and "\0" not in value
        )


def load_mapper(engine: sa.Engine, zone: ZoneInfo) -> Mapper:
    """Return a mapper that knows the warehouse's codes. Raises a ``WarehouseError``."""
    return Mapper(
        zone,
        frozenset(service_facts.final_statuses(engine)),
        frozenset(service_facts.known_codes(engine)),
    )


def activity_id(text: str) -> str:
    """Return the id in the form PostgreSQL prints it. Raises `Unstorable` when it is no UUID."""
    if _UUID.fullmatch(text) is None:
        raise Unstorable("id is not a UUID")
    return text.lower()


def digest(body: bytes) -> bytes:
    """Return the BLAKE2b-128 of a response's bytes."""
    return hashlib.blake2b(body, digest_size=16).digest()


def fingerprint(row: bytes) -> bytes:
    """Return the digest of a list row without its nested entity, whatever the order of its fields.

    Two rows with the same fingerprint call for the same details (design, "Decide").
    """
    try:
        fields = msgspec.json.decode(row)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return digest(row)
    if not isinstance(fields, dict):
        return digest(row)
    fields.pop("entity", None)
    return digest(msgspec.json.encode(fields, order="deterministic"))


def _instant(name: str, convert: Callable[..., datetime | None], *value: object) -> datetime | None:
    try:
        return convert(*value)
    except ValueError as error:
        raise Unstorable(f"{name}: {error}") from None


def _uuid(name: str, value: str | None) -> str | None:
    if value is not None and _UUID.fullmatch(value) is None:
        raise Unstorable(f"{name} is not a UUID")
    return value.lower() if value is not None else None


def observe_entity(entity: Entity | None, observed_at: datetime) -> EntityObservation | None:
    """Map a counterpart as a response carried it. Raises `Unstorable`."""
    if entity is None:
        return None
    encoded = msgspec.json.encode(entity)
    form = _shared_form if len(encoded) <= _SHARED_BYTES else _entity_form
    return EntityObservation(*form(encoded), observed_at)


def _entity_form(encoded: bytes) -> tuple[str, Row, list[Row], bytes]:
    """Return id, values, links and digest of a counterpart, given as JSON."""
    entity = _entity.decode(encoded)
    key = _uuid("entity.id", entity.id)
    if key is None:
        raise Unstorable("entity.id is missing")
    values: Row = (
        key,
        clean_text(entity.name),
        _uuid("entity.cifcode", entity.cifcode),
        clean_text(entity.type),
        clean_text(entity.avatar),
        entity.score,
        clean_text(entity.scoring_level),
        entity.unregistered,
        _instant("entity.created_at", instant_from_carrier, entity.created_at),
    )
    links: list[Row] = [
        (position, clean_text(link.media), clean_text(link.url))
        for position, link in enumerate(entity.social_media or ())
    ]
    return key, values, links, digest(repr((values, links)).encode())


_entity = msgspec.json.Decoder(Entity)

#: The same counterpart comes with each of its activities, in the list and in the details.
_shared_form = lru_cache(maxsize=1024)(_entity_form)
_SHARED_BYTES = 4096


def _instants(activity: ActivityDetails) -> dict[str, datetime | None]:
    """Return the six instants; those of events that did not happen yet may be sent as 0."""
    sent: dict[str, Carrier | None] = {
        "attended_at": activity.attended_at or None,
        "completed_at": activity.completed_at or None,
        "expires_at": activity.expires_at or None,
        "valid_until": activity.valid_until,
        "created_at": activity.created_at,
        "updated_at": activity.updated_at,
    }
    return {name: _instant(name, instant_from_carrier, value) for name, value in sent.items()}


#: Our reading of the service's clock may be ahead: a deadline just passed is looked at once more.
_CLOCK_DOUBT = timedelta(minutes=2)


def _deadline(
    instants: dict[str, datetime | None],
    service_time: datetime,
    status: str | None,
    *,
    final: bool,
) -> datetime | None:
    """Return the first moment to come at which the clock alone changes the activity (spec. 3).

    ``valid_until`` ends what nobody answered; it means nothing to what is final. What is EXPIRED has
    both behind it.
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
        at = _instant("timeline.date_time", instant_from_iso, entry.date_time, activity.time_zone)
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
