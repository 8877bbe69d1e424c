"""What the load takes: observations of the service, with values as the tables hold them.

An *observation* is what one response said of one activity when it was received. Values are text,
numbers, aware datetimes and JSON as text, in the order of the tables' columns (``sql/sensitivity.yaml``).
No repr shows what members share.
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import ClassVar, TypeAlias

from pipeline.warehouse.schema.sensitivity import listed

Cell: TypeAlias = str | int | float | bool | bytes | date | datetime | Decimal | list[str] | None
Row: TypeAlias = tuple[Cell, ...]


def _columns(table: str, *ours: str) -> tuple[str, ...]:
    """Return the columns of a table that responses carry, in order: all but ``ours``."""
    return tuple(name for name in listed()[f"warehouse.{table}"] if name not in ours)


ENTITY_COLUMNS = _columns("entities", "digest", "observed_at", "unregistered_at")
"""Columns of ``warehouse.entities`` that a response carries."""

ENTITY_CODES = frozenset({"type", "scoring_level"})
"""Those of them that hold codes: they compare without case."""

ENTITY_ROW = (*ENTITY_COLUMNS, "digest", "observed_at")
"""Columns of ``warehouse.entities`` that are written: also the digest, and when the form came."""

LISTED_COLUMNS = ("type", "in_out_bound", "entity_id", "status", "time_zone", "created_at")
"""Columns of ``warehouse.activities`` that a row of the list carries (docs/service.md 2.4)."""

DETAILS_COLUMNS = _columns(
    "activities",
    *("id", "first_seen_at", "details_fetched_at", "gone_at"),
    *("values_erased_at", "personal_erased_at"),
)
"""Columns of ``warehouse.activities`` that a details response carries (docs/service.md 2.6)."""

ACTIVITY_ROW = ("id", *DETAILS_COLUMNS, "first_seen_at", "details_fetched_at")
"""Columns of ``warehouse.activities`` that are written: also when seen, and when details came."""

CHILDREN = {
    table: _columns(table, "activity_id")
    for table in ("requirements", "requirement_items", "accepted_items", "timeline_events")
}
"""Columns of the child tables of an activity."""


#: Of a UUID as text.
_UUID_LENGTH = 36


def is_id(subject: str) -> bool:
    """Return whether a subject is an activity's id. Without one it is a digest, which is shorter."""
    return len(subject) == _UUID_LENGTH


@dataclass(slots=True)
class EntityObservation:
    """One form of a counterpart. ``values`` follow ``ENTITY_COLUMNS``."""

    id: str
    values: Row = field(repr=False)
    social_media: list[Row] | None = field(repr=False)
    """``(position, media, url)`` each; None if the response does not tell."""
    digest: bytes
    observed_at: datetime
    fills: bool = False
    """Whether it only fills what is not known: details tell otherwise than the list."""

    @property
    def said(self) -> dict[str, Cell]:
        """The values by column."""
        return dict(zip(ENTITY_COLUMNS, self.values, strict=True))


@dataclass(slots=True, kw_only=True)
class Observation:
    """What one response said of one activity. ``said``: values by column, and other fields."""

    columns: ClassVar[tuple[str, ...]]

    activity_id: str
    day: date | None
    body: bytes = field(repr=False)
    digest: bytes
    """Of the bytes: by it ``landing`` knows whether somebody altered the body."""
    meaning: bytes
    """Digest of what is stored of it; two responses are the same if they have the same."""
    received_at: datetime
    said: dict[str, Cell] = field(repr=False)
    entity: EntityObservation | None
    children: dict[str, list[Row]] = field(default_factory=dict, repr=False)
    """By table of `CHILDREN`: rows without the activity's id. The list has none."""
    codes: list[tuple[str, str]] = field(default_factory=list)
    """``(kind, value)`` of unknown codes and fields, for ``sync.unknown_values``."""

    @property
    def values(self) -> Row:
        """The values of ``columns``, in order."""
        return tuple(map(self.said.__getitem__, self.columns))


@dataclass(slots=True, kw_only=True)
class ListObservation(Observation):
    """One activity's row of the list."""

    columns = LISTED_COLUMNS

    day: date
    spelling: str | None = None
    """The id as the list spells it; None: as `activity_id`."""
    entity_news: bool = False
    """Whether its counterpart differs from the stored one; the row itself may be unchanged."""

    @property
    def dated(self) -> bool:
        """Whether the row carries its creation; if not, ``day`` is a guess."""
        return self.said["created_at"] is not None


@dataclass(slots=True, kw_only=True)
class DetailsObservation(Observation):
    """One details response."""

    columns = DETAILS_COLUMNS

    mapping_version: int
    asked_at: datetime
    """When they were asked for: they answer for no row of the list that came later."""
    service_time: datetime
    """What the service's clock said at ``received_at``."""
    final: bool
    deadline_at: datetime | None
    own: bytes
    """Their meaning without what the counterpart says of itself."""
    as_listed: bytes
    """The meaning that a row of the list has if it agrees with them."""


@dataclass(slots=True)
class Failure:
    """A response that could not be fetched, or not be stored as specified."""

    source: str
    """``list`` or ``details``."""
    subject: str
    """The activity id; without one, the payload's digest in hexadecimal."""
    activity_id: str | None
    day: date | None
    reason: str
    payload: bytes | None = field(repr=False)
    at: datetime
    day_guessed: bool = False
    """Whether ``day`` is a guess; a day recorded before wins over it."""
    listed: bytes | None = None
    """Of a row of the list that has an id but can't be read: the digest of its bytes."""
    spelling: str | None = None
    """Of such a row: as in `ListObservation`."""


@dataclass(slots=True)
class Outcome:
    """What a run found out about one activity; one transaction stores all of it.

    ``listed`` without ``details``: only the list row is news. ``failures`` go to quarantine.
    ``withheld_at``: when details were answered 403 because the sharing period is over. ``gone_at``:
    when they were answered 403 or 404 for an activity that a proven list no longer has. ``not_yet_at``:
    when details of a new activity could not be read yet. ``unanswered``: details were refused or failed,
    and nobody has judged yet what that means. ``stored``: nothing came, what ``landing`` holds is loaded
    again; ``rewrite``: its rows are not those that the mapping makes of it.
    """

    subject: str
    listed: ListObservation | None = None
    details: DetailsObservation | None = None
    failures: list[Failure] = field(default_factory=list)
    withheld_at: datetime | None = None
    gone_at: datetime | None = None
    not_yet_at: datetime | None = None
    unanswered: bool = False
    stored: bool = False
    rewrite: bool = False

    @property
    def size(self) -> int:
        """Size of the responses in bytes."""
        return sum(len(each.body) for each in (self.listed, self.details) if each)
