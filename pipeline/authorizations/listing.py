"""The authorizations that the business sent, as the service shows them (docs/service.md 4.3, 4.4)."""

import asyncio
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pipeline.authorizations.references import find_references
from pipeline.service.errors import ServiceError
from pipeline.service.models import ActivityDetails, Requirement
from pipeline.sync.days import ONE_DAY, DayRange, day_of
from pipeline.sync.list_rows import ListRow
from pipeline.sync.listing import SMALL_PAGE
from pipeline.sync.proof import Evidence
from pipeline.warehouse.authorizations import Row, find

if TYPE_CHECKING:
    from pipeline.authorizations.context import Context

#: docs/service.md 2.4 names IN for received activities; every other value is taken for "sent".
_RECEIVED = "IN"

Content = tuple[str, frozenset[tuple[str, frozenset[str]]]]
"""What is asked for: the text without differences of spaces, and codes, each with its items."""


@dataclass(frozen=True, eq=False, repr=False)
class Sent:
    """A sent authorization without a request; ``text`` and ``content`` are None: details can't be read.

    ``references``: all that its text may carry.
    """

    activity_id: str
    created: datetime
    status: str | None
    counterpart: str | None
    text: str | None
    content: Content | None
    references: Set[str] = frozenset()


@dataclass(frozen=True)
class Look:
    """What the service showed: ``sent``, oldest first; ``began``: when the look began, by its clock.

    ``owners``: the request whose reference an authorization carries; of neither, if it carries several, or
    if several carry it.
    ``proven``: the list lacks nothing, so what is not here is not there.
    """

    sent: Sequence[Sent]
    owners: Mapping[Sent, Row]
    began: datetime
    proven: bool

    @property
    def complete(self) -> bool:
        """Whether the details of all that is listed could be read, too."""
        return self.proven and all(each.text is not None for each in self.sent)


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
    names = [row.activity_id for row in recent]
    linked = {row.activity_id for row in find(context.engine, "activities", activities=names)}
    read = await asyncio.gather(
        *(_read(context, row) for row in recent if row.activity_id not in linked)
    )
    sent = sorted((each for each in read if each), key=lambda each: each.created)
    owners = find_owners(context.engine, sent)
    return Look(sent, owners, began, proven)


def find_owners(engine: sa.Engine, sent: Sequence[Sent]) -> dict[Sent, Row]:
    """Return the request of each authorization, by its reference: `Look.owners`."""
    references = list(set[str]().union(*(each.references for each in sent)))
    stored = find(engine, "message_references", references=references)
    named = {row.message_reference: row for row in stored}
    ours = {each: each.references & named.keys() for each in sent}
    single = {each: named[min(names)] for each, names in ours.items() if len(names) == 1}
    carriers = Counter(row.id for row in single.values())
    return {each: row for each, row in single.items() if carriers[row.id] == 1}


async def _walk(context: "Context", since: datetime) -> tuple[list[ListRow], bool]:
    """Return the readable rows of all days since the one before ``since``, and whether that is proven."""
    reader, zone = context.reader, context.zone
    first = day_of(since, zone) - ONE_DAY
    days = DayRange(first, max(reader.today(), first))
    evidence, rows, read = Evidence(timedelta(0)), dict[str, ListRow](), dict[bytes, ListRow]()
    proven = False
    for limit in (reader.limit, SMALL_PAGE, reader.limit * 3 // 4, SMALL_PAGE // 2):
        question = await reader.ask(days, max(1, limit), len(rows), read)
        rows |= question.rows
        created = {name: row.created_at or since for name, row in question.rows.items()}
        evidence.add(question, {name: day_of(at, zone) for name, at in created.items()})
        found, _, _ = evidence.listed([*days])
        proven = bool(found) and not any(each.once for each in found)
        if proven:
            break
    # A row that can't be read or dated may be any activity.
    readable = [row for row in rows.values() if row.created_at and not row.malformed]
    return readable, proven and len(readable) == len(rows)


async def _read(context: "Context", row: ListRow) -> Sent | None:
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
            return Sent(item.id, created, item.status, None, None, None)
        text = details.description or ""
        counterpart = details.entity.id if details.entity else None
        content = content_of(text, details.requirements or [])
        names = find_references(text)
        found = Sent(item.id, created, details.status, counterpart, text, content, names)
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
