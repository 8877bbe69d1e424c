"""Answers that refuse a request, as §7 lists them, with a JSON body of our own shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from .behaviour import Behaviour

TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}
JSON = "application/json"
HTML = "text/html"


class Refused(Exception):  # an answer, not a defect
    """The service refuses a request with a status, and says why."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


class Answer(msgspec.Struct):
    """What the service answers: status, body bytes, their content type, further headers."""

    status: int
    body: bytes = b""
    content_type: str | None = JSON
    headers: dict[str, str] = {}


def refusal(refused: Refused, behaviour: Behaviour, now: int) -> Answer:
    """Return the answer to a refused request in the form the behaviour asks for."""
    title = TITLES.get(refused.status, "Error")
    if behaviour.error_bodies == "empty":
        return Answer(refused.status, b"", None, refused.headers)
    if behaviour.error_bodies == "html":
        page = f"<!doctype html><title>{refused.status} {title}</title><h1>{title}</h1>\n"
        return Answer(refused.status, page.encode(), HTML, refused.headers)
    body = {
        "status": refused.status,
        "error": title,
        "message": refused.message,
        "timestamp": now,
    }
    return Answer(refused.status, msgspec.json.encode(body), JSON, refused.headers)
