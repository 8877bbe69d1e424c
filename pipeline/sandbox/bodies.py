"""The bodies of requests and answers (docs/service.md 2). The OpenAPI document is made of them.

A body that the sandbox receives is checked against its struct; one that it sends is encoded from
it. Optional members that are absent are `UNSET`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from .catalogue import TimeUnit  # noqa: TC001  # read by msgspec at run time

LARGEST_NUMBER: Final = 999_999_999
_MANY: Final = Meta(max_length=100)


def _one_of(*values: str) -> Meta:
    return Meta(extra_json_schema={"enum": list(values)})


RequirementCode = Annotated[str, Meta(pattern="^RQ_[0-9]{1,6}$")]
ItemCode = Annotated[str, Meta(pattern="^[A-Z]{3}_[0-9]{1,6}$")]
Direction = Annotated[str, _one_of("IN", "OUT")]
Number = Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)]


class InstantObject(Struct):
    """`created_at` or `updated_at` as an object that carries its number (epoch ms)."""

    value: float


Instant = float | str | InstantObject


class SessionToken(Struct):
    """Answer of the token operation (2.1)."""

    token: str
    expires_at: float


class Error(Struct):
    """Answer to a refused request. The service does not document its own shape (7)."""

    status: int
    error: str
    message: str
    timestamp: float


class Link(Struct):
    """Social link of an entity."""

    media: str
    url: str


class Entity(Struct):
    """A counterpart (2.5)."""

    id: str
    name: str
    cifcode: str
    type: Annotated[str, _one_of("INDIVIDUAL", "BUSINESS")]
    avatar: str | None
    score: float
    scoring_level: Annotated[str, _one_of("POOR", "FAIR", "GOOD", "EXCELLENT", "EXCELENT")]
    social_media: list[Link]
    created_at: float
    unregistered: bool


class Item(Struct, frozen=True):
    """Requested item of a requirement."""

    code: ItemCode


class Requirement(Struct, frozen=True):
    """A requirement with its requested items (2.3)."""

    code: RequirementCode
    items: Annotated[tuple[Item, ...], _MANY] = ()


class SharedData(Struct):
    """What a member shares: any object."""

    value: dict[str, Any]


class AcceptedItem(Struct):
    """Item of an accepted requirement. Its data is gone after `expires_at`."""

    code: str
    type: str
    data: SharedData | UnsetType = UNSET


class AcceptedRequirement(Struct, kw_only=True):
    """A requirement that the counterpart accepted (2.6). Its data is gone after `expires_at`."""

    code: str
    type: str
    category: str
    data: SharedData | UnsetType = UNSET
    items: list[AcceptedItem]


class TimelineEntry(Struct):
    """A change of status (2.6)."""

    status: str | None
    date_time: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
    message: str
    http_request_id: Annotated[str, Meta(extra_json_schema={"format": "uuid"})]


class ExpiresIn(Struct):
    """How long accepted data stays available."""

    time_unit: TimeUnit
    amount: float


class ActivityRow(Struct):
    """Row of the list (2.4)."""

    id: str
    type: str
    in_out_bound: Direction
    entity: Entity | None
    status: str
    time_zone: str
    created_at: Instant


class ActivityList(Struct):
    """Answer of the list operation (4.3)."""

    has_next: bool
    data: list[ActivityRow]


class ActivityDetails(Struct, kw_only=True):
    """Answer of the details operation (2.6)."""

    id: str
    type: str
    type_name: str
    in_out_bound: Direction
    description: str
    status: str
    notification_message: str | UnsetType | None = UNSET
    time_zone: str
    valid_until: float
    attended_at: float | UnsetType | None = UNSET
    completed_at: float | UnsetType | None = UNSET
    expires_at: float | UnsetType | None = UNSET
    created_at: Instant
    updated_at: Instant
    expires_in: ExpiresIn
    entity: Entity | None
    requirements: tuple[Requirement, ...]
    accepted_requirements: list[AcceptedRequirement] | UnsetType = UNSET
    declined_requirements: tuple[Requirement, ...] | UnsetType = UNSET
    timeline: list[TimelineEntry]


class Phone(Struct):
    """Phone number that identifies the receiver."""

    phone_country_code: Annotated[str, Meta(pattern="^[A-Za-z]{2}$")]
    phone_number: Annotated[str, Meta(pattern="^[0-9]{4,15}$")]


class ValidityThreshold(Struct):
    """How long the activity waits for an answer, at most ten years of minutes."""

    time_unit: TimeUnit
    amount: Annotated[float, Meta(gt=0, le=5_256_000)]


class Authorization(Struct):
    """Body of the create operation (2.2)."""

    description: Annotated[str, Meta(min_length=1, max_length=4000)]
    phone: Phone
    validity_threshold: ValidityThreshold | UnsetType = UNSET
    requirements: Annotated[tuple[Requirement, ...], _MANY] = ()
