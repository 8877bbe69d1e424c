"""Services that store what they are sent in another form, or list it late."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Running


def listed_late(running: Running, seconds: float) -> FaultRule:
    """Return a rule that lists an activity only so long after its creation, by the sandbox's clock."""

    def answer(asked: Any, answer_of: Callable[[Any], Any]) -> Any:
        given = answer_of(asked)
        if given.status != 200:
            return given
        fields = msgspec.json.decode(given.body)
        newest = running.state.clock.now() - round(seconds * 1000)
        fields["data"] = [row for row in fields["data"] if row["created_at"] <= newest]
        return msgspec.structs.replace(given, body=msgspec.json.encode(fields))

    return FaultRule(kind="change", operation="list", change=answer)


def stored_as(change: Callable[[dict[str, Any]], None]) -> FaultRule:
    """Return a rule that changes the details of every activity."""

    def answer(asked: Any, answer_of: Callable[[Any], Any]) -> Any:
        given = answer_of(asked)
        if given.status != 200:
            return given
        fields = msgspec.json.decode(given.body)
        change(fields)
        return msgspec.structs.replace(given, body=msgspec.json.encode(fields))

    return FaultRule(kind="change", operation="details", change=answer)


def escape(fields: dict[str, Any]) -> None:
    fields["description"] = html.escape(fields["description"])


def cut(fields: dict[str, Any]) -> None:
    fields["description"] = fields["description"][:12]


def shout(fields: dict[str, Any]) -> None:
    fields["description"] = re.sub(" ", "  ", fields["description"].upper())


def drop_requirements(fields: dict[str, Any]) -> None:
    fields.pop("requirements", None)


def expand_requirements(fields: dict[str, Any]) -> None:
    fields["requirements"] = [*(fields.get("requirements") or []), {"code": "RQ_009"}]
