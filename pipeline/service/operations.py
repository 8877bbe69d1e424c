"""The operations of the service as `ServiceClient` sends them: how to ask, and how to read the answer."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

import httpx
import msgspec

from pipeline.service.errors import UnexpectedShape
from pipeline.service.models import (
    ActivitiesPage,
    ActivityDetails,
    AuthorizationRequest,
    decode_details,
    read_page,
)
from pipeline.service.requests import ListQuery, RequestBuilder, SecretHeaders, path_segment
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
    """One request for one thing: how it is built, what succeeds, how its body is read.

    ``failed``: how many requests had been sent when this one first failed; None: it has not failed.
    ``subject``: the activity whose details are asked for.
    """

    kind: Literal["list", "details", "create"]
    name: str
    build: Callable[[SecretHeaders], httpx.Request]
    read: Callable[[bytes], T]
    success: Container[int] = (200,)
    failed: int | None = None
    subject: str | None = None


@dataclass(frozen=True, repr=False)
class Operations:
    """Makes the operations of one client.

    ``unnamed``: members of the list's envelope that the interface does not name, as they come.
    """

    requests: RequestBuilder
    unnamed: set[str] = field(default_factory=set)

    def list(self, query: ListQuery) -> Operation[ActivitiesPage]:
        """Return the request for one page of the list (docs/service.md 4.3)."""
        name = "the list of activities"

        def read(body: bytes) -> ActivitiesPage:
            page = read_page(body, name)
            self.unnamed.update(unknown_fields(body, ActivitiesPage))
            return page

        path = f"/activities{query.encoded()}"
        return Operation("list", name, lambda headers: self.requests.get(path, headers), read)

    def details(self, activity_id: str, failed: int | None) -> Operation[FetchedDetails]:
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

        def build(headers: SecretHeaders) -> httpx.Request:
            return self.requests.get(f"/activities/{segment}", headers)

        return Operation("details", name, build, read, failed=failed, subject=activity_id)

    def create(self, request: AuthorizationRequest) -> Operation[None]:
        """Return the creation of an Authorization activity (docs/service.md 4.2)."""
        content = msgspec.json.encode(request)
        return Operation(
            "create",
            "creation of an authorization",
            lambda headers: self.requests.creation(headers, content),
            lambda _: None,
            success=(201,),
        )

    def probe(self) -> Operation[None]:
        """Return the request for one row of the list, which shows whether it may be read."""
        path = f"/activities{ListQuery(limit=1).encoded()}"
        return Operation(
            "list",
            "probe of access",
            lambda headers: self.requests.get(path, headers),
            lambda _: None,
        )
