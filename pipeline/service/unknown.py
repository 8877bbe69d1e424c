"""Finds the fields of a body that docs/service.md 2 does not name.

The known fields are those of the structs in `pipeline.service.models`. A body is first decoded into
copies of these structs that forbid unknown fields and leave values undecoded. Almost every body
passes, which is cheap. Only a body that fails is searched level by level.
"""

from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec

from pipeline.service.forms import record_of
from pipeline.service.models import NO_VALUE, ActivityDetails

#: Limits, because a hostile body may invent any number of fields: names of a body, characters of a name.
MOST_NAMES = 100
_LONGEST_NAME = 200

_Model = type[msgspec.Struct]
_objects = msgspec.json.Decoder(dict[str, msgspec.Raw] | list[dict[str, msgspec.Raw]])


def unknown_fields(body: bytes | msgspec.Raw, model: _Model = ActivityDetails) -> list[str]:
    """Return the unknown fields of a details body, or of a ``model``: a list row, a page's envelope.

    Dotted paths in the order found, each once, ``[]`` for any element of an array:
    ``entity.nickname``, ``accepted_requirements[].items[].note``. Free-form values are not looked
    into. At most `MOST_NAMES`. A body that is no JSON object has none; never raises.
    """
    found: dict[str, None] = {}
    try:
        msgspec.json.decode(body, type=_strict(model))
    except (ValueError, RecursionError):
        _look(msgspec.Raw(body), model, "", found)
    return list(found)


@lru_cache(maxsize=32)
def _known(model: _Model) -> dict[str, _Model | None]:
    """Return a struct's fields, with the struct that each holds, alone or in an array."""
    return {field.encode_name: record_of(field.type) for field in msgspec.structs.fields(model)}


@lru_cache(maxsize=32)
def _strict(model: _Model) -> _Model:
    fields: list[tuple[str, Any, Any]] = []
    for name, held in _known(model).items():
        if held is None:
            fields.append((name, msgspec.Raw, NO_VALUE))
        else:
            strict = _strict(held)
            fields.append((name, strict | list[strict] | None, None))  # type: ignore[valid-type]
    return msgspec.defstruct("Strict", fields, forbid_unknown_fields=True, gc=False)


def _look(raw: msgspec.Raw, model: _Model, path: str, found: dict[str, None]) -> None:
    """Add the unknown fields of an object, or of the objects of an array, to ``found``."""
    known = _known(model)
    with suppress(ValueError, RecursionError):  # anything else has none
        objects = _objects.decode(raw)
        if isinstance(objects, dict):
            objects = [objects]
        else:
            path += "[]"
        for name, value in [member for each in objects for member in each.items()]:
            place = f"{path}.{name[:_LONGEST_NAME]}" if path else name[:_LONGEST_NAME]
            if len(found) >= MOST_NAMES:
                return
            if name not in known:
                found[place] = None
            elif held := known[name]:
                _look(value, held, place, found)
