"""States activities as JSON: list rows (docs/service.md 2.4) and details (docs/service.md 2.6)."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET

from . import bodies
from .catalogue import TYPE_NAMES
from .clock import zone_named
from .drawing import life_of
from .history import snapshot
from .shared_values import accepted_requirement

if TYPE_CHECKING:
    from .behaviour import Behaviour, InstantForm
    from .history import Activity, Event, Life, Snapshot

EXTRA_FIELD = "x_channel"
_EVENTFUL = ("notification_message", "attended_at", "completed_at", "expires_at")
_encode = msgspec.json.Encoder().encode
# Rows are kept, since a walk shows each of them often; this many, to bound the memory.
_MOST_KEPT = 20_000


class Row(NamedTuple):
    """An encoded list row, and from and until when it holds (epoch ms)."""

    body: bytes
    since: int
    until: int


class Statements:
    """States activities under one behaviour. Rows are kept until their activity changes.

    A change that no event announces (a control, another behaviour) needs new `Statements`.
    """

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self._rows: dict[int, Row] = {}

    def row(self, activity: Activity, now: int) -> bytes:
        """Return the list row (JSON) at `now` (epoch ms)."""
        kept = self._rows.get(activity.number)
        if kept is None or not kept.since <= now < kept.until:
            if len(self._rows) >= _MOST_KEPT:
                self._rows.clear()
            kept = self._rows[activity.number] = self._row(activity, now)
        return kept.body

    def details(self, activity: Activity, now: int) -> bytes | None:
        """Return the details (JSON) at `now` (epoch ms); None when they are forbidden."""
        life = life_of(activity)
        seen = self._snapshot(life, now)
        if seen.data_gone and self.behaviour.expired_details == "forbidden":
            return None
        details = self._body(activity, life, seen)
        if not self._hides_entity(activity):
            details.entity, _, _ = activity.counterpart.stated(now)
        if seen.changes:
            return self._encoded(msgspec.to_builtins(details) | seen.changes)
        return self._encoded(details)

    def status(self, activity: Activity, now: int) -> str:
        """Return the activity's status at `now`."""
        return self._snapshot(life_of(activity), now).status

    def _snapshot(self, life: Life, now: int) -> Snapshot:
        return snapshot(
            life,
            now,
            silent_edits=self.behaviour.silent_edits,
            completed_expires=self.behaviour.completed_expires,
            edits_move=self.behaviour.updated_at == "every",
        )

    def _row(self, activity: Activity, now: int) -> Row:
        seen = self._snapshot(life_of(activity), now)
        entity, since, until = activity.counterpart.stated(now)
        row = bodies.ActivityRow(
            id=activity.id,
            type=activity.type,
            in_out_bound=activity.bound,
            entity=None if self._hides_entity(activity) else entity,
            status=seen.status,
            time_zone=activity.zone,
            created_at=_instant(activity.created_at, self.behaviour.list_instants),
        )
        return Row(self._encoded(row), max(since, seen.since), min(until, seen.until))

    def _body(self, activity: Activity, life: Life, seen: Snapshot) -> bodies.ActivityDetails:
        behaviour = self.behaviour
        shared_at = seen.attended_at or activity.created_at
        details = bodies.ActivityDetails(
            id=activity.id,
            type=activity.type,
            type_name=TYPE_NAMES.get(activity.type, activity.type),
            in_out_bound=activity.bound,
            description=life.description,
            status=seen.status,
            notification_message=seen.notification,
            time_zone=activity.zone,
            valid_until=activity.valid_until,
            attended_at=seen.attended_at,
            completed_at=seen.completed_at,
            expires_at=seen.expires_at,
            created_at=_instant(activity.created_at, behaviour.details_instants),
            updated_at=_instant(seen.updated_at, behaviour.details_instants),
            expires_in=bodies.ExpiresIn(*life.expires_in),
            entity=None,
            requirements=life.requirements,
            accepted_requirements=[
                accepted_requirement(
                    requirement,
                    activity.counterpart,
                    shared_at,
                    with_data=not seen.data_gone,
                )
                for requirement in seen.accepted
            ],
            declined_requirements=seen.declined,
            timeline=[self._entry(activity, event) for event in seen.timeline],
        )
        if seen.data_gone and behaviour.expired_details == "without_arrays":
            details.accepted_requirements = details.declined_requirements = UNSET
        form = behaviour.unset_fields
        if form == "mixed":
            form = "null" if activity.number % 2 else "absent"
        if form != "null":
            for name in _EVENTFUL:
                if getattr(details, name) is None:
                    zero = "" if name == "notification_message" else 0
                    setattr(details, name, zero if form == "zero" else UNSET)
        return details

    def _entry(self, activity: Activity, event: Event) -> bodies.TimelineEntry:
        utc = self.behaviour.timeline_zone == "utc"
        zone = dt.UTC if utc else zone_named(activity.zone)
        moment = dt.datetime.fromtimestamp(event.at / 1000, zone).isoformat(timespec="milliseconds")
        moment = moment.replace("+00:00", "Z") if utc else moment
        seed = f"{activity.seed}:{event.at}:{event.status}".encode()
        text = hashlib.blake2b(seed, digest_size=16).hexdigest()
        request_id = f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"
        return bodies.TimelineEntry(event.status, moment, event.message, request_id)

    def _hides_entity(self, activity: Activity) -> bool:
        share = self.behaviour.entity_null
        return share > 0 and (activity.seed * 2_654_435_761 & 0xFFFFFFFF) / 2**32 < share

    def _encoded(self, body: object) -> bytes:
        if self.behaviour.extra_fields:
            body = _with_extra_field(msgspec.to_builtins(body))
        return _encode(body)


def _instant(at: int, form: InstantForm) -> bodies.Instant:
    if form == "object":
        return bodies.InstantObject(at)
    return str(at) if form == "string" else at


def _with_extra_field(value: Any) -> Any:
    """Add the unknown field to every object except the free-form ones that members share."""
    if isinstance(value, list | tuple):
        return [_with_extra_field(element) for element in value]
    if not isinstance(value, dict):
        return value
    stated = {
        key: element if key == "value" else _with_extra_field(element)
        for key, element in value.items()
    }
    stated[EXTRA_FIELD] = "MOBILE"
    return stated
