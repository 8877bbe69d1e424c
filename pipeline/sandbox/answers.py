"""Answers of the service, and the refusals among them (docs/service.md 7)."""

from __future__ import annotations

import http
from typing import TYPE_CHECKING, Final

import msgspec

from . import bodies

if TYPE_CHECKING:
    from collections.abc import Mapping

JSON: Final = "application/json"


class Asked(msgspec.Struct):
    """A request as the operations see it.

    `operation` is None where there is no such path, or where it takes only another method, `allowed`.
    `query` is the raw query string.
    """

    operation: str | None
    headers: Mapping[str, str]
    query: str = ""
    activity_id: str | None = None
    body: bytes = b""
    allowed: str | None = None


class Answer(msgspec.Struct):
    """What the service answers: status, body bytes, their content type, further headers."""

    status: int
    body: bytes = b""
    content_type: str | None = JSON
    headers: dict[str, str] = {}


class Refused(Exception):  # an answer, not a defect
    """The service refuses a request with a status, and says why."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}

    def answer(self, now: int) -> Answer:
        """Return the answer; `now` is in epoch ms."""
        title = http.HTTPStatus(self.status).phrase
        body = msgspec.json.encode(bodies.Error(self.status, title, self.message, now))
        return Answer(self.status, body, JSON, self.headers)
