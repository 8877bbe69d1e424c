"""Rules that change what answers hold, as a service could that nobody here wrote."""

from __future__ import annotations

import random
import uuid
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Answer, Asked, SandboxState

    Document = dict[str, Any]
    Change = Callable[[Document], Document]


def details_changed(change: Change, **conditions: Any) -> FaultRule:
    """Change the details of every activity, or of those that ``conditions`` of the rule name."""
    return _answers_changed("details", change, **conditions)


def rows_changed(change: Change, **conditions: Any) -> FaultRule:
    """Change every row of the list."""

    def of_page(page: Document) -> Document:
        return page | {"data": [change(row) for row in page["data"]]}

    return pages_changed(of_page, **conditions)


def pages_changed(change: Change, **conditions: Any) -> FaultRule:
    """Change every page of the list."""
    return _answers_changed("list", change, **conditions)


def _answers_changed(
    operation: Literal["list", "details"], change: Change, **conditions: Any
) -> FaultRule:
    def answer(asked: Asked, answer_of: Callable[[Asked], Answer]) -> Answer:
        found = answer_of(asked)
        if found.status != 200:
            return found
        body = msgspec.json.encode(change(msgspec.json.decode(found.body)))
        return msgspec.structs.replace(found, body=body)

    return FaultRule(kind="change", operation=operation, change=answer, **conditions)


def noisy(document: Document) -> Document:
    """Return a row or details as a service may say the same each time in other words.

    Names come in another order, the avatar's address is signed, fields nobody names hold something new.
    """
    said: Document = shuffled(document)
    said["request_id"] = str(uuid.uuid4())
    if said.get("entity"):
        said["entity"]["served_at"] = random.random()
        if said["entity"].get("avatar"):
            said["entity"]["avatar"] += f"?X-Signature={uuid.uuid4()}"
    return said


def shuffled(value: Any) -> Any:
    """Return the same JSON with the names of all objects in another order."""
    if isinstance(value, dict):
        names = random.sample(sorted(value), len(value))
        return {name: shuffled(value[name]) for name in names}
    return [shuffled(each) for each in value] if isinstance(value, list) else value


def half(asked: Asked, answer_of: Callable[[Asked], Answer]) -> Answer:
    """Answer with half of the body."""
    found = answer_of(asked)
    return msgspec.structs.replace(found, body=found.body[: len(found.body) // 2])


def _as_text(asked: Asked, answer_of: Callable[[Asked], Answer]) -> Answer:
    return msgspec.structs.replace(answer_of(asked), content_type="text/plain")


def born_expired(state: SandboxState) -> dict[str, Any]:
    """Return a rule's fields: a login gets a token that expired a second ago."""

    def change(asked: Asked, answer_of: Callable[[Asked], Answer]) -> Answer:
        found = answer_of(asked)
        state.tokens.revoke_all()
        said = msgspec.json.decode(found.body) | {"expires_at": state.clock.now() - 1000}
        return msgspec.structs.replace(found, body=msgspec.json.encode(said))

    return {"kind": "change", "change": change, "operation": "login"}


#: Fields of rules for answers that are no good: half the JSON; the right body as text; a web page with
#: 200; nothing with 200.
CUT_JSON: dict[str, Any] = {"kind": "change", "change": half}
AS_TEXT: dict[str, Any] = {"kind": "change", "change": _as_text}
WEB_PAGE: dict[str, Any] = {
    **{"kind": "status", "status": 200, "content_type": "text/html"},
    "body": "<!doctype html><title>Please wait</title><h1>The service is being maintained</h1>\n",
}
EMPTY: dict[str, Any] = {"kind": "status", "status": 200, "body": ""}
