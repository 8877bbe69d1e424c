"""Encodes list rows (specification §2.4) and details (§2.6) as the service states them.

Encoded bytes are kept as long as they hold: until the activity's or its entity's next event, a
change by the controls, or another behaviour.
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from .catalogue import TYPE_NAMES
from .drawing import life_of
from .history import Activity, Event, Life, Requirement, Snapshot, snapshot
from .samples import accepted_requirement
from .zones import zone_named

if TYPE_CHECKING:
    from .behaviour import Behaviour
    from .people import Entity

_encode = msgspec.json.Encoder().encode
# The bytes kept at most; what was encoded first is dropped first.
_KEPT_BYTES = 96 * 1024 * 1024
EXTRA_FIELD = "x_channel"


class Stated(NamedTuple):
    """Encoded bytes and for which moments and versions they hold; body None: forbidden."""

    body: bytes | None
    since: int
    until: int
    version: int
    entity_version: int


class Wire:
    """States activities under one behaviour; another behaviour gets another Wire."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self._rows: dict[int, Stated] = {}
        self._details: dict[int, Stated] = {}
        self._entities: dict[int, tuple[msgspec.Raw, int, int, int]] = {}
        self._kept = 0

    def row(self, activity: Activity, now: int) -> bytes:
        """Return the list row (JSON bytes) at `now` (epoch ms)."""
        stated = self._rows.get(activity.number)
        if stated is None or not _holds(stated, activity, now):
            stated = self._encoded_row(activity, now)
            self._keep(self._rows, activity.number, stated)
        assert stated.body is not None  # noqa: S101  # for the type checker: rows always have one
        return stated.body

    def details(self, activity: Activity, now: int) -> bytes | None:
        """Return the details (JSON bytes) at `now` (epoch ms); None when they are forbidden."""
        stated = self._details.get(activity.number)
        if stated is None or not _holds(stated, activity, now):
            stated = self._encoded_details(activity, now)
            self._keep(self._details, activity.number, stated)
        return stated.body

    def stated(self, activity: Activity, now: int) -> tuple[bytes, bytes | None]:
        """Return list row and details at `now` without keeping them, for reading all of a world."""
        row = self._encoded_row(activity, now).body
        assert row is not None  # noqa: S101  # for the type checker: rows always have one
        return row, self._encoded_details(activity, now).body

    def status(self, activity: Activity, now: int) -> str:
        """Return the activity's status at `now`."""
        return self._seen(life_of(activity), now).status

    def _seen(self, life: Life, now: int) -> Snapshot:
        behaviour = self.behaviour
        return snapshot(
            life,
            now,
            silent_edits=behaviour.silent_edits,
            completed_expires=behaviour.completed_expires,
            edits_move=behaviour.updated_at == "every",
        )

    def _keep(self, shelf: dict[int, Stated], number: int, stated: Stated) -> None:
        before = shelf.pop(number, None)
        if before is not None:
            self._kept -= len(before.body or b"")
        size = len(stated.body or b"")
        if size > _KEPT_BYTES // 8:
            return
        self._kept += size
        shelf[number] = stated
        while self._kept > _KEPT_BYTES:
            fullest = max((self._rows, self._details), key=len)
            self._kept -= len(fullest.pop(next(iter(fullest))).body or b"")

    def _entity(self, entity: Entity, now: int) -> tuple[msgspec.Raw, int, int]:
        kept = self._entities.get(entity.number)
        if kept is not None and kept[1] <= now < kept[2] and kept[3] == entity.version:
            return kept[:3]
        fields, since, until = entity.standing(now)
        raw = msgspec.Raw(_encode(self._with_extras(fields)))
        self._entities[entity.number] = (raw, since, until, entity.version)
        return raw, since, until

    def _encoded_row(self, activity: Activity, now: int) -> Stated:
        behaviour = self.behaviour
        seen = self._seen(life_of(activity), now)
        entity, since, until = self._entity(activity.entity, now)
        row = {
            "id": activity.id,
            "type": activity.type,
            "in_out_bound": activity.bound,
            "entity": None if self._hides_entity(activity) else entity,
            "status": seen.status,
            "time_zone": activity.zone,
            "created_at": self._instant(activity.created_at, behaviour.list_instants),
        }
        body = _encode(self._with_extras(row))
        return _stated(body, activity, max(since, seen.since), min(until, seen.until))

    def _encoded_details(self, activity: Activity, now: int) -> Stated:
        life = life_of(activity)
        seen = self._seen(life, now)
        entity, since, until = self._entity(activity.entity, now)
        since, until = max(since, seen.since), min(until, seen.until)
        if seen.data_gone and self.behaviour.expired_details == "forbidden":
            return _stated(None, activity, since, until)
        fields = self._details_fields(activity, life, seen)
        fields["entity"] = None if self._hides_entity(activity) else entity
        fields.update(self._arrays(activity, life, seen))
        fields.update(seen.changes)
        return _stated(_encode(self._with_extras(fields)), activity, since, until)

    def _details_fields(self, activity: Activity, life: Life, seen: Snapshot) -> dict[str, Any]:
        form = self.behaviour.details_instants
        fields: dict[str, Any] = {
            "id": activity.id,
            "type": activity.type,
            "type_name": TYPE_NAMES.get(activity.type, activity.type),
            "in_out_bound": activity.bound,
            "description": life.description,
            "status": seen.status,
            "notification_message": seen.notification,
            "time_zone": activity.zone,
            "valid_until": activity.valid_until,
            "attended_at": seen.attended_at,
            "completed_at": seen.completed_at,
            "expires_at": seen.expires_at,
            "created_at": self._instant(activity.created_at, form),
            "updated_at": self._instant(seen.updated_at, form),
            "expires_in": {"time_unit": life.expires_in[0], "amount": life.expires_in[1]},
        }
        unset = self.behaviour.unset_fields
        if unset == "null" or (unset == "mixed" and activity.number % 2):
            return fields
        for name in ("notification_message", "attended_at", "completed_at", "expires_at"):
            if fields[name] is None:
                if unset == "zero":
                    fields[name] = "" if name == "notification_message" else 0
                else:
                    del fields[name]
        return fields

    def _arrays(self, activity: Activity, life: Life, seen: Snapshot) -> dict[str, Any]:
        arrays: dict[str, Any] = {"requirements": [_requested(r) for r in life.requirements]}
        if not (seen.data_gone and self.behaviour.expired_details == "without_arrays"):
            size = self.behaviour.image_bytes
            at = seen.attended_at or activity.created_at
            arrays["accepted_requirements"] = [
                accepted_requirement(r, activity.entity, at, size, with_data=not seen.data_gone)
                for r in seen.accepted
            ]
            arrays["declined_requirements"] = [_requested(r) for r in seen.declined]
        arrays["timeline"] = [
            {
                "status": event.status,
                "date_time": self._date_time(event.at, activity.zone),
                "message": event.message,
                "http_request_id": _request_id(activity, event),
            }
            for event in seen.timeline
        ]
        return arrays

    def _instant(self, at: int, form: str) -> object:
        if form == "object":
            return {self.behaviour.instant_key: at}
        return str(at) if form == "string" else at

    def _date_time(self, at: int, zone: str) -> str:
        if self.behaviour.timeline_zone == "utc":
            moment = _EPOCH + dt.timedelta(milliseconds=at)
            return moment.isoformat(timespec="milliseconds") + "Z"
        moment = dt.datetime.fromtimestamp(at / 1000, zone_named(zone))
        return moment.isoformat(timespec="milliseconds")

    def _hides_entity(self, activity: Activity) -> bool:
        share = self.behaviour.entity_null
        return share > 0 and (activity.seed * 2_654_435_761 & 0xFFFFFFFF) / 2**32 < share

    def _with_extras(self, fields: dict[str, Any]) -> dict[str, Any]:
        return _with_extra_field(fields) if self.behaviour.extra_fields else fields


_EPOCH = dt.datetime(1970, 1, 1)  # its text gets the Z added


def _holds(stated: Stated, activity: Activity, now: int) -> bool:
    return (
        stated.since <= now < stated.until
        and stated.version == activity.version
        and stated.entity_version == activity.entity.version
    )


def _stated(body: bytes | None, activity: Activity, since: int, until: int) -> Stated:
    return Stated(body, since, until, activity.version, activity.entity.version)


@functools.lru_cache(maxsize=4096)
def _requested(requirement: Requirement) -> dict[str, Any]:
    items = [{"code": code} for code in requirement.items]
    return {"code": requirement.code, "items": items}


def _request_id(activity: Activity, event: Event) -> str:
    seed = f"{activity.seed}:{event.at}:{event.status}".encode()
    text = hashlib.blake2b(seed, digest_size=16).hexdigest()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def _with_extra_field(value: Any) -> Any:
    """Add the unknown field to every object but the free-form ones of members."""
    if isinstance(value, list):
        return [_with_extra_field(element) for element in value]
    if not isinstance(value, dict):
        return value
    stated = {
        key: element if key == "value" else _with_extra_field(element)
        for key, element in value.items()
    }
    stated[EXTRA_FIELD] = "MOBILE"
    return stated
