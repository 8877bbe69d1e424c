"""The operations of the service as `ServiceClient` sends them: how to ask, and how to read the answer."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

import msgspec

from pipeline.service.errors import UnexpectedShape
from pipeline.service.models import (
    ActivitiesPage,
    ActivityDetails,
    AuthorizationRequest,
    decode_details,
    read_page,
)
from pipeline.service.requests import ListQuery, path_segment
from pipeline.service.unknown import unknown_fields

T = TypeVar("T")

_SHOWN_ID = 80


@dataclass(frozen=True, slots=True)
class FetchedDetails:
    """One activity's details: the body as received, and the same decoded."""

    body: bytes = field(repr=False)
    activity: ActivityDetails


@dataclass(slots=True)
class Operation(Generic[T]):
    """One request for one thing: what is asked for, what succeeds, how its body is read.

    ``path``: encoded, with its query. ``content``: what is sent; None: the request is a GET.
    ``failed``: how many requests had been sent when this one first failed; None: it has not failed.
    ``subject``: the activity whose details are asked for.
    """

    kind: Literal["list", "details", "create"]
    name: str
    path: str
    read: Callable[[bytes], T]
    content: bytes | None = field(default=None, repr=False)
    success: Container[int] = (200,)
    failed: int | None = None
    subject: str | None = None


def list_page(query: ListQuery, unnamed: set[str]) -> Operation[ActivitiesPage]:
    """Return the request for one page of the list (docs/service.md 4.3).

    ``unnamed``: takes the members of its envelope that the interface does not name.
    """
    name = "the list of activities"

    def read(body: bytes) -> ActivitiesPage:
        page = read_page(body, name)
        unnamed.update(unknown_fields(body, ActivitiesPage))
        return page

    return Operation("list", name, f"/activities{query.encoded()}", read)


def details(activity_id: str, failed: int | None) -> Operation[FetchedDetails]:
    """Return the request for one activity's details (docs/service.md 4.4). Raises `UnaddressableId`."""
    segment = path_segment(activity_id)
    name = f"details of activity {segment[:_SHOWN_ID]}"

    def read(body: bytes) -> FetchedDetails:
        activity = decode_details(body, name)
        if activity.id != activity_id and activity.id.lower() != activity_id.lower():
            mistaken = UnexpectedShape(name, "the details of another activity came")
            mistaken.body = body
            raise mistaken
        return FetchedDetails(body, activity)

    path = f"/activities/{segment}"
    return Operation("details", name, path, read, failed=failed, subject=activity_id)


def create(request: AuthorizationRequest) -> Operation[None]:
    """Return the creation of an Authorization activity (docs/service.md 4.2)."""
    content = msgspec.json.encode(request)
    return Operation(
        "create",
        "creation of an authorization",
        "/activities/authorizations",
        lambda _: None,
        content,
        success=(201,),
    )


def probe() -> Operation[None]:
    """Return the request for one row of the list, which shows whether it may be read."""
    path = f"/activities{ListQuery(limit=1).encoded()}"
    return Operation("list", "probe of access", path, lambda _: None)
