"""Inserts single activities into the tables, for views whose answers are worked out by hand."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import psycopg

FINAL = frozenset({"COMPLETED", "DECLINED", "CANCELED", "EXPIRED"})

#: A requirement: its code, and the codes of its items.
Requirement = tuple[str, tuple[str, ...]]


def at(day: int, hour: int = 12, minute: int = 0) -> datetime:
    """Return an instant of January 2026 in UTC; the 32nd is the first of February."""
    return datetime(2026, 1, 1, hour, minute, tzinfo=UTC) + timedelta(days=day - 1)


_NOON = at(5)


@dataclass
class Activity:
    """An activity as stored, in the day of ``created_at`` in UTC."""

    status: str | None = "SENT"
    created_at: datetime | None = _NOON
    type: str | None = "AT_001"
    in_out_bound: str | None = "OUT"
    entity_id: uuid.UUID | None = None
    valid_until: datetime | None = None
    attended_at: datetime | None = None
    completed_at: datetime | None = None
    expires_at: datetime | None = None
    updated_at: datetime | None = None
    gone_at: datetime | None = None
    requested: Sequence[Requirement] = ()
    accepted: Sequence[Requirement] = ()
    declined: Sequence[Requirement] = ()
    timeline: Sequence[tuple[str | None, datetime | None]] = ()
    id: uuid.UUID = field(default_factory=uuid.uuid4)


def add_entity(session: psycopg.Connection, name: str = "Somebody", **columns: object) -> uuid.UUID:
    """Insert a counterpart and return its id."""
    values = {
        "id": uuid.uuid4(), "name": name, "type": "INDIVIDUAL", "digest": b"", "observed_at": at(1),
        **columns,
    }  # fmt: skip
    names = ", ".join(values)
    places = ", ".join(["%s"] * len(values))
    session.execute(
        f"insert into warehouse.entities ({names}) values ({places})".encode(),
        list(values.values()),
    )
    found = values["id"]
    assert isinstance(found, uuid.UUID)
    return found


def add(session: psycopg.Connection, *activities: Activity) -> None:
    """Insert activities with their ledger rows and children."""
    for made in activities:
        day = (made.created_at or at(1)).astimezone(UTC).date()
        session.execute(
            "insert into sync.activity_ledger (activity_id, day, final, gone_at)"
            " values (%s, %s, %s, %s) on conflict (activity_id) do update set"
            " day = excluded.day, final = excluded.final, gone_at = excluded.gone_at",
            (made.id, day, made.status in FINAL, made.gone_at),
        )
        session.execute(
            "insert into warehouse.activities (id, type, in_out_bound, entity_id, status, valid_until,"
            " attended_at, completed_at, expires_at, created_at, updated_at, gone_at, first_seen_at,"
            " details_fetched_at) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                made.id, made.type, made.in_out_bound, made.entity_id, made.status, made.valid_until,
                made.attended_at, made.completed_at, made.expires_at, made.created_at,
                made.updated_at, made.gone_at, at(30), at(30),
            ),
        )  # fmt: skip
        for disposition in ("requested", "declined"):
            _add_requirements(session, made.id, disposition, getattr(made, disposition))
        _add_accepted(session, made.id, made.accepted)
        for position, (status, moment) in enumerate(made.timeline):
            session.execute(
                "insert into warehouse.timeline_events (activity_id, position, status, date_time)"
                " values (%s, %s, %s, %s)",
                (made.id, position, status, moment),
            )


def _add_requirements(
    session: psycopg.Connection, owner: uuid.UUID, disposition: str, asked: Iterable[Requirement]
) -> None:
    for position, (code, items) in enumerate(asked):
        session.execute(
            "insert into warehouse.requirements (activity_id, disposition, position, code)"
            " values (%s, %s, %s, %s)",
            (owner, disposition, position, code),
        )
        for place, item in enumerate(items):
            session.execute(
                "insert into warehouse.requirement_items"
                " (activity_id, disposition, requirement_position, position, code)"
                " values (%s, %s, %s, %s, %s)",
                (owner, disposition, position, place, item),
            )


def _add_accepted(
    session: psycopg.Connection, owner: uuid.UUID, accepted: Iterable[Requirement]
) -> None:
    for position, (code, items) in enumerate(accepted):
        session.execute(
            "insert into warehouse.requirements"
            " (activity_id, disposition, position, code, type, category, value)"
            " values (%s, 'accepted', %s, %s, 'RTP_002', 'RQC_001', '\"secret\"')",
            (owner, position, code),
        )
        for place, item in enumerate(items):
            session.execute(
                "insert into warehouse.accepted_items"
                " (activity_id, requirement_position, position, requirement_code, code, type, value)"
                " values (%s, %s, %s, %s, %s, 'RTP_002', '\"secret\"')",
                (owner, position, place, code, item),
            )
