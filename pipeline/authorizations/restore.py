"""After a restore: what was sent since the backup, found by references (docs/operations.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pipeline.authorizations.context import Context
from pipeline.authorizations.listing import Sent, look
from pipeline.authorizations.references import find, squeeze
from pipeline.authorizations.requests import Line
from pipeline.authorizations.settling import find_owners, may_be
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
    proven: bool

    @property
    def lines(self) -> list[Line]:
        """The lines of the file that were sent since."""
        return [owner for _, owner in self.sent if isinstance(owner, Line)]


async def review(context: Context, lines: Sequence[Line]) -> Review:
    """Find out what was sent since the backup. ``lines``: new ones, with their references."""
    last = context.requests.last_call()
    since = last - _MARGIN if last else context.now() - _UNKNOWN
    found = await look(context, since)
    owners = find_owners(context, found.sent)
    of = {each: owners.requests[name] for name, some in owners.carried.items() for each in some}
    by_reference = {line.reference: line for line in lines if line.reference}
    sent: list[tuple[Sent, Row | Line | None]] = []
    for each in found.sent:
        names = find(each.text) & by_reference.keys()
        line = by_reference[names.pop()] if len(names) == 1 else None
        sent.append((each, of.get(each) or line))
    unowned = [each for each, owner in sent if owner is None]
    known = [id(owner) for _, owner in sent]
    rows = [row for row in context.requests.in_states(_OPEN) if row.id not in owners.carried]
    new = [line for line in lines if id(line) not in known]
    open_here: list[Row | Line] = [*rows, *new]
    unsure = [
        each
        for each in open_here
        if not found.proven or any(_may_be(one, each, context) for one in unowned)
    ]
    return Review(sent, unsure, found.proven)


def _may_be(each: Sent, request: Row | Line, context: Context) -> bool:
    if isinstance(request, Row):
        return may_be(each, request, context.rules)
    asked = request.fresh
    # A line has no row: another reference may have been given to it, or none.
    if asked is None or each.text is None:
        return True
    begin, text = squeeze(asked.description)[:60], squeeze(each.text)
    return begin in text or begin.startswith(text)
