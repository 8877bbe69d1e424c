"""States activities as JSON: list rows (docs/service.md 2.4) and details (docs/service.md 2.6)."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec
from msgspec import UNSET

from . import bodies
from .catalogue import TYPE_NAMES
from .drawing import life_of
from .history import snapshot
from .shared_values import accepted_requirement

if TYPE_CHECKING:
    from .behaviour import Behaviour
    from .history import Activity, Event, Snapshot

_EVENTFUL = ("notification_message", "attended_at", "completed_at", "expires_at")
_encode = msgspec.json.Encoder().encode


def status_of(activity: Activity, behaviour: Behaviour, now: int) -> str:
    """Return the activity's status at `now` (epoch ms)."""
    return _seen(activity, behaviour, now).status


def row_of(activity: Activity, behaviour: Behaviour, now: int) -> bytes:
    """Return the list row (JSON) at `now` (epoch ms)."""
    row = bodies.ActivityRow(
        id=activity.id,
        type=activity.type,
        in_out_bound=activity.bound,
        entity=activity.counterpart.stated(now),
        status=status_of(activity, behaviour, now),
        time_zone=activity.zone,
        created_at=activity.created_at,
    )
    return _encoded(row, behaviour)


def details_of(activity: Activity, behaviour: Behaviour, now: int) -> bytes | None:
    """Return the details (JSON) at `now` (epoch ms); None when they are forbidden."""
    seen = _seen(activity, behaviour, now)
    if seen.data_gone and behaviour.expired_details == "forbidden":
        return None
    details = _details(activity, seen, now)
    body = msgspec.to_builtins(details) | seen.changes if seen.changes else details
    return _encoded(body, behaviour)


def _seen(activity: Activity, behaviour: Behaviour, now: int) -> Snapshot:
    return snapshot(life_of(activity), now, behaviour)


def _details(activity: Activity, seen: Snapshot, now: int) -> bodies.ActivityDetails:
    life, counterpart = life_of(activity), activity.counterpart
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
        created_at=activity.created_at,
        updated_at=seen.updated_at,
        expires_in=bodies.ExpiresIn(*life.expires_in),
        entity=counterpart.stated(now),
        requirements=life.requirements,
        accepted_requirements=[
            accepted_requirement(each, counterpart, shared_at, with_data=not seen.data_gone)
            for each in seen.accepted
        ],
        declined_requirements=seen.declined,
        timeline=[_entry(activity, event) for event in seen.timeline],
    )
    if activity.number % 2 == 0:
        # Nobody knows whether the service sends null or nothing: every other activity has nothing.
        for name in _EVENTFUL:
            if getattr(details, name) is None:
                setattr(details, name, UNSET)
    return details


def _entry(activity: Activity, event: Event) -> bodies.TimelineEntry:
    moment = dt.datetime.fromtimestamp(event.at / 1000, dt.UTC).isoformat(timespec="milliseconds")
    seed = f"{activity.seed}:{event.at}:{event.status}".encode()
    request_id = UUID(bytes=hashlib.blake2b(seed, digest_size=16).digest(), version=4)
    moment = moment.replace("+00:00", "Z")
    return bodies.TimelineEntry(event.status, moment, event.message, str(request_id))


def _encoded(body: object, behaviour: Behaviour) -> bytes:
    if behaviour.form is not None:
        body = behaviour.form(msgspec.to_builtins(body))
    return _encode(body)
