"""Services that store what they are sent in another form, or list it late."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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


def shout(fields: dict[str, Any]) -> None:
    fields["description"] = re.sub(" ", "  ", fields["description"].upper())


def drop_requirements(fields: dict[str, Any]) -> None:
    fields.pop("requirements", None)


def expand_requirements(fields: dict[str, Any]) -> None:
    fields["requirements"] = [*(fields.get("requirements") or []), {"code": "RQ_009"}]


def cut_at_200(fields: dict[str, Any]) -> None:
    fields["description"] = fields["description"][:200]


def mask_reference(fields: dict[str, Any]) -> None:
    """Mask what stands in brackets, at the end or the beginning."""
    fields["description"] = re.sub(
        r"(\(Ref\. |^\[)\w{5}(?=[)\]])", r"\1*****", fields["description"]
    )


def fold_spaces(fields: dict[str, Any]) -> None:
    fields["description"] = " ".join(fields["description"].split())


def two_machines(fields: dict[str, Any]) -> None:
    """Two machines of the service are four seconds apart."""
    ahead = 4000 * (int(fields["id"][0], 16) % 2)
    fields["created_at"] = _moved(fields["created_at"], lambda at: at + ahead)


def whole_seconds(fields: dict[str, Any]) -> None:
    fields["created_at"] = _moved(fields["created_at"], lambda at: at // 1000 * 1000)


def share_counterpart(fields: dict[str, Any]) -> None:
    """Everybody who is not registered has the same counterpart."""
    fields["entity"] = {"id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "unregistered": True}


def _moved(carried: Any, move: Callable[[int], int]) -> Any:
    if isinstance(carried, dict):
        return {name: move(at) for name, at in carried.items()}
    return move(carried)


def shown_as(*changes: Callable[[dict[str, Any]], None]) -> list[FaultRule]:
    """Return rules that change what the list and the details show of every activity."""

    def changed(asked: Any, answer_of: Callable[[Any], Any]) -> Any:
        given = answer_of(asked)
        if given.status != 200:
            return given
        fields = msgspec.json.decode(given.body)
        for each in fields.get("data", [fields]):
            for change in changes:
                change(each)
        return msgspec.structs.replace(given, body=msgspec.json.encode(fields))

    return [
        FaultRule(kind="change", operation="list", change=changed),
        FaultRule(kind="change", operation="details", change=changed),
    ]


def together(rules: Iterable[FaultRule]) -> list[FaultRule]:
    """Return one rule an operation that does what all of these do: of several, a sandbox follows one."""
    changes: defaultdict[Any, list[Callable[..., Any]]] = defaultdict(list)
    for rule in rules:
        if rule.change:
            changes[rule.operation].append(rule.change)

    def all_of(these: list[Callable[..., Any]]) -> Callable[..., Any]:
        first, *more = these
        if not more:
            return first
        rest = all_of(more)
        return lambda asked, answer_of: first(asked, lambda again: rest(again, answer_of))

    return [
        FaultRule(kind="change", operation=operation, change=all_of(these))
        for operation, these in changes.items()
    ]
