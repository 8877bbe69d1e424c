"""Which fields of a body the specification does not name.

The known fields are taken from the structs of `pipeline.service.models` themselves. An ordinary body
is decoded once into copies of them that forbid unknown fields and leave values undecoded; only a
body that does not pass is looked through level by level.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from pipeline.service.models import ActivityDetails

#: A hostile body may invent fields without end: so many names are enough, each cut to this length.
MOST_NAMES = 100
_LONGEST_NAME = 200

_objects = msgspec.json.Decoder(dict[str, msgspec.Raw])
_arrays = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass(frozen=True)
class _Shape:
    """A struct's fields by name: None for a plain value, else the shape of what it holds."""

    fields: dict[str, "_Shape | None"]
    many: bool = False


def unknown_fields(
    body: bytes | msgspec.Raw, model: type[msgspec.Struct] = ActivityDetails
) -> list[str]:
    """Return the unknown fields of a details body, or of a list row with ``model=ListItem``.

    Dotted paths in the order found, each once, ``[]`` for any element of an array:
    ``entity.nickname``, ``accepted_requirements[].items[].note``. Free-form values are not looked
    into. At most `MOST_NAMES`. A body that is no JSON object has none; never raises.
    """
    shape, strict = _known(model)
    try:
        strict.decode(body)
    except (ValueError, RecursionError):
        found: dict[str, None] = {}
        _look(msgspec.Raw(body), shape, "", found)
        return list(found)
    return []


@lru_cache(maxsize=8)
def _known(model: type[msgspec.Struct]) -> tuple[_Shape, msgspec.json.Decoder[Any]]:
    described = inspect.type_info(model)
    return _shape_of(described), msgspec.json.Decoder(_strict(described))


def _held(described: inspect.Type) -> tuple[inspect.StructType | None, bool]:
    """Return the struct that a field's type holds, if any, and whether in an array."""
    options = described.types if isinstance(described, inspect.UnionType) else (described,)
    for option in options:
        if isinstance(option, inspect.StructType):
            return option, False
        if isinstance(option, inspect.ListType) and isinstance(
            option.item_type, inspect.StructType
        ):
            return option.item_type, True
    return None, False


def _shape_of(described: inspect.Type, *, many: bool = False) -> _Shape:
    fields: dict[str, _Shape | None] = {}
    for field in described.fields if isinstance(described, inspect.StructType) else ():
        struct, several = _held(field.type)
        fields[field.encode_name] = _shape_of(struct, many=several) if struct else None
    return _Shape(fields, many)


def _strict(described: inspect.Type) -> type[msgspec.Struct]:
    fields: list[tuple[str, Any, Any]] = []
    for field in described.fields if isinstance(described, inspect.StructType) else ():
        struct, several = _held(field.type)
        kind: Any = msgspec.Raw
        if struct:
            kind = list[_strict(struct)] | None if several else _strict(struct) | None  # type: ignore[misc]
        fields.append((field.encode_name, kind, None if struct else msgspec.Raw(b"null")))
    return msgspec.defstruct("Strict", fields, forbid_unknown_fields=True, gc=False)


def _look(raw: msgspec.Raw, shape: _Shape, prefix: str, found: dict[str, None]) -> None:
    try:
        fields = _objects.decode(raw)
    except (ValueError, RecursionError):
        return
    for name, value in fields.items():
        if len(found) >= MOST_NAMES:
            return
        if name not in shape.fields:
            found[prefix + name[:_LONGEST_NAME]] = None
            continue
        inner = shape.fields[name]
        if inner is None:
            continue
        if not inner.many:
            _look(value, inner, f"{prefix}{name}.", found)
            continue
        for element in _elements(value):
            _look(element, inner, f"{prefix}{name}[].", found)


def _elements(raw: msgspec.Raw) -> list[msgspec.Raw]:
    try:
        return _arrays.decode(raw)
    except (ValueError, RecursionError):
        return []
