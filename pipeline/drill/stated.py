"""What the warehouse must hold, worked out from what the sandbox states.

Nothing of ``pipeline.sync`` is used here, so that the two can't share an error.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.sandbox import Truth

Key = tuple[object, ...]
Tables = dict[str, dict[Key, dict[str, object]]]

#: The contract's tables, and the columns of each that identify a row.
KEYS = {
    "entities": ("id",),
    "entity_social_media": ("entity_id", "position"),
    "activities": ("id",),
    "requirements": ("activity_id", "disposition", "position"),
    "requirement_items": ("activity_id", "disposition", "requirement_position", "position"),
    "accepted_items": ("activity_id", "requirement_position", "position"),
    "timeline_events": ("activity_id", "position"),
}

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNHOLDABLE = re.compile("[\0\ud800-\udfff]")
_ROW_TEXTS = ("type", "in_out_bound", "status", "time_zone")
_DETAILS_TEXTS = (*_ROW_TEXTS, "type_name", "description", "notification_message")
_ENTITY_TEXTS = ("name", "type", "avatar", "scoring_level")


def stated_rows(truths: Iterable[Truth]) -> Tables:
    """Return the rows of the contract's tables, by table and key, for these activities."""
    tables: Tables = {table: {} for table in KEYS}
    for truth in truths:
        row = json.loads(bytes(truth.row), parse_float=Decimal)
        details = json.loads(bytes(truth.details or b"null"), parse_float=Decimal)
        _expect_entity(tables, (details or row).get("entity"))
        if details is None:
            tables["activities"][(truth.id,)] = _row_fields(row)
            continue
        tables["activities"][(truth.id,)] = _activity_fields(details)
        for disposition in ("requested", "declined"):
            name = "requirements" if disposition == "requested" else "declined_requirements"
            _expect_requirements(tables, truth.id, disposition, details.get(name) or [])
        _expect_accepted(tables, truth.id, details.get("accepted_requirements") or [])
        _expect_timeline(tables, truth.id, details)
    return tables


def _expect_entity(tables: Tables, entity: dict[str, Any] | None) -> None:
    if entity is None:
        return
    name = entity["id"].lower()
    tables["entities"][(name,)] = {
        "id": name,
        "cifcode": _lower(entity.get("cifcode")),
        "score": entity.get("score"),
        "unregistered": entity.get("unregistered"),
        "created_at": carried(entity.get("created_at")),
        **{column: text(entity.get(column)) for column in _ENTITY_TEXTS},
    }
    for position, link in enumerate(entity.get("social_media") or []):
        tables["entity_social_media"][(name, position)] = {
            "media": text(link.get("media")),
            "url": text(link.get("url")),
        }


def _row_fields(row: dict[str, Any]) -> dict[str, object]:
    entity = row.get("entity")
    return {
        "entity_id": entity["id"].lower() if entity else None,
        "created_at": carried(row.get("created_at")),
        **{column: text(row.get(column)) for column in _ROW_TEXTS},
    }


def _activity_fields(details: dict[str, Any]) -> dict[str, object]:
    expires_in = details.get("expires_in") or {}
    return {
        **_row_fields(details),
        **{column: text(details.get(column)) for column in _DETAILS_TEXTS},
        "valid_until": instant(details.get("valid_until")),
        "updated_at": carried(details.get("updated_at")),
        **{
            column: instant(details.get(column) or None)
            for column in ("attended_at", "completed_at", "expires_at")
        },
        "expires_in_time_unit": text(expires_in.get("time_unit")),
        "expires_in_amount": expires_in.get("amount"),
    }


def _expect_requirements(
    tables: Tables, name: str, disposition: str, requirements: list[dict[str, Any]]
) -> None:
    for place, requirement in enumerate(requirements):
        tables["requirements"][(name, disposition, place)] = {
            "code": text(requirement.get("code")),
            "type": None,
            "category": None,
            "value": None,
        }
        for position, item in enumerate(requirement.get("items") or []):
            key = (name, disposition, place, position)
            tables["requirement_items"][key] = {"code": text(item.get("code"))}


def _expect_accepted(tables: Tables, name: str, accepted: list[dict[str, Any]]) -> None:
    for place, requirement in enumerate(accepted):
        code = text(requirement.get("code"))
        tables["requirements"][(name, "accepted", place)] = {
            "code": code,
            "type": text(requirement.get("type")),
            "category": text(requirement.get("category")),
            "value": _value(requirement.get("data")),
        }
        for position, item in enumerate(requirement.get("items") or []):
            tables["accepted_items"][(name, place, position)] = {
                "requirement_code": code,
                "code": text(item.get("code")),
                "type": text(item.get("type")),
                "value": _value(item.get("data")),
            }


def _expect_timeline(tables: Tables, name: str, details: dict[str, Any]) -> None:
    for position, entry in enumerate(details.get("timeline") or []):
        written = entry.get("date_time")
        at = datetime.fromisoformat(written) if written is not None else None
        if at is not None and at.tzinfo is None:
            zone = details.get("time_zone")
            at = at.replace(tzinfo=ZoneInfo(zone) if zone else UTC)
        tables["timeline_events"][(name, position)] = {
            "status": text(entry.get("status")),
            "date_time": at,
            "message": text(entry.get("message")),
            "http_request_id": text(entry.get("http_request_id")),
        }


def _lower(name: str | None) -> str | None:
    return None if name is None else name.lower()


def _value(data: dict[str, Any] | None) -> object:
    return _holdable((data or {}).get("value"))


def text(value: str | None) -> str | None:
    """Return a text as PostgreSQL can hold it (contract, rule 5)."""
    return None if value is None else _UNHOLDABLE.sub("\ufffd", value)


def _holdable(value: object) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return [_holdable(element) for element in value]
    if isinstance(value, dict):
        return {text(name): _holdable(element) for name, element in value.items()}
    return value


def instant(value: int | Decimal | None) -> datetime | None:
    """Convert epoch milliseconds exactly."""
    return None if value is None else _EPOCH + timedelta(microseconds=int(value * 1000))


def carried(value: object) -> datetime | None:
    """Convert ``created_at``: a number, a numeric text, or an object that holds one number."""
    if isinstance(value, dict):
        (value,) = (held for held in value.values() if isinstance(held, int | Decimal))
    if isinstance(value, str):
        value = Decimal(value)
    if value is None or isinstance(value, int | Decimal):
        return instant(value)
    raise ValueError("carries no instant")
