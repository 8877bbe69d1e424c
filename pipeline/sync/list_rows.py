"""One row of the list: what is read of it, and what can be read of a malformed one.

Implements docs/service.md 2.5 and docs/design.md "Walk".
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

import msgspec

from pipeline.service.errors import UnexpectedShape
from pipeline.service.instants import instant_from_carrier
from pipeline.service.models import Carrier, decode_list_item
from pipeline.sync.days import DayRange, day_of
from pipeline.sync.fields import Unstorable, digest, fingerprint, read_uuid
from pipeline.sync.mapping import Mapper
from pipeline.sync.stamps import Stamp
from pipeline.warehouse.rows import Failure, Outcome


class _Glance(msgspec.Struct, gc=False):
    """The fields that an unchanged row needs: reading no more keeps a walk cheap."""

    id: str
    created_at: Carrier | None = None
    entity: msgspec.Raw = msgspec.Raw(b"null")


_glance = msgspec.json.Decoder(_Glance)


@dataclass(slots=True)
class ListRow:
    """One row of the list as received. ``subject``: the id, else the row's digest in hexadecimal.

    ``created_at``: None when it can't be read, so that ``day`` is a guess. ``entity_digest``: of the
    nested entity's bytes. ``malformed``: why the row can't be read. ``moved``: it is stored under a day
    outside the window that lists it now. ``before``: the row as another answer of this run had it.
    """

    subject: str
    day: date
    created_at: datetime | None
    body: bytes = field(repr=False)
    digest: bytes
    entity_digest: bytes
    received_at: datetime
    malformed: str | None = None
    activity_id: str | None = None
    moved: bool = False
    before: bytes | None = field(default=None, repr=False)
    _fingerprint: bytes | None = field(default=None, repr=False)

    @property
    def fingerprint(self) -> bytes:
        """Digest of the row without its entity: when it changes, details are needed. Made lazily."""
        if self._fingerprint is None:
            self._fingerprint = fingerprint(self.body)
        return self._fingerprint

    def note_other(self, other: "ListRow | None") -> None:
        """Remember the row as other answers had it, if any of them has other bytes."""
        for body in (other.before, other.body) if other is not None else ():
            if body is not None and body != self.body:
                self.before = body

    @classmethod
    def of_one(cls, name: str, day: date, body: bytes, received_at: datetime) -> "ListRow":
        """Return a row that came when the list was asked for this activity only."""
        return cls(name, day, None, body, digest(body), b"", received_at)


@dataclass(frozen=True)
class Reading:
    """How the rows of one window are read.

    ``possible``: days whose rows the service may send for the dates that were asked for. ``stamp``: gives
    the times of receipt. ``read``: rows that were read before, by their bytes; they are not parsed again.
    """

    days: DayRange
    zone: ZoneInfo
    possible: DayRange
    stamp: Stamp
    read: dict[bytes, ListRow]


def read_row(body: bytes, received_at: datetime, reading: Reading) -> ListRow:
    """Read one row of the list, even a malformed one; remember it in ``reading`` if it is of its days."""
    row = reading.read.get(body)
    if row is not None:
        row.received_at = received_at
        return row
    entity, malformed = b"", None
    try:
        glance = _glance.decode(body)
        name: str | None = read_uuid("id", glance.id)
        shown = name
        created_at = instant_from_carrier(glance.created_at)
        entity = digest(bytes(glance.entity))
    except (ValueError, RecursionError, Unstorable):
        name, shown, created_at, malformed = _read_malformed(body)
    # The window's first day stands for the day of a row that does not say it.
    day = reading.days.first if created_at is None else day_of(created_at, reading.zone)
    if day not in reading.possible:
        day, created_at = reading.days.first, None
        malformed = "created_at lies far outside the days that were asked for"
    own = digest(body)
    row = ListRow(
        subject=name or own.hex(),
        day=day,
        created_at=created_at,
        body=body,
        digest=own,
        entity_digest=entity,
        received_at=received_at,
        malformed=malformed,
        activity_id=shown,
    )
    if day in reading.days:
        reading.read[body] = row
    return row


def _read_malformed(body: bytes) -> tuple[str | None, str | None, datetime | None, str]:
    """Return what can be read of a malformed row: its id as a UUID and as sent, creation, reason."""
    name, shown, created_at, reason = None, None, None, "does not have the specified shape"
    try:
        loose = msgspec.json.decode(body, type=dict[str, object])
        given = loose.get("id")
        if isinstance(given, str):
            # An id that is no UUID is kept for people to read: short, and without NUL.
            shown = given[:100].replace("\0", "\ufffd")
            name = shown = read_uuid("id", given)
        created_at = instant_from_carrier(loose.get("created_at"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # the whole row is unreadable: the decoding below says why
    except (ValueError, Unstorable) as error:
        reason = str(error)
    try:
        decode_list_item(body)
    except UnexpectedShape as error:
        reason = error.cause
    return name, shown, created_at, reason


def list_outcome(mapper: Mapper, row: ListRow) -> Outcome:
    """Return the outcome of a row of the list: mapped, or the reason why that can't be done."""
    reason = row.malformed
    if reason is None:
        try:
            listed = mapper.listed(row.body, row.received_at, row.day, row.fingerprint)
            listed.before = row.before
            return Outcome(row.subject, listed=listed)
        except (UnexpectedShape, Unstorable) as error:
            reason = error.cause if isinstance(error, UnexpectedShape) else str(error)
    failure = Failure(
        source="list",
        subject=row.subject,
        activity_id=row.activity_id,
        day=row.day,
        reason=reason,
        payload=row.body,
        at=row.received_at,
        day_guessed=row.created_at is None and row.activity_id == row.subject,
    )
    return Outcome(row.subject, failures=[failure])
