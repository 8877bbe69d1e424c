"""What is asked of the service: one `Operation` for each request (docs/service.md 4)."""

from collections.abc import Callable, Container
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from pipeline.ids import plain_uuid
from pipeline.service import models
from pipeline.service.errors import UnaddressableId, UnexpectedShape
from pipeline.service.instants import milliseconds
from pipeline.service.unknown import unknown_fields

T = TypeVar("T")

_LIST = "the list of activities"
_SHOWN_ID = 80


@dataclass(slots=True)
class Operation(Generic[T]):
    """One request for one thing: what is asked for, what succeeds, how its body is read.

    ``path``: encoded, with its query. ``content``: what is posted, as JSON; None: the request is a GET.
    ``sent``: how often it was sent so far.
    """

    kind: Literal["login", "list", "details", "create"]
    name: str
    path: str
    read: Callable[[bytes], T]
    content: bytes | None = field(default=None, repr=False)
    success: Container[int] = (200,)
    sent: int = 0


@dataclass(frozen=True)
class ListQuery:
    """Filters of the list (docs/service.md 4.3). A filter that is None is not sent.

    ``limit``: most rows of a page; ``page``: from 1; ``from_``, ``to``: days.
    """

    limit: int | None = None
    page: int | None = None
    from_: date | None = None
    to: date | None = None

    def encoded(self) -> str:
        """Return the query string with its question mark."""
        given = {name.rstrip("_"): value for name, value in vars(self).items() if value is not None}
        return f"?{urlencode(given)}" if given else ""


def path_segment(activity_id: str) -> str:
    """Percent-encode an id as exactly one segment of a path.

    Raises `UnaddressableId` for an id that no encoding protects: every server reads dots as a folder
    even when they are encoded, and an empty id would ask for the list.
    """
    try:
        segment = quote(activity_id, safe="")
    except UnicodeEncodeError:
        segment = ""
    if segment in ("", ".", ".."):
        raise UnaddressableId("activity details", "no path can carry this id")
    return segment


@dataclass(frozen=True, slots=True)
class FetchedDetails:
    """One activity's details: the body as received, and the same decoded."""

    body: bytes = field(repr=False)
    activity: models.ActivityDetails


def login() -> Operation[tuple[str, float]]:
    """Return the request for a session token (docs/service.md 4.1), which names no number for success.

    It reads a token and its end in epoch seconds, 0 if that can't be read.
    """
    return Operation("login", "login", "/auth", _read_token, b"", success=range(200, 300))


def _read_token(body: bytes) -> tuple[str, float]:
    issued = models.token_reader.read(body, "login")
    text = issued.token
    if not (text.isascii() and text.isprintable() and text.strip() == text != ""):
        raise UnexpectedShape("login", "the session token cannot stand in a header")
    with suppress(ValueError, OverflowError):
        return text, float(milliseconds(issued.expires_at)) / 1000
    return text, 0.0  # nobody knows: a 401 leads to a login


def page(query: ListQuery, unnamed: set[str]) -> Operation[models.ActivitiesPage]:
    """Return the request for one page of the list (docs/service.md 4.3).

    ``unnamed``: takes the members of its envelope that the interface does not name.
    """

    def read(body: bytes) -> models.ActivitiesPage:
        unknown = unknown_fields(body, models.ActivitiesPage)
        unnamed.update(unknown)
        if body.strip() in (b"null", b"[]"):
            return models.ActivitiesPage(has_next=False)
        listed = models.read_page(body, _LIST)
        if listed.data is None and (unknown or listed.has_next):  # no list, but perhaps an error
            raise UnexpectedShape(_LIST, "the answer has no rows")
        return listed

    return Operation("list", _LIST, f"/activities{query.encoded()}", read)


def details(activity_id: str) -> Operation[FetchedDetails]:
    """Return the request for one activity's details (docs/service.md 4.4). Raises `UnaddressableId`."""
    segment = path_segment(activity_id)
    name = f"details of activity {segment[:_SHOWN_ID]}"

    def read(body: bytes) -> FetchedDetails:
        activity = models.decode_details(body, name)
        if activity.id != activity_id and _plain(activity.id) != _plain(activity_id):
            raise UnexpectedShape(name, "the details of another activity came")
        return FetchedDetails(body, activity)

    return Operation("details", name, f"/activities/{segment}", read)


def _plain(activity_id: str) -> str:
    """Return an id in the spelling in which two of the same activity are equal."""
    return plain_uuid(activity_id) or activity_id.lower()


def creation(request: models.AuthorizationRequest) -> Operation[None]:
    """Return the request that creates an Authorization activity (docs/service.md 4.2)."""
    name, path = "creation of an authorization", "/activities/authorizations"
    content = msgspec.json.encode(request)
    return Operation("create", name, path, lambda _: None, content, success=(201,))
