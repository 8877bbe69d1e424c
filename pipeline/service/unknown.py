"""Finds the fields of a body that docs/service.md 2 does not name.

The known fields are those of the structs in `pipeline.service.models`. A body is first decoded into
copies of these structs that forbid unknown fields and leave values undecoded. Almost every body
passes, which is cheap. Only a body that fails is searched level by level.
"""

from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from pipeline.service.models import NO_VALUE, ActivityDetails

#: Limits, because a hostile body may invent any number of fields: names of a body, characters of a name.
MOST_NAMES = 100
_LONGEST_NAME = 200

_Model = type[msgspec.Struct]
_objects = msgspec.json.Decoder(dict[str, msgspec.Raw])
_arrays = msgspec.json.Decoder(list[msgspec.Raw])


def unknown_fields(body: bytes | msgspec.Raw, model: _Model = ActivityDetails) -> list[str]:
    """Return the unknown fields of a details body, or of a ``model``: a list row, a page's envelope.

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
        fields.append((name, kind, None if held else NO_VALUE))
    return msgspec.defstruct("Strict", fields, forbid_unknown_fields=True, gc=False)


def _look(raw: msgspec.Raw, model: _Model, prefix: str, found: dict[str, None]) -> None:
    """Add the unknown fields of an object to ``found``. Anything but an object has none."""
    known = _known(model)
    with suppress(ValueError, RecursionError):
        for name, value in _objects.decode(raw).items():
            if len(found) >= MOST_NAMES:
                return
            if name not in known:
                found[prefix + name[:_LONGEST_NAME]] = None
                continue
            held, many = known[name]
            if held:
                path = f"{prefix}{name}[]." if many else f"{prefix}{name}."
                with suppress(
                    ValueError, RecursionError
                ):  # not an array: the next fields still count
                    for element in _arrays.decode(value) if many else [value]:
                        _look(element, held, path, found)
