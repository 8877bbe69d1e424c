"""What is asked of the service: one `Operation` for each request (docs/service.md 4)."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from pipeline.service.errors import UnaddressableId

T = TypeVar("T")

_LONGEST_SEGMENT = 2000


@dataclass(slots=True)
class Operation(Generic[T]):
    """One request for one thing: what is asked for, what succeeds, how its body is read.

    ``path``: encoded, with its query. ``content``: what is posted, as JSON; None: the request is a GET.
    ``failed``: how many requests had been sent when this one first failed; None: it has not failed.
    ``subject``: the activity whose details are asked for.
    """

    kind: Literal["login", "list", "details", "create"]
    name: str
    path: str
    read: Callable[[bytes], T]
    content: bytes | None = field(default=None, repr=False)
    success: Container[int] = (200,)
    failed: int | None = None
    subject: str | None = None


@dataclass(frozen=True)
class ListQuery:
    """Filters of the list (docs/service.md 4.3). A filter that is None or empty is not sent.

    ``limit``: most rows of a page; ``page``: from 1; ``id``: of an activity; ``cifcode``: of a profile;
    ``entity``: ids of individuals or businesses; ``from_``, ``to``: days.
    """

    limit: int | None = None
    page: int | None = None
    id: str | None = None
    cifcode: str | None = None
    entity: Sequence[str] = ()
    from_: date | None = None
    to: date | None = None

    def encoded(self) -> str:
        """Return the query string with its question mark, one parameter for each entity."""
        given = {name.rstrip("_"): value for name, value in vars(self).items() if value is not None}
        query = urlencode(given, doseq=True, quote_via=quote, safe="")
        return f"?{query}" if query else ""


def path_segment(activity_id: str) -> str:
    """Percent-encode an id as exactly one segment of a path.

    Raises `UnaddressableId` for an id that no encoding protects: every server reads dots as a folder
    even when they are encoded, and an empty id would ask for the list.
    """
    try:
        segment = quote(activity_id, safe="")
    except UnicodeEncodeError:
        segment = ""
    if segment in ("", ".", "..") or len(segment) > _LONGEST_SEGMENT:
        raise UnaddressableId("activity details", "no path can carry this id")
    return segment
