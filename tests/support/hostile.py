"""Responses in every form, right and wrong, derived from the models: a new field is covered by itself.

The models say which JSON a field may hold; what else stands here of the fields is only what a type
can't say: which texts are UUIDs and date-times, and which numbers are instants.
"""

from __future__ import annotations

import copy
import json
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import inspect

if TYPE_CHECKING:
    from collections.abc import Iterator

    import msgspec

    Path = tuple[str | int, ...]

#: Stands in texts that come back in no reason.
SECRET = "Xochitl-4711-secret"

_UUIDS = ("id", "cifcode")
_KINDS: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.DictType: "object",
    inspect.StructType: "object",
    inspect.ListType: "array",
    inspect.NoneType: "null",
}
#: One value of each kind of JSON, none of which is an instant, a UUID or a date-time.
OF_KIND: dict[str, Any] = {
    "string": SECRET,
    "number": 17.5,
    "boolean": True,
    "object": {"key": SECRET},
    "array": [],
    "null": None,
}
ABSENT = "absent"


class Place(NamedTuple):
    """A place in a document, and the kinds of JSON that the models allow there."""

    path: Path
    allowed: frozenset[str]

    @property
    def name(self) -> str:
        """The field's own name; of an element of an array the array's."""
        return next(str(step) for step in reversed(self.path) if isinstance(step, str))

    @property
    def is_element(self) -> bool:
        """Whether it is an element of an array."""
        return isinstance(self.path[-1], int)


def _options(described: inspect.Type) -> tuple[inspect.Type, ...]:
    return described.types if isinstance(described, inspect.UnionType) else (described,)


def is_instant(name: str) -> bool:
    """Whether a field of that name holds an instant."""
    return name.endswith("_at") or name in ("valid_until", "date_time")


def whole(model: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a document in which no field of the model is missing; UUIDs are new."""
    document: dict[str, Any] = _whole(inspect.type_info(model), "")
    return document


def _whole(described: inspect.Type, name: str) -> Any:
    first = _options(described)[0]
    if isinstance(first, inspect.StructType):
        return {field.encode_name: _whole(field.type, field.encode_name) for field in first.fields}
    if isinstance(first, inspect.ListType):
        return [_whole(first.item_type, name) for _ in range(2)]
    if name == "date_time":
        return "2026-01-02T03:04:05.678+02:00"
    if isinstance(first, inspect.StrType):
        return str(uuid.uuid4()) if name in _UUIDS else f"some {name}"
    if isinstance(first, inspect.BoolType):
        return False
    if isinstance(first, inspect.RawType):
        return {"shared": name}
    return 1_770_000_000_000 if is_instant(name) else 650


def places(model: type[msgspec.Struct]) -> list[Place]:
    """Return every place of the model's `whole` document, elements of arrays included."""
    return list(_places(inspect.type_info(model), ()))


def _places(described: inspect.Type, path: Path) -> Iterator[Place]:
    options = _options(described)
    if path and not any(isinstance(each, inspect.RawType) for each in options):
        yield Place(path, frozenset(_KINDS[type(each)] for each in options))
    for each in options:
        if isinstance(each, inspect.StructType):
            for field in each.fields:
                yield from _places(field.type, (*path, field.encode_name))
        elif isinstance(each, inspect.ListType):
            yield from _places(each.item_type, (*path, 1))


def changed(document: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Return a copy with another value at that place, or without it when that is `ABSENT`."""
    made = copy.deepcopy(document)
    holder: Any = made
    for step in path[:-1]:
        holder = holder[step]
    if value is ABSENT:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return made


def encoded(document: Any) -> bytes:
    """Return JSON in which every character that is not ASCII is escaped, halves of surrogates too."""
    return json.dumps(document).encode()
