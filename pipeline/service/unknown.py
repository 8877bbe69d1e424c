"""Finds the fields of a body that docs/service.md 2 does not name.

The known fields are those of the structs in `pipeline.service.models`. An ordinary body is decoded once
into copies of these structs that forbid unknown fields and leave values undecoded; only a body that
does not pass is looked through level by level.
"""

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from pipeline.service.models import ActivityDetails

#: A hostile body may invent fields without end: so many names are enough, each cut to this length.
MOST_NAMES = 100
_LONGEST_NAME = 200

_Model = type[msgspec.Struct]
_objects = msgspec.json.Decoder(dict[str, msgspec.Raw])
_arrays = msgspec.json.Decoder(list[msgspec.Raw])


def unknown_fields(body: bytes | msgspec.Raw, model: _Model = ActivityDetails) -> list[str]:
    """Return the unknown fields of a details body, or of a list row with ``model=ListItem``.

    Dotted paths in the order found, each once, ``[]`` for any element of an array:
    ``entity.nickname``, ``accepted_requirements[].items[].note``. Free-form values are not looked
    into. At most `MOST_NAMES`. A body that is no JSON object has none; never raises.
    """
    try:
        _strict_decoder(model).decode(body)
    except (ValueError, RecursionError):
        found: dict[str, None] = {}
        _look(msgspec.Raw(body), model, "", found)
        return list(found)
    return []


@lru_cache(maxsize=32)
def _known(model: _Model) -> dict[str, tuple[_Model | None, bool]]:
    """Return a struct's fields: the struct that each holds, if any, and whether in an array."""
    described = inspect.type_info(model)
    fields = described.fields if isinstance(described, inspect.StructType) else ()
    return {field.encode_name: _held(field.type) for field in fields}


def _held(described: inspect.Type) -> tuple[_Model | None, bool]:
    for option in described.types if isinstance(described, inspect.UnionType) else (described,):
        many = isinstance(option, inspect.ListType)
        single = option.item_type if isinstance(option, inspect.ListType) else option
        if isinstance(single, inspect.StructType):
            return single.cls, many
    return None, False


@lru_cache(maxsize=8)
def _strict_decoder(model: _Model) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(_strict(model))


def _strict(model: _Model) -> _Model:
    fields: list[tuple[str, Any, Any]] = []
    for name, (held, many) in _known(model).items():
        kind: Any = msgspec.Raw
        if held:
            kind = list[_strict(held)] | None if many else _strict(held) | None  # type: ignore[misc]
        fields.append((name, kind, None if held else msgspec.Raw(b"null")))
    return msgspec.defstruct("Strict", fields, forbid_unknown_fields=True, gc=False)


def _look(raw: msgspec.Raw, model: _Model, prefix: str, found: dict[str, None]) -> None:
    known = _known(model)
    for name, value in _read(_objects, raw, {}).items():
        if len(found) >= MOST_NAMES:
            return
        if name not in known:
            found[prefix + name[:_LONGEST_NAME]] = None
            continue
        held, many = known[name]
        if held is None:
            continue
        if not many:
            _look(value, held, f"{prefix}{name}.", found)
            continue
        for element in _read(_arrays, value, []):
            _look(element, held, f"{prefix}{name}[].", found)


def _read(decoder: msgspec.json.Decoder[Any], raw: msgspec.Raw, otherwise: Any) -> Any:
    try:
        return decoder.decode(raw)
    except (ValueError, RecursionError):
        return otherwise
