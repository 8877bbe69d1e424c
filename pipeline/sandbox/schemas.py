"""The schemas of the answers (specification §2), fitting the behaviour in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .catalogue import BUSINESS, IN, INDIVIDUAL, OUT, TYPE_NAMES, UNIT_MS

if TYPE_CHECKING:
    from .behaviour import Behaviour, InstantForm

Json = dict[str, Any]
_TEXT: Final[Json] = {"type": "string"}
_NUMBER: Final[Json] = {"type": "number"}
_OBJECT: Final[Json] = {"type": "object"}
# What has not happened yet; see Behaviour.unset_fields.
_UNSET: Final = ("notification_message", "attended_at", "completed_at", "expires_at")


def schemas(behaviour: Behaviour) -> Json:
    """Return every schema by name; `#/components/schemas/` is where they refer to each other."""
    return {
        "SessionToken": _closed(token=_TEXT, expires_at=_NUMBER),
        "ActivityList": _closed(
            has_next={"type": "boolean"},
            data={"type": "array", "items": _ref("ActivityRow")},
        ),
        "ActivityRow": _row(behaviour),
        "Entity": _entity(behaviour),
        "Requirement": _object(behaviour, code=_TEXT, items=_array(_object(behaviour, code=_TEXT))),
        "AcceptedRequirement": _accepted(behaviour),
        "ActivityDetails": _details(behaviour),
        "Error": _closed(status=_NUMBER, error=_TEXT, message=_TEXT, timestamp=_NUMBER),
    }


def _row(behaviour: Behaviour) -> Json:
    return _object(
        behaviour,
        id=_TEXT,
        type=_TEXT,
        in_out_bound={"type": "string", "enum": [IN, OUT]},
        entity=_entity_or_null(behaviour),
        status=_TEXT,
        time_zone=_TEXT,
        created_at=_instant(behaviour, behaviour.list_instants),
    )


def _entity(behaviour: Behaviour) -> Json:
    link = _object(behaviour, media=_TEXT, url=_TEXT)
    levels = ["POOR", "FAIR", "GOOD", "EXCELLENT", "EXCELENT"]
    return _object(
        behaviour,
        id=_TEXT,
        name=_TEXT,
        cifcode=_TEXT,
        type={"type": "string", "enum": [INDIVIDUAL, BUSINESS]},
        avatar={"type": ["string", "null"]},
        score=_NUMBER,
        scoring_level={"type": "string", "enum": levels},
        social_media=_array(link),
        created_at=_NUMBER,
        unregistered={"type": "boolean"},
    )


def _accepted(behaviour: Behaviour) -> Json:
    data = _object(behaviour, value=_OBJECT)
    item = _object(behaviour, code=_TEXT, type=_TEXT, data=data)
    requirement = _object(
        behaviour, code=_TEXT, type=_TEXT, category=_TEXT, data=data, items=_array(item)
    )
    # Gone after `expires_at`.
    for schema in (item, requirement):
        schema["required"].remove("data")
    return requirement


def _details(behaviour: Behaviour) -> Json:
    instant = _instant(behaviour, behaviour.details_instants)
    optional = {"type": ["number", "null"]}
    entry = _object(
        behaviour,
        status=_TEXT,
        date_time={"type": "string", "format": "date-time"},
        message=_TEXT,
        http_request_id={"type": "string", "format": "uuid"},
    )
    unit = {"type": "string", "enum": list(UNIT_MS)}
    schema = _object(
        behaviour,
        id=_TEXT,
        type={"type": "string", "examples": list(TYPE_NAMES)},
        type_name=_TEXT,
        in_out_bound={"type": "string", "enum": [IN, OUT]},
        description=_TEXT,
        status=_TEXT,
        notification_message={"type": ["string", "null"]},
        time_zone=_TEXT,
        valid_until=_NUMBER,
        attended_at=optional,
        completed_at=optional,
        expires_at=optional,
        created_at=instant,
        updated_at=instant,
        expires_in=_object(behaviour, time_unit=unit, amount=_NUMBER),
        entity=_entity_or_null(behaviour),
        requirements=_array(_ref("Requirement")),
        accepted_requirements=_array(_ref("AcceptedRequirement")),
        declined_requirements=_array(_ref("Requirement")),
        timeline=_array(entry),
    )
    may_lack = set(_UNSET) if behaviour.unset_fields in ("absent", "mixed") else set()
    if behaviour.expired_details == "without_arrays":
        may_lack |= {"accepted_requirements", "declined_requirements"}
    schema["required"] = [name for name in schema["required"] if name not in may_lack]
    return schema


def _instant(behaviour: Behaviour, form: InstantForm) -> Json:
    if form == "number":
        return _NUMBER
    if form == "string":
        return {"type": "string", "pattern": "^[0-9]+$"}
    return _object(behaviour, **{behaviour.instant_key: _NUMBER})


def _entity_or_null(behaviour: Behaviour) -> Json:
    if behaviour.entity_null:
        return {"anyOf": [_ref("Entity"), {"type": "null"}]}
    return _ref("Entity")


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _array(items: Json) -> Json:
    return {"type": "array", "items": items}


def _closed(**properties: Json) -> Json:
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


def _object(behaviour: Behaviour, **properties: Json) -> Json:
    """Return a closed object's schema, unless unknown fields are switched on."""
    return _closed(**properties) | {"additionalProperties": behaviour.extra_fields}
