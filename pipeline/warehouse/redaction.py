"""Redacts responses: personal values become null, everything else stays as received. Pure.

Implements docs/design.md "Erase"; the fields: docs/service.md 2.5, docs/service.md 2.6. Bytes are
scanned, not decoded, so numbers keep their digits, and nesting may be of any depth. A value in an
unexpected place counts as personal, too: of what a member shared only codes and types are kept, of a
counterpart only the fields that are not personal, of the texts around them only the fields we know.

What is erased is named by kinds of ``sql/sensitivity.yaml``: ``value``, ``message`` and ``personal``.
"""

import json
import re
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias, TypeVar

from pipeline.warehouse.rows import (
    CHILDREN,
    DETAILS_COLUMNS,
    ENTITY_COLUMNS,
    EntityObservation,
    Observation,
    Row,
)
from pipeline.warehouse.sensitivity import SENSITIVE, columns_of, listed

Kinds: TypeAlias = frozenset[str]

VALUES: Kinds = frozenset({"value"})
#: Columns of ``warehouse.entities`` that a response carries and an erasure empties: what says who somebody
#: is, and what is kept of it over time.
PROFILE = tuple(
    name
    for name in ENTITY_COLUMNS
    if name in columns_of("warehouse.entities", "personal")
    or listed()["warehouse.entity_scores"].get(name) == "none"
)

#: Fields of a counterpart, of what was accepted, of an event and of the details that may stay.
_ENTITY_KEPT = frozenset(ENTITY_COLUMNS) - frozenset(PROFILE)
_ACCEPTED_KEPT = frozenset(columns_of("warehouse.requirements", "none"))
_EVENT_KEPT = frozenset(columns_of("warehouse.timeline_events", "none"))
_DETAILS_KEPT = (frozenset(DETAILS_COLUMNS) | {"id", "entity", "expires_in", "timeline"}).union(
    f"{prefix}requirements" for prefix in ("", "accepted_", "declined_")
) - frozenset(columns_of("warehouse.activities", "message"))

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_BOM = b"\xef\xbb\xbf"

#: In a path: an element of an array; a member of an object before its name has come.
_ELEMENT, _UNNAMED = 0, 1
_Path = list[str | int]
_Wanted = Callable[[_Path, bool], bool]
Observed = TypeVar("Observed", bound=Observation)


class Unreadable(ValueError):
    """A text is not one whole JSON object, so nobody can tell which parts are personal."""


def without(kinds: Kinds, body: bytes) -> bytes:
    """Return a response, details or list row, without what is of these kinds. Raises `Unreadable`."""
    wanted = [_WANTED[kind] for kind in sorted(kinds)]
    pieces: list[bytes] = []
    copied = 0
    for start, end in _find(body, lambda path, scalar: any(each(path, scalar) for each in wanted)):
        pieces += (body[copied:start], b"null")
        copied = end
    return b"".join((*pieces, body[copied:])) if pieces else body


def read_entity_id(body: bytes) -> str | None:
    """Return the id of a response's counterpart in lower case. None: it has none, or is not readable."""
    with suppress(Unreadable):
        for place in _find(body, lambda path, _scalar: path == ["entity", "id"])[-1:]:
            return _text(body[slice(*place)]).lower()
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
    mentioned = payload.lower()
    return None if any(name.encode() in mentioned for name in entities) else payload


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


def _is_shared(path: _Path, scalar: bool) -> bool:
    if path[0] != "accepted_requirements":
        return False
    if len(path) > 1 and path[-2] == "data":
        return True
    if not scalar:
        return False
    where, name = path[1:-1], path[-1]
    return where not in ([_ELEMENT], [_ELEMENT, "items", _ELEMENT]) or name not in _ACCEPTED_KEPT


def _is_profile(path: _Path, scalar: bool) -> bool:
    if path[0] != "entity":
        return False
    return path[1] not in _ENTITY_KEPT if len(path) == 2 else scalar


def _is_text(path: _Path, scalar: bool) -> bool:
    if path[0] == "timeline":
        return scalar if len(path) < 3 else path[2] not in _EVENT_KEPT
    return path[0] not in _DETAILS_KEPT


_WANTED: dict[str, _Wanted] = {"value": _is_shared, "message": _is_text, "personal": _is_profile}


def _find(body: bytes, wanted: _Wanted) -> list[tuple[int, int]]:
    """Return start and end of the wanted values, outermost ones only, in order.

    ``wanted`` takes the path to a value, and whether the value is neither object nor array. Raises
    `Unreadable`.
    """
    found: list[tuple[int, int]] = []
    path: _Path = []
    opened: list[int] = []
    ended = 0

    def value(start: int, *, scalar: bool) -> None:
        if path and wanted(path, scalar):
            # An object ends after its members: those that were wanted, too, lie inside it.
            while found and found[-1][0] >= start:
                found.pop()
            found.append((start, ended))

    for token in _TOKEN.finditer(body, len(_BOM) if body.startswith(_BOM) else 0):
        text, start = token[0], token.start()
        if body[ended:start].strip(b" \t\r\n" + _BOM) or (ended and not opened):
            raise Unreadable("not one whole JSON object")
        ended = token.end()
        if text in b"{[":
            opened.append(start)
            path.append(_UNNAMED if text == b"{" else _ELEMENT)
        elif not opened:
            break
        elif text in b"}]":
            path.pop()
            value(opened.pop(), scalar=False)
        elif text == b",":
            if path[-1] != _ELEMENT:
                path[-1] = _UNNAMED
        elif path[-1] == _UNNAMED:
            path[-1] = _text(text)
        elif text != b":":
            value(start, scalar=True)
    if opened or body[ended:].strip() or not body.lstrip(_BOM + b" \t\r\n").startswith(b"{"):
        raise Unreadable("not one whole JSON object")
    return found


def _text(token: bytes) -> str:
    """Return the text that a JSON string means."""
    text = token.decode("utf-8", "replace")
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text
