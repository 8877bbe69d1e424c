"""After a restore: what was sent since the backup, found by references (docs/operations.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pipeline.authorizations.context import Context
from pipeline.authorizations.listing import Look, Sent, look
from pipeline.authorizations.references import find, squeeze
from pipeline.authorizations.requests import Line
from pipeline.warehouse.authorizations import Row

_OPEN = ("queued", "sending", "sent", "unknown")
#: So far back it looks before the last call that is known here.
_MARGIN = timedelta(days=1)
#: So far back where no call is known.
_UNKNOWN = timedelta(days=30)


@dataclass(frozen=True)
class Review:
    """What the service lists since the last call known here.

    ``sent``: each authorization with the request whose reference it carries, or the line of the file.
    ``unsure``: requests that are open here and new lines that may have been sent since.
    """

    sent: Sequence[tuple[Sent, Row | Line | None]]
    unsure: Sequence[Row | Line]
    found: Look

    @property
    def lines(self) -> list[Line]:
        """The lines of the file that were sent since."""
        return [owner for _, owner in self.sent if isinstance(owner, Line)]


async def review(context: Context, lines: Sequence[Line]) -> Review:
    """Find out what was sent since the backup. ``lines``: new ones, with their references."""
    last = context.requests.last_call()
    since = last - _MARGIN if last else context.now() - _UNKNOWN
    found = await look(context, since)
    by_reference = {line.reference: line for line in lines if line.reference}
    sent: list[tuple[Sent, Row | Line | None]] = []
    for each in found.sent:
        names = find(each.text) & by_reference.keys()
        line = by_reference[names.pop()] if len(names) == 1 else None
        sent.append((each, found.owners.get(each) or line))
    unowned = [each for each, owner in sent if owner is None]
    owners = {_name(owner) for _, owner in sent if owner}
    open_here: list[Row | Line] = [*context.requests.in_states(_OPEN), *lines]
    unsure = [
        each
        for each in open_here
        if _name(each) not in owners
        and (not found.proven or any(_may_be(one, each) for one in unowned))
    ]
    return Review(sent, unsure, found)


def _name(owner: Row | Line) -> str | int:
    return owner.id if isinstance(owner, Row) else owner.number


def _may_be(each: Sent, request: Row | Line) -> bool:
    """Return whether an authorization begins as a request, whatever reference it once had."""
    asked = request if isinstance(request, Row) else request.fresh
    if asked is None or each.text is None:
        return True
    begin, text = squeeze(asked.description)[:60], squeeze(each.text)
    return begin in text or begin.startswith(text)
