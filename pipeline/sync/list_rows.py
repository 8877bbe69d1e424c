"""One row of the list: what is read of it, and what can be read of a malformed one.

Implements docs/service.md 2.5 and docs/design.md "List".
"""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime

import msgspec

from pipeline.service.errors import UnexpectedShape
from pipeline.service.instants import instant_from_carrier
from pipeline.service.models import NO_VALUE, ListItem, decode_list_item
from pipeline.service.reading import Reader
from pipeline.sync.counterparts import Form, form_of
from pipeline.sync.fields import (
    Unstorable,
    digest,
    implausible,
    mend,
    read_instant,
    read_uuid,
)
from pipeline.sync.meaning import meaning_of_row
from pipeline.warehouse.state.rows import EntityObservation, Failure


@dataclass(slots=True)
class ListRow:
    """One row of the list as received. ``subject``: the id, else the row's digest in hexadecimal.

    ``created_at``: None when it can't be read, or can't be true. ``malformed``: why the row can't be read.
    ``expired``: whether it says that the sharing period is over. ``several``: whether its page had another
    row of its id. ``spelling``: as in `ListObservation`. ``form``: of its counterpart.
    """

    subject: str
    created_at: datetime | None
    body: bytes = field(repr=False)
    meaning: bytes
    form: Form | None = field(repr=False)
    received_at: datetime
    malformed: str | None = None
    activity_id: str | None = None
    expired: bool = False
    several: bool = False
    spelling: str | None = None

    @property
    def entity(self) -> EntityObservation | None:
        """Its counterpart. Many rows have the same: few are needed."""
        return self.form and EntityObservation(*self.form, self.received_at)

    def decode(self) -> ListItem:
        """Return what it says, if it can be read. A run holds thousands of rows: few are needed decoded."""
        return decode_list_item(mend(self.body) or self.body)


class _UsualRow(ListItem):
    """A row in its usual form. Its counterpart is left undecoded: many rows have the same."""

    entity: msgspec.Raw = NO_VALUE  # type: ignore[assignment]
    created_at: int | None = None


_read_usual = Reader(_UsualRow, "the list row").read


def read_row(body: bytes, received_at: datetime, now: datetime | None) -> ListRow:
    """Read one row of the list, even a malformed one. ``now``: as in `implausible`."""
    try:
        item, form = _read(mend(body) or body)
        name = read_uuid("id", item.id)
        created_at = read_instant("created_at", instant_from_carrier, item.created_at)
        reason = implausible(created_at, now)
        if reason is not None:
            raise Unstorable(reason)
    except UnexpectedShape as error:
        return _read_malformed(body, received_at, now, error.cause)
    except Unstorable as error:
        return _read_malformed(body, received_at, now, str(error))
    # In the order of `LISTED_COLUMNS`.
    said = (item.type, item.in_out_bound, form and form[0], item.status, item.time_zone, created_at)
    return ListRow(
        subject=name,
        created_at=created_at,
        body=body,
        meaning=meaning_of_row(name, said),
        form=form,
        received_at=received_at,
        activity_id=name,
        expired=str(item.status).upper() == "EXPIRED",
        spelling=_spelling(item.id, name),
    )


def _read(body: bytes) -> tuple[ListItem, Form | None]:
    """Return what a row and its counterpart say. Raises `Unstorable` or `UnexpectedShape`."""
    with suppress(UnexpectedShape, Unstorable, ValueError, RecursionError):
        row = _read_usual(body)
        return row, None if row.entity == NO_VALUE else form_of(bytes(row.entity))
    item = decode_list_item(body)
    return item, form_of(msgspec.json.encode(item.entity)) if item.entity else None


def _spelling(given: str, name: str) -> str | None:
    """Return the spelling by which the service knows an id; None: as we spell it. Blanks only pad it."""
    return None if given.strip() == name else given.strip()


def _read_malformed(
    body: bytes, received_at: datetime, now: datetime | None, reason: str
) -> ListRow:
    """Return what can be read of a malformed row: its id as a UUID and as sent, and its creation."""
    name, shown, spelling, created_at, loose = None, None, None, None, dict[str, object]()
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        loose = msgspec.json.decode(body, type=dict[str, object])
    given = loose.get("id")
    # Of a row whose id is none, nothing else is believed.
    with suppress(Unstorable, ValueError):
        if isinstance(given, str):
            # An id that is no UUID is kept for people to read: short, and without NUL.
            shown = given[:100].replace("\0", "\ufffd")
            name = shown = read_uuid("id", given)
            spelling = _spelling(given, name)
        created_at = instant_from_carrier(loose.get("created_at"))
    own = digest(body)
    return ListRow(
        subject=name or own.hex(),
        created_at=None if implausible(created_at, now) else created_at,
        body=body,
        meaning=own,
        form=None,
        received_at=received_at,
        malformed=reason,
        activity_id=shown,
        spelling=spelling,
    )


def list_failure(row: ListRow, day: date) -> Failure:
    """Return the entry of the quarantine for a malformed row. ``day``: where it counts."""
    with_id = row.activity_id == row.subject
    return Failure(
        source="list",
        subject=row.subject,
        activity_id=row.activity_id,
        day=day,
        reason=row.malformed or "",
        payload=row.body,
        at=row.received_at,
        day_guessed=row.created_at is None and with_id,
        listed=row.meaning if with_id else None,
        spelling=row.spelling,
    )
