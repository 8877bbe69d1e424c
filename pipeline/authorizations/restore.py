"""After a restore: what was sent since the backup, found by references (docs/operations.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pipeline.authorizations.context import Context
from pipeline.authorizations.listing import Look, Sent, look
from pipeline.authorizations.references import PLACE, squeeze
from pipeline.authorizations.requests import Request
from pipeline.warehouse.authorizations import OPEN, Row, find

#: So far back it looks before the last call that is known here.
_MARGIN = timedelta(days=1)
#: So far back where no call is known.
_UNKNOWN = timedelta(days=30)


@dataclass(frozen=True)
class Review:
    """What the service lists since the last call known here.

    ``unsure``: requests that are open here and new lines that may have been sent since.
    """

    look: Look
    unsure: Sequence[Row | Request]


async def review(context: Context, lines: Sequence[Request]) -> Review:
    """Find out what was sent since the backup. ``lines``: new ones, with their references."""
    last = find(context.engine, "last_called")
    since = last[0].called_at - _MARGIN if last else context.now() - _UNKNOWN
    found = await look(context, since, lines)
    owned = {owner.message_reference for owner in found.owners.values()}
    unowned = [each for each in found.sent if each not in found.owners]
    asked: list[Row | Request] = [*find(context.engine, "states", states=["queued", *OPEN]), *lines]
    unsure = [
        each
        for each in asked
        if each.message_reference not in owned
        and (not found.proven or any(_may_be(one, each) for one in unowned))
    ]
    return Review(found, unsure)


def _may_be(each: Sent, request: Row | Request) -> bool:
    """Return whether an authorization begins as a request, whatever reference it once had."""
    if each.text is None:
        return True
    begin, text = squeeze(request.description.partition(PLACE)[0])[:60], squeeze(each.text)
    return begin in text or begin.startswith(text)
