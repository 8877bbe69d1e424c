"""Reads members of another JSON type than docs/service.md 2 says, where their meaning is plain (2.7).

What has no plain meaning becomes null, except for what an activity can't be stored without.
"""

from contextlib import suppress
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args, get_origin

import msgspec

from pipeline.ids import plain_uuid
from pipeline.service.instants import EPOCH, instant_from_carrier, instant_from_iso, milliseconds

_UUID = "^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$"

#: An id that the tables hold as such.
Uuid = Annotated[str, msgspec.Meta(pattern=_UUID)]

READ, LOST = "form", "lost form"
"""Kinds of `Deviation`: the member was read all the same; it was taken for null."""

Deviation: TypeAlias = tuple[str, str]
"""A member in another form: the kind, and its place with the form, as ``entity.score: text``."""

Model: TypeAlias = type[msgspec.Struct]

#: Without these an activity can't be stored.
_NEEDED = frozenset({"id", "status", "created_at"})
_NAMES = {"{": "object", "[": "list", '"': "text", "t": "boolean", "f": "boolean", "n": "null"}
_NULL = msgspec.Raw(b"null")
#: Of some thousand years: all of them are instants.
_MILLISECONDS = range(10**14)

#: Kinds of members by their types; the first one counts.
_KINDS = {Uuid: "id", dict[str, Any]: "instant", str: "text", int: "number", bool: "boolean"}
_INSTANTS = ("instant", "iso")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}

_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_elements = msgspec.json.Decoder(list[msgspec.Raw]).decode


def fits(record: msgspec.Struct, zone: str | None = None) -> bool:
    """Return whether the instants of a decoded record can be read: types do not tell."""
    zone = zone or getattr(record, "time_zone", None)
    for member in _instants(type(record)):
        value = getattr(record, member.name)
        if value is None or (type(value) is int and value in _MILLISECONDS):  # nearly always
            continue
        if member.model is None:
            if not _is_instant(member.kind, value, zone):
                return False
        elif not all(fits(each, zone) for each in (value if member.kind == "list" else [value])):
            return False
    return True


def plain_forms(body: bytes | msgspec.Raw, model: Model) -> tuple[bytes, list[Deviation]]:
    """Return a JSON object in the forms of ``model``, and which of its members came in others.

    Raises ``ValueError`` if it is no JSON object.
    """
    reading = _Reading()
    with suppress(msgspec.ValidationError):
        reading.zone = msgspec.json.decode(_members(body).get("time_zone", _NULL), type=str)
    return bytes(reading.record(msgspec.Raw(body), model, "")), list(reading.deviations)


class _Reading:
    """Reads one body. ``zone``: of texts without an offset; ``deviations``: members in another form."""

    def __init__(self) -> None:
        self.zone: str | None = None
        self.deviations: dict[Deviation, None] = {}

    def record(self, raw: msgspec.Raw, model: Model, path: str) -> msgspec.Raw:
        members = _members(raw)
        for member in _plan(model):
            place, value = f"{path}{member.name}", members.get(member.name, _NULL)
            if _form(value) == "null":
                continue
            read = {"list": self._list, "object": self._one}.get(member.kind, self._scalar)
            try:
                members[member.name] = read(value, member, place)
            except ValueError:
                if place not in _NEEDED:
                    members[member.name] = self._instead(_NULL, value, place, LOST)
        return msgspec.Raw(msgspec.json.encode(members))

    def _scalar(self, raw: msgspec.Raw, member: "_Member", place: str) -> msgspec.Raw:
        value = msgspec.json.decode(raw)
        if _is_usual(member, value, self.zone):
            return raw
        empty = _is_empty(value) and place not in _NEEDED
        read = None if empty else _plain(member.kind, value, self.zone)
        return self._instead(msgspec.Raw(msgspec.json.encode(read)), raw, place)

    def _one(self, raw: msgspec.Raw, member: "_Member", place: str) -> msgspec.Raw:
        if _is_empty(msgspec.json.decode(raw)):
            return raw if raw == _NULL else self._instead(_NULL, raw, place)
        read = self.record(raw, member.model, f"{place}.")
        # Fails if it lacks what it can't be stored without.
        msgspec.json.decode(read, type=member.model)
        return read

    def _list(self, raw: msgspec.Raw, member: "_Member", place: str) -> msgspec.Raw:
        form = _form(raw)
        if form not in ("list", "object"):
            return self._one(raw, member, place)
        if form == "object":  # some leave out the list around a single one
            self._instead(_NULL, raw, place)
            return self._list(msgspec.Raw(b"[%b]" % bytes(raw)), member, place)
        kept = []
        for part in _elements(raw):
            if _form(part) == "object":
                kept.append(self.record(part, member.model, f"{place}[]."))
            else:
                empty = _is_empty(msgspec.json.decode(part))
                self._instead(_NULL, part, f"{place}[]", READ if empty else LOST)
        return msgspec.Raw(msgspec.json.encode(kept))

    def _instead(
        self, read: msgspec.Raw, raw: msgspec.Raw, place: str, kind: str = READ
    ) -> msgspec.Raw:
        """Return what is read in place of a member, and note that."""
        self.deviations[kind, f"{place}: {_form(raw)}"] = None
        return read


def _form(raw: msgspec.Raw) -> str:
    return _NAMES.get(chr((bytes(raw).lstrip() or b"0")[0]), "number")


def _is_empty(value: object) -> bool:
    """Return whether a value says that there is none: no letter, or no member but null."""
    if isinstance(value, dict):
        return all(each is None for each in value.values())
    return value in (None, []) or (isinstance(value, str) and not value.strip())


def _is_usual(member: "_Member", value: object, zone: str | None) -> bool:
    """Return whether a value has the form that docs/service.md says."""
    try:
        msgspec.convert(value, member.type)
    except msgspec.ValidationError:
        return False
    return member.kind not in _INSTANTS or _is_instant(member.kind, value, zone)


def _is_instant(kind: str, value: object, zone: str | None) -> bool:
    try:
        if kind == "iso":
            instant_from_iso(value, zone)
        else:
            instant_from_carrier(value)
    except ValueError:
        return False
    return True


def _plain(kind: str, value: Any, zone: str | None) -> str | float | bool:
    """Return what a value in another form means. Raises ``ValueError`` if that is not plain."""
    if kind == "id" and isinstance(value, str) and (name := plain_uuid(value)):
        return name
    if kind == "text" and type(value) in (int, float):
        return str(value)
    if kind == "number":
        number = milliseconds(value)
        return int(number) if number.denominator == 1 else float(number)
    if kind == "boolean" and (word := str(value).strip().lower()) in _BOOLEANS:
        return _BOOLEANS[word]
    if kind in _INSTANTS and (instant := instant_from_iso(value, zone)):
        return (instant - EPOCH).total_seconds() * 1000
    raise ValueError


class _Member(NamedTuple):
    """A member of a model: its name, kind and type, and the record that it holds, if it does."""

    name: str
    kind: str
    type: Any
    model: Any


@cache
def _plan(model: Model) -> list[_Member]:
    """Return the members of a model; free-form ones are left out."""
    plan = []
    for field in msgspec.structs.fields(model):
        types = (field.type, *get_args(field.type))
        kinds = [kind for known, kind in _KINDS.items() if known in types]
        if held := record_of(field.type):
            kinds = ["list" if any(get_origin(each) is list for each in types) else "object"]
        elif field.name == "date_time":
            kinds = ["iso"]
        plan += [_Member(field.encode_name, kind, field.type, held) for kind in kinds[:1]]
    return plan


@cache
def _instants(model: Model) -> list[_Member]:
    """Return the members of a model that are instants, or hold any."""
    return [
        member
        for member in _plan(model)
        if member.kind in _INSTANTS or (member.model and _instants(member.model))
    ]


def record_of(annotation: Any) -> Model | None:
    """Return the record that a member holds, alone or in a list."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return annotation
    return next(iter(filter(None, map(record_of, get_args(annotation)))), None)
