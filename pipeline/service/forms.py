"""Reads members of another JSON type than docs/service.md 2 says, where their meaning is plain (2.7).

What has no plain meaning becomes null, except for what an activity can't be stored without.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Annotated, Any, TypeAlias, get_args

import msgspec

from pipeline.service.instants import EPOCH, instant_from_carrier, instant_from_iso, milliseconds

_UUID = "^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$"

#: An id that the tables hold as such.
Uuid = Annotated[str, msgspec.Meta(pattern=_UUID)]

READ, LOST = "form", "lost form"
"""Kinds of `Odd`: the member was read all the same; it was taken for null."""

Odd: TypeAlias = tuple[str, str]
"""A member in another form: the kind, and its place with the form, as ``entity.score: text``."""

Model: TypeAlias = type[msgspec.Struct]

#: Without these an activity can't be stored.
_NEEDED = frozenset({"id", "status", "created_at"})
_NAMES = {"{": "object", "[": "list", '"': "text", "t": "boolean", "f": "boolean", "n": "null"}
_NULL = msgspec.Raw(b"null")

_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_elements = msgspec.json.Decoder(list[msgspec.Raw]).decode


def fits(record: msgspec.Struct, zone: str | None = None) -> bool:
    """Return whether the instants of a decoded record can be read: types do not tell."""
    zone = zone or getattr(record, "time_zone", None)
    for name, kind, model in _plan(type(record)):
        value = getattr(record, name)
        if value is None or not (kind in ("instant", "iso") or name in ("entity", "timeline")):
            continue
        if model is None:
            if not _is_usual(kind, value, zone):
                return False
        elif not all(fits(each, zone) for each in (value if kind == "list" else [value])):
            return False
    return True


def plain_forms(body: bytes | msgspec.Raw, model: Model) -> tuple[bytes, list[Odd]]:
    """Return a JSON object in the forms of ``model``, and which of its members came in others.

    Raises ``ValueError`` if it is no JSON object.
    """
    reading = _Reading()
    with suppress(msgspec.ValidationError):
        reading.zone = msgspec.json.decode(_members(body).get("time_zone", _NULL), type=str)
    return bytes(reading.record(msgspec.Raw(body), model, "")), list(reading.odd)


class _Reading:
    """Reads one body. ``zone``: of its texts without an offset; ``odd``: what came in another form."""

    def __init__(self) -> None:
        self.zone: str | None = None
        self.odd: dict[Odd, None] = {}

    def record(self, raw: msgspec.Raw, model: Model, path: str) -> msgspec.Raw:
        members = _members(raw)
        for name, kind, held in _plan(model):
            place, value = f"{path}{name}", members.get(name, _NULL)
            if _form(value) == "null" or (place in _NEEDED and kind != "instant"):
                continue
            try:
                members[name] = (
                    self._scalar(value, kind, place)
                    if held is None
                    else (self._list if kind == "list" else self._one)(value, held, place)
                )
            except ValueError:
                if place not in _NEEDED:
                    members[name] = self._instead(_NULL, value, place, LOST)
        return msgspec.Raw(msgspec.json.encode(members))

    def _scalar(self, raw: msgspec.Raw, kind: str, place: str) -> msgspec.Raw:
        value = msgspec.json.decode(raw)
        if _is_usual(kind, value, self.zone):
            return raw
        empty = _is_empty(value) and place not in _NEEDED
        read = None if empty else _PLAIN[kind](value, self.zone)
        return self._instead(msgspec.Raw(msgspec.json.encode(read)), raw, place)

    def _one(self, raw: msgspec.Raw, model: Model, place: str) -> msgspec.Raw:
        if _is_empty(msgspec.json.decode(raw)):
            return raw if raw == _NULL else self._instead(_NULL, raw, place)
        read = self.record(raw, model, f"{place}.")
        msgspec.json.decode(read, type=model)  # else it lacks what it can't be stored without
        return read

    def _list(self, raw: msgspec.Raw, model: Model, place: str) -> msgspec.Raw:
        form = _form(raw)
        if form not in ("list", "object"):
            return self._one(raw, model, place)
        if form == "object":  # some leave out the list around a single one
            self._instead(_NULL, raw, place)
            return self._list(msgspec.Raw(b"[%b]" % bytes(raw)), model, place)
        kept = []
        for part in _elements(raw):
            if _form(part) == "object":
                kept.append(self.record(part, model, f"{place}[]."))
            else:
                empty = _is_empty(msgspec.json.decode(part))
                self._instead(_NULL, part, f"{place}[]", READ if empty else LOST)
        return msgspec.Raw(msgspec.json.encode(kept))

    def _instead(
        self, read: msgspec.Raw, raw: msgspec.Raw, place: str, kind: str = READ
    ) -> msgspec.Raw:
        """Return what is read in place of a member, and note that."""
        self.odd[kind, f"{place}: {_form(raw)}"] = None
        return read


def _form(raw: msgspec.Raw) -> str:
    return _NAMES.get(chr((bytes(raw).lstrip() or b"0")[0]), "number")


def _is_empty(value: object) -> bool:
    """Return whether a value says that there is none: no letter, or no member but null."""
    if isinstance(value, dict):
        return all(each is None for each in value.values())
    return value in (None, []) or (isinstance(value, str) and not value.strip())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_usual(kind: str, value: object, zone: str | None) -> bool:
    """Return whether a value has the form that docs/service.md says."""
    try:
        if kind == "instant":
            instant_from_carrier(value)
        elif kind == "iso":
            instant_from_iso(value, zone)
    except ValueError:
        return False
    return {
        "text": isinstance(value, str),
        "id": isinstance(value, str) and re.match(_UUID, value) is not None,
        "number": _is_number(value),
        "boolean": isinstance(value, bool),
    }.get(kind, True)


def _plain_text(value: Any, _: str | None) -> str:
    if not _is_number(value):
        raise ValueError
    return str(value)


def _no_id(_: Any, __: str | None) -> str:
    raise ValueError


def _plain_number(value: Any, _: str | None) -> int | float:
    number = milliseconds(value)
    return int(number) if number.denominator == 1 else float(number)


def _plain_boolean(value: Any, _: str | None) -> bool:
    word = str(value).strip().lower()
    if isinstance(value, float | list | dict) or word not in ("true", "false", "0", "1"):
        raise ValueError
    return word in ("true", "1")


def _plain_instant(value: Any, zone: str | None) -> float:
    instant = instant_from_iso(value, zone)
    if instant is None:
        raise ValueError
    return (instant - EPOCH).total_seconds() * 1000


_PLAIN: dict[str, Callable[[Any, str | None], object]] = {
    "text": _plain_text,
    "id": _no_id,
    "number": _plain_number,
    "boolean": _plain_boolean,
    "instant": _plain_instant,
    "iso": _plain_instant,
}


@cache
def _plan(model: Model) -> list[tuple[str, str, Model | None]]:
    """Return name, kind and record of each member of a model; free-form ones are left out."""
    plan: list[tuple[str, str, Model | None]] = []
    for field in msgspec.structs.fields(model):
        kinds = get_args(field.type) or (field.type,)
        held = next(iter(filter(None, map(_record_of, kinds))), None)
        name, many = field.encode_name, any(get_args(each)[:1] == (held,) for each in kinds)
        if held is not None:
            plan.append((name, "list" if many else "object", held))
        elif name == "date_time":
            plan.append((name, "iso", None))
        elif Uuid in kinds:
            plan.append((name, "id", None))
        elif str in kinds:
            plan.append((name, "instant" if int in kinds else "text", None))
        elif int in kinds:
            plan.append((name, "number", None))
        elif bool in kinds:
            plan.append((name, "boolean", None))
    return plan


def _record_of(annotation: Any) -> Model | None:
    """Return the record that a member holds, alone or in a list."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return annotation
    return next(iter(filter(None, map(_record_of, get_args(annotation)))), None)
