"""Compares the warehouse with what the sandbox states, over every field of every table.

The expected rows are worked out from the sandbox's JSON with nothing of ``pipeline.sync``, so that
the two can't share an error.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import psycopg
from psycopg.rows import dict_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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
_ROW_COLUMNS = ("type", "in_out_bound", "entity_id", "status", "time_zone", "created_at")
_ROW_TEXTS = ("type", "in_out_bound", "status", "time_zone")
_DETAILS_TEXTS = (*_ROW_TEXTS, "type_name", "description", "notification_message")
_ENTITY_TEXTS = ("name", "type", "avatar", "scoring_level")


def compare(database_url: str, truths: Iterable[Truth]) -> list[str]:
    """Return every difference between the warehouse and the service, both ways; none: ``[]``.

    What the service no longer states must be marked as gone and is not looked into; of an activity
    whose details it refuses, what the list says of it must be stored.
    """
    stated = list(truths)
    expected = _expected(stated)
    actual = _actual(database_url)
    gone = {key[0] for key, row in actual["activities"].items() if row["gone_at"] is not None}
    refused = {truth.id for truth in stated if bytes(truth.details) == b"null"}
    differences = _presence(actual["activities"], {truth.id for truth in stated}, refused)
    of_gone = {row["entity_id"] for row in actual["activities"].values() if row["id"] in gone}
    for table in KEYS:
        owner = "entity_id" if table == "entity_social_media" else "activity_id"
        for key in sorted(expected[table].keys() | actual[table].keys(), key=repr):
            ours, theirs = actual[table].get(key), expected[table].get(key)
            if theirs is None and ours is not None:
                owned_by = ours.get(owner, key[0])
                if owned_by in gone or (owned_by in refused and table != "activities"):
                    continue
                if owned_by in of_gone and table.startswith("entit"):
                    continue
            differences += _row_differences(f"{table}{list(map(str, key))}", ours, theirs)
    return differences


def _presence(
    activities: dict[Key, dict[str, object]], offered: set[str], refused: set[str]
) -> list[str]:
    found = []
    for (name,), row in activities.items():
        if name in offered and row["gone_at"] is not None:
            found.append(f"activities[{name}]: marked as gone, but the service offers it")
        if name not in offered and row["gone_at"] is None:
            found.append(f"activities[{name}]: the service no longer offers it; not marked as gone")
        if name in offered and name not in refused and row["details_fetched_at"] is None:
            found.append(f"activities[{name}]: details never had")
        if row["first_seen_at"] is None:
            found.append(f"activities[{name}]: first_seen_at is missing")
    return found


def _row_differences(
    where: str, ours: dict[str, object] | None, theirs: dict[str, object] | None
) -> list[str]:
    if ours is None:
        return [f"{where}: missing in the warehouse"]
    if theirs is None:
        return [f"{where}: in the warehouse, not stated by the service"]
    return [
        f"{where}.{column}: stored {ours[column]!r}, stated {value!r}"
        for column, value in theirs.items()
        if _canonical(ours[column]) != _canonical(value)
    ]


def _actual(database_url: str) -> Tables:
    tables: Tables = {}
    with psycopg.connect(database_url, row_factory=dict_row) as session:
        for table, key in KEYS.items():
            rows = session.execute(f"select * from warehouse.{table}").fetchall()
            tables[table] = {
                tuple(_plain(row[column]) for column in key): {
                    column: _plain(value) for column, value in row.items()
                }
                for row in rows
            }
    return tables


def _plain(value: object) -> object:
    return str(value) if type(value).__name__ == "UUID" else value


def _expected(truths: Iterable[Truth]) -> Tables:
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
    assert value is None or isinstance(value, int | Decimal)
    return instant(value)


def _canonical(value: object) -> object:
    """Make values comparable: equal numbers are equal however written, and True is not 1."""
    leaf: Callable[[object], object] = _canonical
    if isinstance(value, bool) or value is None:
        return ("constant", value)
    if isinstance(value, int | float | Decimal):
        return ("number", Decimal(str(value)))
    if isinstance(value, list):
        return [leaf(element) for element in value]
    if isinstance(value, dict):
        return {name: leaf(element) for name, element in value.items()}
    return value
