"""The authorizations that the business sent, as the service shows them (docs/service.md 4.3, 4.4)."""

import asyncio
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pipeline.service.errors import ServiceError
from pipeline.service.models import ActivityDetails, Requirement, decode_list_item
from pipeline.sync.day_boundaries import stored_day_boundaries
from pipeline.sync.days import ONE_DAY, DayRange, day_of
from pipeline.sync.list_rows import ListRow
from pipeline.sync.walk import Walker

if TYPE_CHECKING:
    from pipeline.authorizations.context import Context

#: docs/service.md 2.4 names IN for received activities; every other value is taken for "sent".
_RECEIVED = "IN"

Content = tuple[str, frozenset[tuple[str, frozenset[str]]]]
"""What is asked for: the text without differences of spaces, and codes, each with its items."""


@dataclass(frozen=True, eq=False, repr=False)
class Sent:
    """A sent authorization without a request; ``text`` and ``content`` are None: details can't be read."""

    activity_id: str
    created: datetime
    status: str | None
    counterpart: str | None
    text: str | None
    content: Content | None


@dataclass(frozen=True)
class Look:
    """What the service showed: ``sent``, oldest first; ``began``: when the look began, by its clock.

    ``proven``: nothing is missing, so what is not here is not there.
    """

    sent: Sequence[Sent]
    began: datetime
    proven: bool


def content_of(text: str | None, requirements: Iterable[Requirement]) -> Content:
    """Return what a request or an activity asks for."""
    codes = {
        (each.code or "").strip(): frozenset((item.code or "").strip() for item in each.items or ())
        for each in requirements
    }
    words = unicodedata.normalize("NFC", text or "").split()
    return " ".join(words), frozenset(codes.items())


async def look(context: "Context", since: datetime) -> Look:
    """Read what was sent since an instant, except what is linked. Raises a fatal ``ServiceError``."""
    began = context.now()
    rows, proven = await _walk(context, since)
    recent = [row for row in rows if row.created_at and row.created_at >= since]
    linked = context.requests.linked([row.activity_id for row in recent])
    read = await asyncio.gather(
        *(_read(context, row) for row in recent if row.activity_id not in linked)
    )
    sent = sorted((each for each in read if each), key=lambda each: each.created)
    return Look(sent, began, proven and all(each.text is not None for each in sent))


async def _walk(context: "Context", since: datetime) -> tuple[list[ListRow], bool]:
    """Return the readable rows of all days since the one before ``since``, and whether that is proven."""
    boundaries = stored_day_boundaries(context.engine)
    pages, now = context.client.list_activities, context.now
    walker = Walker(pages, context.zone, context.sizes, boundaries, {}, now, now)
    first = day_of(since, context.zone) - ONE_DAY
    walked = await walker.walk(DayRange(first, max(walker.today, first)))
    # A row that can't be read or dated may be any activity.
    rows = [row for row in walked.rows.values() if row.created_at and not row.malformed]
    return rows, len(rows) == len(walked.rows) and not any(walked.days.values())


async def _read(context: "Context", row: ListRow) -> Sent | None:
    """Read the details of a sent authorization; None for a received activity, or of another type."""
    item = decode_list_item(row.body)
    if item.in_out_bound == _RECEIVED or row.created_at is None:
        return None
    if item.id in context.read:
        return context.read[item.id]
    counterpart = item.entity.id if item.entity else None
    try:
        details = (await context.client.activity_details(item.id)).activity
    except ServiceError as error:
        if error.fatal:
            raise
        return Sent(item.id, row.created_at, item.status, counterpart, None, None)
    text = details.description or ""
    content = content_of(text, details.requirements or [])
    found = Sent(item.id, row.created_at, details.status, counterpart, text, content)
    other = ("other_activity_type", details.type) in context.labels
    context.read[item.id] = (
        None if other and not is_authorization(details, context.labels) else found
    )
    return context.read[item.id]


def is_authorization(activity: ActivityDetails, labels: Collection[tuple[str, str]]) -> bool:
    """Return whether an activity is an authorization, by the name or the code of its type."""
    named = "authorization" in (activity.type_name or "").lower()
    return named or ("activity_type", activity.type) in labels
