"""Compares the warehouse with what the made-up service returns: every field of every table.

The expected rows are worked out here (docs/warehouse.md 4 and 5), without ``pipeline.sync``, so that a
bug in the mapping shows as a difference.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from psycopg import sql
from psycopg.rows import dict_row
from psycopg.types.json import set_json_loads
from psycopg.types.string import TextLoader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import psycopg

    from pipeline.sandbox import Truth

Key = tuple[object, ...]
Fields = dict[str, Any]
Tables = dict[str, dict[Key, Fields]]

#: The tables of the schema ``warehouse``, and the columns of each that identify a row.
KEYS = {
    "entities": ("id",),
    "entity_social_media": ("entity_id", "position"),
    "activities": ("id",),
    "requirements": ("activity_id", "disposition", "position"),
    "requirement_items": ("activity_id", "disposition", "requirement_position", "position"),
    "accepted_items": ("activity_id", "requirement_position", "position"),
    "timeline_events": ("activity_id", "position"),
}

# Columns that no response carries.
_OURS = {"digest", "observed_at", "first_seen_at", "unregistered_at"}
# Our own times of which only this is compared: whether there is one.
_WHETHER = {"gone_at", "details_fetched_at"}
# What a list row says of an activity.
_LISTED = {"gone_at", "entity_id", "type", "in_out_bound", "status", "time_zone", "created_at"}
# The service sends 0 or an empty text here for "not yet".
_ZERO_IS_NULL = ("attended_at", "completed_at", "expires_at")
_ARRAYS = {"requested": "requirements", "declined": "declined_requirements"}

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS = re.compile(r"-?\d+(\.\d+)?")
# One decoder for all: to make one takes as long as to decode a row.
_decoder = json.JSONDecoder(parse_float=Decimal)
_NOT_STORABLE = re.compile("[\0\ud800-\udfff]")


def _decode(text: str | bytes) -> Any:
    return _decoder.decode(text if isinstance(text, str) else text.decode())


class Difference(NamedTuple):
    """One way in which the warehouse differs from the service. ``str()`` shows values, `where` none.

    ``kind`` is ``missing`` (an expected row is not stored), ``surplus`` (a stored row is not
    expected) or ``wrong`` (a column holds another value than expected).
    """

    kind: str
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def differences(stored: Tables, truths: Iterable[Truth]) -> list[Difference]:
    """Return every difference between the warehouse and the service, both ways.

    ``stored``: of `stored_rows`. An activity that the service no longer returns must be marked as gone;
    its other columns are not compared. An activity whose details are refused must hold what its list
    row says.
    """
    offered = list(truths)
    expected: Tables = {table: {} for table in KEYS}
    for table, key, fields in (row for truth in offered for row in _expected_rows(truth)):
        expected[table][key] = fields
    activities = stored["activities"].values()
    gone = {row["id"] for row in activities if row["gone_at"]} - {truth.id for truth in offered}
    refused = {truth.id for truth in offered if bytes(truth.details) == b"null"}
    of_gone = {row["entity_id"] for row in activities if row["id"] in gone}
    # Whose rows may be stored without being expected, by table.
    tolerated = {"activities": gone, "entities": of_gone, "entity_social_media": of_gone}
    return [
        difference
        for table in KEYS
        for key in sorted(expected[table].keys() | stored[table].keys(), key=repr)
        if key in expected[table] or key[0] not in tolerated.get(table, gone | refused)
        for difference in _compare(table, key, stored[table].get(key), expected[table].get(key))
    ]


def stored_rows(session: psycopg.Connection[Any]) -> Tables:
    """Return all rows of the mirrored tables, by table and key, with every column."""
    tables: Tables = {}
    with session.cursor(row_factory=dict_row) as cursor:
        cursor.adapters.register_loader("uuid", TextLoader)
        set_json_loads(_decode, cursor)
        for table, key in KEYS.items():
            cursor.execute(sql.SQL("table warehouse.{}").format(sql.Identifier(table)))
            tables[table] = {tuple(row[column] for column in key): row for row in cursor}
    return tables


def _compare(
    table: str, key: Key, stored: Fields | None, expected: Fields | None
) -> list[Difference]:
    where = f"{table}{list(map(str, key))}"
    if stored is None:
        return [Difference("missing", where, "not in the warehouse")]
    if expected is None:
        return [Difference("surplus", where, "the service does not return it")]
    columns = stored.keys() - _OURS - set(KEYS[table])
    if table == "activities" and not expected["details_fetched_at"]:
        columns &= _LISTED
    return [
        Difference("wrong", f"{where}.{column}", f"stored {stored[column]!r}, expected {value!r}")
        for column, value in ((column, expected.get(column)) for column in sorted(columns))
        if not _agrees(column, stored[column], value)
    ]


def _expected_rows(truth: Truth) -> Iterator[tuple[str, Key, Fields]]:
    """Yield table, key and columns of each row; a column that is missing there is null."""
    row, details = (_decode(bytes(raw)) for raw in (truth.row, truth.details))
    known = details or row
    entity, period = known.get("entity"), known.get("expires_in") or {}
    yield (
        "activities",
        (truth.id,),
        {
            **known,
            **{column: known.get(column) or None for column in _ZERO_IS_NULL},
            "entity_id": entity["id"].lower() if entity else None,
            "expires_in_time_unit": period.get("time_unit"),
            "expires_in_amount": period.get("amount"),
            "details_fetched_at": details is not None,
            "gone_at": False,
        },
    )
    if entity:
        name, profile = entity["id"].lower(), entity.get("cifcode")
        yield "entities", (name,), {**entity, "cifcode": profile.lower() if profile else None}
        for position, link in enumerate(entity.get("social_media") or []):
            yield "entity_social_media", (name, position), link
    for disposition, array in _ARRAYS.items():
        for place, requirement in enumerate(known.get(array) or []):
            yield "requirements", (truth.id, disposition, place), {"code": requirement.get("code")}
            for position, item in enumerate(requirement.get("items") or []):
                yield "requirement_items", (truth.id, disposition, place, position), item
    for place, requirement in enumerate(known.get("accepted_requirements") or []):
        yield "requirements", (truth.id, "accepted", place), _with_value(requirement)
        for position, item in enumerate(requirement.get("items") or []):
            fields = {**_with_value(item), "requirement_code": requirement.get("code")}
            yield "accepted_items", (truth.id, place, position), fields
    for position, event in enumerate(known.get("timeline") or []):
        at = _date_time(event.get("date_time"), known.get("time_zone"))
        yield "timeline_events", (truth.id, position), {**event, "date_time": at}


def _with_value(source: Fields) -> Fields:
    return {**source, "value": (source.get("data") or {}).get("value")}


def _date_time(written: object, zone: str | None) -> datetime | None:
    if not isinstance(written, str) or _MILLISECONDS.fullmatch(written):
        return instant(written)
    at = datetime.fromisoformat(written)
    return at.replace(tzinfo=ZoneInfo(zone or "UTC")) if at.tzinfo is None else at


def _agrees(column: str, stored: object, value: object) -> bool:
    if column in _WHETHER:
        return (stored is not None) == value
    if isinstance(stored, datetime) and not isinstance(value, datetime):
        value = instant(value)
    return _comparable(stored) == _comparable(value)


def instant(value: object) -> datetime | None:
    """Convert epoch milliseconds: a number, a numeric text, or an object that holds one number."""
    if isinstance(value, dict):
        (value,) = (held for held in value.values() if isinstance(held, int | Decimal))
    if value is None:
        return None
    return _EPOCH + timedelta(microseconds=int(Decimal(str(value)) * 1000))


def _comparable(value: object) -> object:
    """Return U+FFFD for what PostgreSQL cannot hold, and tell True from 1, which Python does not."""
    match value:
        case bool():
            return (bool, value)
        case str():
            return _NOT_STORABLE.sub("\ufffd", value)
        case list():
            return [_comparable(element) for element in value]
        case dict():
            return {_comparable(name): _comparable(element) for name, element in value.items()}
    return value
