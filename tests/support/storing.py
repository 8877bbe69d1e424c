"""Services that store what they are sent in another form, or list it late."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pipeline.sandbox import FaultRule
from tests.support.habits.answers import bodies, details_changed, together
from tests.support.habits.lists import rows_changed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pipeline.sandbox import Running
    from tests.support.habits.answers import Change, Row


def listed_late(running: Running, seconds: float) -> FaultRule:
    """Return a rule that lists an activity only so long after its creation, by the sandbox's clock."""

    def listed(page: Row) -> Row:
        newest = running.state.clock.now() - round(seconds * 1000)
        return page | {"data": [row for row in page["data"] if row["created_at"] <= newest]}

    change = bodies("list", lambda _, page: listed(page))
    return FaultRule(kind="change", operation="list", change=change)


def stored_as(change: Callable[[Row], None]) -> FaultRule:
    """Return a rule that changes the details of every activity."""
    return details_changed(_changed_by(change))


def _changed_by(*changes: Callable[[Row], None]) -> Callable[[Row], Row]:
    def changed(fields: Row) -> Row:
        for change in changes:
            change(fields)
        return fields

    return changed


def escape(fields: Row) -> None:
    fields["description"] = html.escape(fields["description"])


def shout(fields: Row) -> None:
    fields["description"] = re.sub(" ", "  ", fields["description"].upper())


def drop_requirements(fields: Row) -> None:
    fields.pop("requirements", None)


def expand_requirements(fields: Row) -> None:
    fields["requirements"] = [*(fields.get("requirements") or []), {"code": "RQ_009"}]


def cut_at_200(fields: Row) -> None:
    fields["description"] = fields["description"][:200]


def mask_reference(fields: Row) -> None:
    """Mask what stands in brackets, at the end or the beginning."""
    fields["description"] = re.sub(
        r"(\(Ref\. |^\[)\w{5}(?=[)\]])", r"\1*****", fields["description"]
    )


def fold_spaces(fields: Row) -> None:
    fields["description"] = " ".join(fields["description"].split())


def two_machines(fields: Row) -> None:
    """Two machines of the service are four seconds apart."""
    ahead = 4000 * (int(fields["id"][0], 16) % 2)
    fields["created_at"] = _moved(fields["created_at"], lambda at: at + ahead)


def whole_seconds(fields: Row) -> None:
    fields["created_at"] = _moved(fields["created_at"], lambda at: at // 1000 * 1000)


def share_counterpart(fields: Row) -> None:
    """Everybody who is not registered has the same counterpart."""
    fields["entity"] = {"id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "unregistered": True}


def _moved(carried: Any, move: Callable[[int], int]) -> Any:
    if isinstance(carried, dict):
        return {name: move(at) for name, at in carried.items()}
    return move(carried)


def shown_as(*changes: Callable[[Row], None]) -> list[FaultRule]:
    """Return rules that change what the list and the details show of every activity."""
    changed = _changed_by(*changes)
    return [rows_changed(changed), details_changed(changed)]


def as_one(rules: Iterable[FaultRule]) -> list[FaultRule]:
    """Return one rule an operation that does what all of these do: of several, a sandbox follows one."""
    changes: defaultdict[Any, list[Change]] = defaultdict(list)
    for rule in rules:
        if rule.change:
            # The first one is the outermost.
            changes[rule.operation].insert(0, rule.change)
    return [
        FaultRule(kind="change", operation=operation, change=together(*these))
        for operation, these in changes.items()
    ]
