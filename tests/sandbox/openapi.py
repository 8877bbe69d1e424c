"""The OpenAPI 3.1 document of the sandbox's four operations, made of the bodies' structs."""

from __future__ import annotations

from typing import Any

import msgspec

from pipeline.sandbox import bodies
from pipeline.sandbox.listing import ListQuery
from pipeline.sandbox.service import CREATE_PATH, LIST_PATH, LOGIN_PATH

Json = dict[str, Any]


class ActivityList(msgspec.Struct):
    """Answer of the list operation (4.3)."""

    has_next: bool
    data: list[bodies.ActivityRow]


_REFERENCES = "#/components/schemas/{name}"
_ANSWERS = (bodies.SessionToken, ActivityList, bodies.ActivityDetails, bodies.Error)


def document(base_url: str) -> Json:
    """Return the document for a sandbox served at `base_url`, as a JSON-ready dict."""
    _, schemas = msgspec.json.schema_components(
        (*_ANSWERS, bodies.Authorization), ref_template=_REFERENCES
    )
    activity = {
        "name": "activity",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "minLength": 1},
    }
    login = _operation("createSessionToken", "Create a session token", {"201": "SessionToken"})
    login["security"] = [{"basic": [], "key": []}]
    create = _operation("createAuthorization", "Ask an individual for data", {"201": None})
    create["requestBody"] = {"required": True, "content": _content("Authorization")}
    listing = _operation("listActivities", "List activities", {"200": "ActivityList"})
    listing["parameters"] += _query_parameters()
    details = _operation("getActivity", "Read one activity", {"200": "ActivityDetails"})
    details["parameters"].append(activity)
    details["responses"]["404"] = {"description": "Refused", "content": _content("Error")}
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
            LOGIN_PATH: {"post": login},
            LIST_PATH: {"get": listing},
            CREATE_PATH: {"post": create},
            LIST_PATH + "/{activity}": {"get": details},
        },
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
        },
    }


def _operation(name: str, summary: str, answers: dict[str, str | None]) -> Json:
    """Return an operation of a logged-in caller; `answers`: schema, or no content, by status."""
    zone = {
        "name": "x-pvt-timezone",
        "in": "header",
        "description": "The caller's time zone, by its IANA name",
        # Some of them, so that tools can make valid requests; any IANA name is taken.
        "schema": {"type": "string", "enum": ["UTC", "America/Lima", "Asia/Kolkata"]},
    }
    responses: Json = {
        status: {"description": summary, "content": _content(schema)}
        if schema
        else {"description": f"{summary}: no content"}
        for status, schema in answers.items()
    }
    for status in ("400", "401", "403", "500"):
        responses[status] = {"description": "Refused", "content": _content("Error")}
    return {
        "operationId": name,
        "summary": summary,
        "security": [{"bearer": [], "key": []}],
        "parameters": [zone],
        "responses": responses,
    }


def _query_parameters() -> list[Json]:
    (_,), schemas = msgspec.json.schema_components((ListQuery,))
    properties = schemas["ListQuery"]["properties"]
    return [{"name": name, "in": "query", "schema": each} for name, each in properties.items()]


def _content(schema: str) -> Json:
    return {"application/json": {"schema": {"$ref": _REFERENCES.format(name=schema)}}}
