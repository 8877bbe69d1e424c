"""The authorizations that the business sent, as the service shows them (docs/service.md 4.3, 4.4)."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pipeline.authorizations.context import Context, Sent
from pipeline.authorizations.references import find_references
from pipeline.service.errors import ServiceError
from pipeline.service.models import ActivityDetails
from pipeline.sync.days import ONE_DAY, DayRange, day_of
from pipeline.sync.limits import SMALL_PAGE
from pipeline.sync.list_rows import ListRow
from pipeline.warehouse.requests.authorizations import find

#: docs/service.md 2.4 names IN for received activities; every other value is taken for "sent".
_RECEIVED = "IN"


@dataclass(frozen=True)
class Look:
    """What the service showed: ``sent``, oldest first.

    ``failed``: why the list may lack something, None if it was read to its end.
    """

    sent: Sequence[Sent]
    failed: str | None


async def look(context: Context, since: datetime) -> Look:
    """Read what was sent since an instant, except what is linked. Raises a fatal ``ServiceError``."""
    rows, failed = await _list(context, since)
    recent = [row for row in rows if row.created_at and row.created_at >= since]
    names = [row.activity_id for row in recent]
    linked = set[str | None]()
    for request in find(context.engine, "activities", activities=names):
        linked |= {request.activity_id, *request.more_activity_ids}
    read = await asyncio.gather(
        *(_read(context, row) for row in recent if row.activity_id not in linked)
    )
    sent = sorted((each for each in read if each), key=lambda each: each.created)
    return Look(sent, failed)


async def _list(context: Context, since: datetime) -> tuple[list[ListRow], str | None]:
    """Return the rows of all days since the one before ``since``, and why some may be missing."""
    reader = context.reader
    first = day_of(since, context.zone) - ONE_DAY
    days = DayRange(first, max(reader.today(), first))
    rows = dict[str, ListRow]()
    for limit in (reader.limit, SMALL_PAGE, reader.limit // 2, SMALL_PAGE // 2):
        question = await reader.ask(days, max(1, limit), len(rows))
        before, rows = len(rows), rows | question.rows
        # Where rows come twice, others may not have come at all.
        if question.failed or len(rows) >= question.received:
            return [*rows.values()], question.failed
    return [*rows.values()], "the list changed while it was read" if before < len(rows) else None


async def _read(context: Context, row: ListRow) -> Sent | None:
    """Read the details of a sent authorization; None for a received activity, or of another type."""
    created, read = row.created_at, context.read
    if row.malformed is not None or created is None:
        return None
    item = row.decode()
    if item.in_out_bound == _RECEIVED:
        return None
    if item.id not in read:
        try:
            details = (await context.client.activity_details(item.id)).activity
        except ServiceError as error:
            if error.fatal:
                raise
            return Sent(item.id, created, item.status, None, None)
        text = details.description or ""
        counterpart = details.entity.id if details.entity else None
        found = Sent(item.id, created, details.status, counterpart, text, find_references(text))
        read[item.id] = None if is_authorization(details, context.labels) is False else found
    return read[item.id]


def is_authorization(
    activity: ActivityDetails, labels: Mapping[tuple[str, str], str]
) -> bool | None:
    """Return whether an activity is an authorization, by its type's name or code; None: not known."""
    label = labels.get(("activity_type", activity.type or ""))
    if "authorization" in f"{activity.type_name} {label}".lower():
        return True
    return None if label is None else False
