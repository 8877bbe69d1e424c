"""The bodies of requests and answers (docs/service.md 2).

A body that the sandbox receives is checked against its struct; one that it sends is encoded from
it. Optional members that are absent are `UNSET`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from .catalogue import TimeUnit  # noqa: TC001  # read by msgspec at run time

_MANY: Final = Meta(max_length=100)


# `$` alone lets a line break at the end through.
RequirementCode = Annotated[str, Meta(pattern=r"^RQ_[0-9]{1,6}(?!\n)$")]
ItemCode = Annotated[str, Meta(pattern=r"^[A-Z]{3}_[0-9]{1,6}(?!\n)$")]
Number = Annotated[int, Meta(ge=1, le=999_999_999)]


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
    type: str
    avatar: str | None
    score: float
    scoring_level: str
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


# What a member shares: `value` is any object.
SharedData = dict[str, Any]


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
    date_time: str
    message: str
    http_request_id: str


class ExpiresIn(Struct):
    """How long accepted data stays available."""

    time_unit: TimeUnit
    amount: float


class ActivityRow(Struct):
    """Row of the list (2.4)."""

    id: str
    type: str
    in_out_bound: str
    entity: Entity | None
    status: str
    time_zone: str
    created_at: float


class ActivityDetails(Struct, kw_only=True):
    """Answer of the details operation (2.6)."""

    id: str
    type: str
    type_name: str
    in_out_bound: str
    description: str
    status: str
    notification_message: str | UnsetType | None = UNSET
    time_zone: str
    valid_until: float
    attended_at: float | UnsetType | None = UNSET
    completed_at: float | UnsetType | None = UNSET
    expires_at: float | UnsetType | None = UNSET
    created_at: float
    updated_at: float
    expires_in: ExpiresIn
    entity: Entity | None
    requirements: tuple[Requirement, ...]
    accepted_requirements: list[AcceptedRequirement] | UnsetType = UNSET
    declined_requirements: tuple[Requirement, ...] | UnsetType = UNSET
    timeline: list[TimelineEntry]


class Phone(Struct):
    """Phone number that identifies the receiver."""

    phone_country_code: Annotated[str, Meta(pattern=r"^[A-Za-z]{2}(?!\n)$")]
    phone_number: Annotated[str, Meta(pattern=r"^[0-9]{4,15}(?!\n)$")]


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
