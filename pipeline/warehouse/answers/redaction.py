"""Redacts responses: personal values become null, everything else says what it said. Pure.

Implements docs/design.md "Erase"; the fields: docs/service.md 2.5, docs/service.md 2.6. Numbers keep
their digits. A value in an unexpected place counts as personal, too: of what a member shared only codes
and types are kept, of a counterpart only the fields that are not personal, of the texts around them only
the fields we know.

What is erased is named by kinds of ``sql/sensitivity.yaml``: ``value``, ``message`` and ``personal``.
"""

import json
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeAlias, TypeVar

import msgspec

from pipeline.ids import plain_uuid
from pipeline.warehouse.schema.sensitivity import SENSITIVE, columns_of, listed
from pipeline.warehouse.state.rows import (
    CHILDREN,
    DETAILS_COLUMNS,
    ENTITY_COLUMNS,
    EntityObservation,
    Observation,
    Row,
)

Kinds: TypeAlias = frozenset[str]

VALUES: Kinds = frozenset({"value"})
#: Columns of ``warehouse.entities`` that a response carries and an erasure empties: what says who somebody
#: is, and what is kept of it over time.
PROFILE = tuple(
    name
    for name in ENTITY_COLUMNS
    if listed()["warehouse.entities"][name] in ("personal", "profile")
)

#: What may stay of a value: anything; or what is neither object nor array.
_ANY, _PLAIN = object(), object()
_ACCEPTED = dict.fromkeys(columns_of("warehouse.requirements", "none"), _PLAIN) | {"data": {}}
_EVENT = dict.fromkeys(columns_of("warehouse.timeline_events", "none"), _ANY)
_NO_TEXTS = {"id", "entity", "expires_in", "timeline", *DETAILS_COLUMNS}.union(
    f"{prefix}requirements" for prefix in ("", "accepted_", "declined_")
).difference(columns_of("warehouse.activities", "message"))
#: What stays of a response without each kind, by field; ``*``: of all other fields.
_STAYS: dict[str, dict[str, Any]] = {
    "value": {"*": _ANY, "accepted_requirements": [_ACCEPTED | {"items": [_ACCEPTED]}]},
    "personal": {
        "*": _ANY,
        "entity": {name: _PLAIN for name in ENTITY_COLUMNS if name not in PROFILE},
    },
    "message": dict.fromkeys(_NO_TEXTS, _ANY) | {"timeline": [_EVENT]},
}

Observed = TypeVar("Observed", bound=Observation)


class Unreadable(ValueError):
    """A text is not one whole JSON object, so nobody can tell which parts are personal."""


def without(kinds: Kinds, body: bytes) -> bytes:
    """Return a response, details or list row, without what is of these kinds. Raises `Unreadable`."""
    fields = kept = _read(body)
    try:
        for kind in kinds:
            kept = _only(kept, _STAYS[kind])
        return body if kept == fields else msgspec.json.encode(kept)
    except (UnicodeError, RecursionError):
        raise Unreadable("nested too deeply, or a text of half a character") from None


def read_entity_id(body: bytes) -> str | None:
    """Return the id of a response's counterpart, as PostgreSQL prints it. None: it has no readable one."""
    with suppress(Unreadable):
        entity = _read(body).get("entity")
        if isinstance(entity, dict) and "id" in entity:
            return plain_uuid(str(entity["id"]))
    return None


_EXPIRES_AT = re.compile(rb'"expires_at"\s*:\s*"?([1-9]\d{0,14})\b')
_ENDED = re.compile(rb'"status"\s*:\s*"EXPIRED"|"unregistered"\s*:\s*true')


def says_it_is_over(body: bytes, now: datetime) -> bool:
    """Return whether a response, which may be cut or malformed, says that sharing has ended."""
    if _ENDED.search(body):
        return True
    moments = (int(found[1]) for found in _EXPIRES_AT.finditer(body))
    return any(moment <= now.timestamp() * 1000 for moment in moments)


def kept_payload(payload: bytes, entities: Collection[str], kinds: Kinds) -> bytes | None:
    """Return what may stay of a quarantined response; None if nobody can tell what is personal.

    ``entities``: erased counterparts. ``kinds``: what goes, whoever the counterpart is.
    """
    # A text that cannot be stored may say anything: it goes whole where more than values must go.
    if not kinds <= VALUES:
        return None
    try:
        if read_entity_id(payload) in entities:
            return without(SENSITIVE, payload)
        payload = without(kinds, payload) if kinds else payload
    except Unreadable:
        return None
    mentioned = payload.lower().replace(b"-", b"")
    digits = [name.replace("-", "").encode() for name in entities]
    return None if any(each in mentioned for each in digits) else payload


def redact(observed: Observed, kinds: Kinds) -> Observed:
    """Return details or a list row without these kinds. Digests stay those of the original response."""
    children = {
        table: [_emptied(table, CHILDREN[table], row, kinds) for row in rows]
        for table, rows in observed.children.items()
    }
    entity, columns = observed.entity, observed.columns
    values = _emptied("activities", columns, observed.values, kinds)
    return replace(
        observed,
        body=readable_or_nothing(kinds, observed.body),
        said=observed.said | dict(zip(columns, values, strict=True)),
        children=children,
        entity=redact_entity(entity) if entity and "personal" in kinds else entity,
    )


def readable_or_nothing(kinds: Kinds, body: bytes) -> bytes:
    """Return a response without these kinds; an empty object if it is not readable."""
    try:
        return without(kinds, body)
    except Unreadable:
        return b"{}"


def redact_entity(entity: EntityObservation) -> EntityObservation:
    """Return a counterpart without its personal fields. The digest stays that of the original form."""
    values: Row = tuple(
        None if column in PROFILE else value
        for column, value in zip(ENTITY_COLUMNS, entity.values, strict=True)
    )
    return replace(entity, values=values, social_media=[])


def _emptied(table: str, columns: Sequence[str], row: Row, kinds: Kinds) -> Row:
    of = listed()[f"warehouse.{table}"]
    cells = zip(columns, row, strict=True)
    return tuple(None if of[name] in kinds else cell for name, cell in cells)


def _read(body: bytes) -> dict[str, Any]:
    """Return the fields of a JSON object, with numbers as they are spelled. Raises `Unreadable`."""
    try:
        fields = json.loads(
            body, object_pairs_hook=_named_once, parse_int=_spelled, parse_float=_spelled
        )
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise Unreadable("not one whole JSON object")
    return fields


def _named_once(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(named := dict(fields)) < len(fields):
        raise ValueError("a field comes twice, so one of them would stay unseen")
    return named


def _spelled(number: str) -> msgspec.Raw:
    return msgspec.Raw(number.encode())


def _only(value: Any, stays: Any) -> Any:
    """Return a value with null for each of its parts, or itself, that may not stay."""
    if isinstance(value, dict) and isinstance(stays, dict):
        other = stays.get("*")
        return {name: _only(part, stays.get(name, other)) for name, part in value.items()}
    if isinstance(value, list) and isinstance(stays, list):
        return [_only(part, stays[0]) for part in value]
    plain = not isinstance(value, dict | list)
    return value if stays is _ANY or (stays is _PLAIN and plain) else None
