"""The resources of docs/service.md 2 as typed structs.

Only an activity's ``id`` is required, because the service does not say which fields are always
present. An absent field and null both become None. Timestamps are epoch milliseconds;
`pipeline.service.instants` converts them. Enumerations are plain strings, so new values are accepted.
Free-form values stay undecoded JSON (`msgspec.Raw`). A repr shows ids and codes, never a shared value.
"""

from typing import Any

import msgspec

from pipeline.service.forms import Uuid
from pipeline.service.reading import Reader

#: An instant in epoch milliseconds: a number, a numeric text, or an object that holds one number.
Carrier = int | float | str | dict[str, Any]

#: Free-form JSON that is absent or null.
NO_VALUE = msgspec.Raw(b"null")

_SHOWN = ("id", "code", "status", "type")


class Record(msgspec.Struct, gc=False):
    """Base of all resources: a repr without personal values or secrets."""

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.__rich_repr__())
        return f"{type(self).__name__}({shown})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        fields = self.__struct_fields__
        return [(name, getattr(self, name)) for name in _SHOWN if name in fields]


class SessionToken(Record):
    """Session token (docs/service.md 2.1). Its repr does not show the token."""

    token: str
    expires_at: Any = None


class RequirementItem(Record, omit_defaults=True):
    """A requested item: its code (form ``IDT_<number>`` and others) (docs/service.md 2.3)."""

    code: str | None = None


class Requirement(Record, omit_defaults=True):
    """A requirement, as requested or declined (form ``RQ_<number>``) (docs/service.md 2.3)."""

    code: str | None = None
    items: list[RequirementItem] | None = None


class Phone(Record):
    """Identifies the receiving individual: two-letter country, digits (docs/service.md 2.2)."""

    phone_country_code: str
    phone_number: str


class ValidityThreshold(Record):
    """Period in which the activity stays valid, such as 48 ``HOURS`` (docs/service.md 2.2)."""

    time_unit: str
    amount: int | float


class AuthorizationRequest(Record, omit_defaults=True):
    """Body that creates an Authorization activity (docs/service.md 2.2). None is not sent."""

    description: str
    phone: Phone | None = None
    validity_threshold: ValidityThreshold | None = None
    requirements: list[Requirement] | None = None


class SocialMedia(Record):
    """One social link of an entity (docs/service.md 2.5)."""

    media: str | None = None
    url: str | None = None


class Entity(Record):
    """The counterpart: an individual or a business (docs/service.md 2.5)."""

    id: Uuid
    name: str | None = None
    cifcode: Uuid | None = None
    type: str | None = None
    avatar: str | None = None
    score: int | float | None = None
    scoring_level: str | None = None
    social_media: list[SocialMedia] | None = None
    created_at: Carrier | None = None
    unregistered: bool | None = None


class ListItem(Record):
    """One activity as the list shows it (docs/service.md 2.4)."""

    id: str
    type: str | None = None
    in_out_bound: str | None = None
    entity: Entity | None = None
    status: str | None = None
    time_zone: str | None = None
    created_at: Carrier | None = None


class ActivitiesPage(Record):
    """The list's envelope (docs/service.md 2.4). Rows stay undecoded: a bad row must not cost the page.

    ``has_next``: None if the page does not say. ``data``: some encoders make an object of an array with
    gaps, or leave out the array around a single row.
    """

    has_next: bool | None = None
    data: list[msgspec.Raw] | dict[str, msgspec.Raw] | None = None

    @property
    def rows(self) -> list[msgspec.Raw]:
        """Its rows; none if the list is empty."""
        if not isinstance(self.data, dict):
            return self.data or []
        alone = [msgspec.Raw(msgspec.json.encode(self.data))]
        return alone if "id" in self.data else [*self.data.values()]


class AcceptedData(Record):
    """What the counterpart shared, undecoded; `NO_VALUE` if absent or null (docs/service.md 2.6)."""

    value: msgspec.Raw = NO_VALUE


class AcceptedItem(Record):
    """An accepted item of an accepted requirement (docs/service.md 2.6)."""

    code: str | None = None
    type: str | None = None
    data: AcceptedData | None = None


class AcceptedRequirement(AcceptedItem):
    """A requirement the counterpart accepted, with what it shared (docs/service.md 2.6)."""

    category: str | None = None
    items: list[AcceptedItem] | None = None


class TimelineEntry(Record):
    """One change of status (docs/service.md 2.6). ``date_time``: ISO 8601 text, or epoch milliseconds."""

    status: str | None = None
    date_time: Carrier | None = None
    message: str | None = None
    http_request_id: str | None = None


class ExpiresIn(Record):
    """Duration after which shared resources expire (docs/service.md 2.6)."""

    time_unit: str | None = None
    amount: int | float | None = None


class ActivityDetails(ListItem):
    """One activity in full: all that the list shows, and more (docs/service.md 2.6)."""

    type_name: str | None = None
    description: str | None = None
    notification_message: str | None = None
    valid_until: Carrier | None = None
    attended_at: Carrier | None = None
    completed_at: Carrier | None = None
    expires_at: Carrier | None = None
    updated_at: Carrier | None = None
    expires_in: ExpiresIn | None = None
    requirements: list[Requirement] | None = None
    accepted_requirements: list[AcceptedRequirement] | None = None
    declined_requirements: list[Requirement] | None = None
    timeline: list[TimelineEntry] | None = None


details_reader = Reader(ActivityDetails, "the details", tolerant=True)
decode_details = details_reader.read
"""Decodes a details body (docs/service.md 2.6). Raises only `UnexpectedShape`."""

row_reader = Reader(ListItem, "the list row", tolerant=True)
decode_list_item = row_reader.read
"""Decodes one row of a list (docs/service.md 2.4). Raises only `UnexpectedShape`."""

# A row that is not UTF-8 must not cost the page: decoding that row fails later.
read_page = Reader(ActivitiesPage, "the list", whole=False, tolerant=True).read
"""Decodes a list response; its rows stay undecoded (docs/service.md 2.4). Raises only `UnexpectedShape`."""

token_reader = Reader(SessionToken, "the session token")
