"""After a restore: what was sent since the backup, found by references (docs/upkeep.md)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pipeline.authorizations.context import Context
from pipeline.authorizations.listing import Look, Sent, find_owners, look
from pipeline.authorizations.references import PLACE, squeeze
from pipeline.authorizations.requests import Request
from pipeline.authorizations.settling import link_by_reference
from pipeline.warehouse.authorizations import OPEN, Row, add, find

#: So far back it looks before the last call that is known here.
_MARGIN = timedelta(days=1)
#: So far back where no call is known.
_UNKNOWN = timedelta(days=30)


@dataclass(frozen=True)
class Review:
    """What the service lists since the last call known here; ``linked``: so many requests were linked.

    ``unsure``: requests that are open here and new lines that may have been sent since.
    """

    look: Look
    linked: int
    unsure: Sequence[Row | Request]

    @property
    def conclusive(self) -> bool:
        """Whether it is known what was sent: the list was read in full, or nothing hangs on it."""
        return self.look.proven or not self.unsure


async def review(context: Context, lines: Sequence[Request], source: str) -> Review:
    """Find out what was sent since the backup, and link it.

    ``lines``: new ones of the file ``source``, with their references. Those that were sent are stored, so
    that the file can be sent again.
    """
    engine = context.engine
    last = find(engine, "last_called")
    since = last[0].called_at - _MARGIN if last else context.now() - _UNKNOWN
    found = await look(context, since)
    carried = Counter(name for each in found.sent for name in each.references)
    sent = [line for line in lines if carried[line.message_reference or ""] == 1]
    columns = [line.columns(source) for line in sent]
    _, refused = add(engine, columns, context.rules.repeat_days, skip=True)
    stored = {line.key for line in sent} - refused.keys()
    found = replace(found, owners=find_owners(engine, found.sent))
    link_by_reference(context, found)
    left = [each for each in found.sent if each not in found.owners]
    asked: list[Row | Request] = [*find(engine, "states", states=["queued", *OPEN])]
    asked += [line for line in lines if line.key not in stored]
    unsure = [each for each in asked if not found.proven or any(_may_be(one, each) for one in left)]
    return Review(found, context.reached["linked"], unsure)


def _may_be(each: Sent, request: Row | Request) -> bool:
    """Return whether an authorization is a request's, or begins like it with whatever reference."""
    if each.text is None or request.message_reference in each.references:
        return True
    begin, text = squeeze(request.description.partition(PLACE)[0])[:60], squeeze(each.text)
    return begin in text or begin.startswith(text)
