"""The OpenAPI 3.1 document of the four operations, fitting the behaviour in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .authorizations import (
    COUNTRY_PATTERN,
    ITEM_PATTERN,
    LARGEST_AMOUNT,
    LONGEST_DESCRIPTION,
    MOST_REQUIREMENTS,
    PHONE_PATTERN,
    REQUIREMENT_PATTERN,
)
from .catalogue import UNIT_MS
from .listing import DATE_PATTERN, DEFAULT_LIMIT, LARGEST_NUMBER
from .schemas import schemas
from .service import CREATE_PATH, LIST_PATH, LOGIN_PATH

if TYPE_CHECKING:
    from .behaviour import Behaviour

Json = dict[str, Any]


def document(behaviour: Behaviour, base_url: str) -> Json:
    """Return the document for a sandbox served at `base_url`, as a JSON-ready dict."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Business Activities Service (sandbox)",
            "version": "1",
            "description": "A stand-in for the service: all data are made up.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": base_url}],
        "paths": {
            LOGIN_PATH: {"post": _login(behaviour)},
            LIST_PATH: {"get": _list(behaviour)},
            CREATE_PATH: {"post": _create(behaviour)},
            LIST_PATH + "/{activity}": {"get": _details(behaviour)},
        },
        "components": {
            "schemas": schemas(behaviour),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
        },
    }


def _login(behaviour: Behaviour) -> Json:
    return {
        "operationId": "createSessionToken",
        "summary": "Create a session token",
        "security": [{"basic": [], "key": []}],
        "parameters": [_zone_parameter()],
        "responses": {
            "201": _json_answer("A new token", "SessionToken"),
            **_refusals(behaviour, 400, 401, 403, 500),
        },
    }


def _list(behaviour: Behaviour) -> Json:
    limit: Json = {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER}
    limit["default"] = DEFAULT_LIMIT
    if behaviour.max_limit is not None and behaviour.over_limit == "refuse":
        limit["maximum"] = behaviour.max_limit
        limit["default"] = min(DEFAULT_LIMIT, behaviour.max_limit)
    page = {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER, "default": 1}
    date = {"type": "string", "format": "date", "pattern": DATE_PATTERN}
    text = {"type": "string"}
    return {
        "operationId": "listActivities",
        "summary": "List the activities sent and received",
        "security": [{"bearer": [], "key": []}],
        "parameters": [
            _zone_parameter(),
            _query("limit", limit, "Maximum number of items to fetch"),
            _query("page", page, "Page number"),
            _query("id", text, "Filter by activity ID"),
            _query("cifcode", text, "Filter by profile ID"),
            _query("entity", {"type": "array", "items": text}, "Filter by entity IDs"),
            _query("from", date, "Range start; must be before or equal to `to`"),
            _query("to", date, "Range end; the current time by default when `from` is given"),
        ],
        "responses": {
            "200": _json_answer("A page of activities", "ActivityList"),
            **_refusals(behaviour, 400, 401, 403, 500),
        },
    }


def _details(behaviour: Behaviour) -> Json:
    refused = {400, 401, 403, 500, behaviour.unknown_id_status}
    return {
        "operationId": "getActivity",
        "summary": "Read the details of one activity",
        "security": [{"bearer": [], "key": []}],
        "parameters": [
            {
                "name": "activity",
                "in": "path",
                "required": True,
                "schema": {"type": "string", "minLength": 1},
            },
            _zone_parameter(),
        ],
        "responses": {
            "200": _json_answer("The details", "ActivityDetails"),
            **_refusals(behaviour, *sorted(refused)),
        },
    }


def _create(behaviour: Behaviour) -> Json:
    return {
        "operationId": "createAuthorization",
        "summary": "Ask an individual for data",
        "security": [{"bearer": [], "key": []}],
        "parameters": [_zone_parameter()],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _creation_body(behaviour)}},
        },
        "responses": {
            "201": {"description": "The activity was created; no content"},
            **_refusals(behaviour, 400, 401, 403, 500),
        },
    }


def _creation_body(behaviour: Behaviour) -> Json:
    phone = {
        "type": "object",
        "required": ["phone_country_code", "phone_number"],
        "properties": {
            "phone_country_code": {"type": "string", "pattern": COUNTRY_PATTERN},
            "phone_number": {"type": "string", "pattern": PHONE_PATTERN},
        },
    }
    validity = {
        "type": "object",
        "required": ["time_unit", "amount"],
        "properties": {
            "time_unit": {"type": "string", "enum": list(UNIT_MS)},
            "amount": {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST_AMOUNT},
        },
    }
    requirement = {
        "type": "object",
        "required": ["code"],
        "properties": {
            "code": {"type": "string", "pattern": REQUIREMENT_PATTERN},
            "items": {
                "type": "array",
                "maxItems": MOST_REQUIREMENTS,
                "items": {
                    "type": "object",
                    "required": ["code"],
                    "properties": {"code": {"type": "string", "pattern": ITEM_PATTERN}},
                },
            },
        },
    }
    description = {"type": "string", "minLength": 1, "maxLength": LONGEST_DESCRIPTION}
    requirements = {"type": "array", "maxItems": MOST_REQUIREMENTS, "items": requirement}
    return {
        "type": "object",
        "required": ["description", "phone"] if behaviour.require_phone else ["description"],
        "properties": {
            "description": description,
            "phone": phone,
            "validity_threshold": validity,
            "requirements": requirements,
        },
    }


def _zone_parameter() -> Json:
    return {
        "name": "x-pvt-timezone",
        "in": "header",
        "description": "The caller's time zone, by its IANA name",
        # Some of them, so that a generated zone exists; any IANA name is taken.
        "schema": {"type": "string", "enum": ["UTC", "America/Lima", "Asia/Kolkata"]},
    }


def _query(name: str, schema: Json, description: str) -> Json:
    return {"name": name, "in": "query", "description": description, "schema": schema}


def _json_answer(description: str, schema: str) -> Json:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": description, "content": content}


def _refusals(behaviour: Behaviour, *statuses: int) -> Json:
    if behaviour.error_bodies == "json":
        return {str(status): _json_answer("Refused", "Error") for status in statuses}
    if behaviour.error_bodies == "html":
        content = {"text/html": {"schema": {"type": "string"}}}
        return {str(s): {"description": "Refused", "content": content} for s in statuses}
    return {str(status): {"description": "Refused"} for status in statuses}
