"""Rules that change what answers hold, as a service could that nobody here wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.sandbox import FaultRule
from tests.support.misbehaviour import bodies, half

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Answer, Asked

    Document = dict[str, Any]
    Change = Callable[[Document], Document]


def details_changed(change: Change, **conditions: Any) -> FaultRule:
    """Change the details of every activity, or of those that ``conditions`` of the rule name."""
    changed = bodies("details", lambda _, body: change(body))
    return FaultRule(kind="change", operation="details", change=changed, **conditions)


def rows_changed(change: Change, **conditions: Any) -> FaultRule:
    """Change every row of the list."""

    def of_page(page: Document) -> Document:
        return page | {"data": [change(row) for row in page["data"]]}

    return pages_changed(of_page, **conditions)


def pages_changed(change: Change, **conditions: Any) -> FaultRule:
    """Change every page of the list."""
    changed = bodies("list", lambda _, page: change(page))
    return FaultRule(kind="change", operation="list", change=changed, **conditions)


def _as_text(asked: Asked, answer_of: Callable[[Asked], Answer]) -> Answer:
    return msgspec.structs.replace(answer_of(asked), content_type="text/plain")


#: Fields of rules for answers that are no good: half the JSON; the right body as text; a web page with 200.
CUT_JSON: dict[str, Any] = {"kind": "change", "change": half}
AS_TEXT: dict[str, Any] = {"kind": "change", "change": _as_text}
WEB_PAGE: dict[str, Any] = {
    **{"kind": "status", "status": 200, "content_type": "text/html"},
    "body": "<!doctype html><title>Please wait</title><h1>The service is being maintained</h1>\n",
}
