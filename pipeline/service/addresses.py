"""Paths and queries of the four operations (specification section 4), safely encoded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote, urlencode, urlsplit

import httpx
from yarl import URL

from pipeline.service.errors import UnaddressableId

_LONGEST_ID = 2000


@dataclass(frozen=True)
class ListQuery:
    """Filters of the list operation (4.3). What is None or empty is not sent.

    ``limit``: most rows of a page; ``page``: from 1; ``id``: an activity's; ``cifcode``: a profile's;
    ``entity``: ids of individuals or businesses, sent as one parameter each; ``from_``, ``to``: days.
    """

    limit: int | None = None
    page: int | None = None
    id: str | None = None
    cifcode: str | None = None
    entity: Sequence[str] = ()
    from_: date | None = None
    to: date | None = None

    def encoded(self) -> str:
        """Return the query string, without question mark; empty when nothing is asked for."""
        pairs = [
            ("limit", self.limit),
            ("page", self.page),
            ("id", self.id),
            ("cifcode", self.cifcode),
            *(("entity", entity) for entity in self.entity),
            ("from", self.from_.isoformat() if self.from_ else None),
            ("to", self.to.isoformat() if self.to else None),
        ]
        return urlencode([pair for pair in pairs if pair[1] is not None], quote_via=quote, safe="")


class Addresses:
    """URLs below one base URL.

    ``base_url``: ``scheme://host[:port][/prefix]``. Raises ValueError when it is none, or holds
    credentials, a query or a fragment; the reason does not quote it.
    """

    def __init__(self, base_url: str) -> None:
        try:
            base = httpx.URL(base_url)
        except httpx.InvalidURL:
            raise ValueError("the base URL is not a URL") from None
        if base.scheme not in ("http", "https") or not base.host:
            raise ValueError("the base URL must be http:// or https:// with a host")
        if base.port is not None and not 0 < base.port < 65536:
            raise ValueError("the base URL names an impossible port")
        if base.userinfo or base.query or base.fragment:
            raise ValueError("the base URL must hold no credentials, query or fragment")
        root = str(base).rstrip("/") + "/business/v1"
        #: ``host[:port]``, as shown in errors and sent as the Host header.
        self.host = urlsplit(root).netloc
        self.token = httpx.URL(f"{root}/auth")
        self.authorizations = httpx.URL(f"{root}/activities/authorizations")
        self._activities = f"{root}/activities"

    def list(self, query: ListQuery) -> URL:
        """Return the list operation's URL."""
        encoded = query.encoded()
        address = f"{self._activities}?{encoded}" if encoded else self._activities
        return URL(address, encoded=True)

    def details(self, segment: str) -> URL:
        """Return the details operation's URL for an id encoded by `path_segment`."""
        return URL(f"{self._activities}/{segment}", encoded=True)


def path_segment(activity_id: str) -> str:
    """Percent-encode an id as exactly one segment of a path.

    Raises `UnaddressableId` for an id that no encoding protects: dots mean a folder to every server
    even when encoded, and an empty one would ask for the list.
    """
    if activity_id in ("", ".", ".."):
        raise UnaddressableId("activity details", f"no path can carry the id {activity_id!r}")
    try:
        segment = quote(activity_id, safe="")
    except UnicodeEncodeError:
        segment = None
    if segment is None or len(segment) > _LONGEST_ID:
        raise UnaddressableId("activity details", "no path can carry an id like this one")
    return segment
