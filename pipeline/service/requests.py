"""The requests of the four operations, ready to send (docs/service.md 4).

The path of a GET stands in the request's ``target`` extension, which our transport knows. So nothing
parses or rewrites it: an id keeps exactly the escapes that `path_segment` gave it, and one URL object
serves all GETs.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote, urlencode

import httpx

from pipeline.service.config import ServiceConfig
from pipeline.service.errors import UnaddressableId
from pipeline.service.models import SessionToken

_LONGEST_SEGMENT = 2000
_NO_BODY = httpx.ByteStream(b"")


class SecretHeaders(httpx.Headers):
    """Headers whose repr shows names only."""

    def __repr__(self) -> str:
        return f"SecretHeaders({', '.join(self)})"


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


class RequestBuilder:
    """Builds the requests of one business to one service; each is an `httpx.Request`.

    `pipeline.settings` has checked the address and the credentials.
    """

    def __init__(self, config: ServiceConfig) -> None:
        base = httpx.URL(config.base_url)
        root = f"{str(base).rstrip('/')}/business/v1"
        #: ``host[:port]``, as errors show it.
        self.host = base.netloc.decode()
        self._root = httpx.URL(root)
        self._target = self._root.raw_path
        self._common = _common_headers(config, self.host)
        secret = f"{config.credentials.username}:{config.credentials.password}".encode()
        basic = f"Basic {base64.b64encode(secret).decode()}"
        self._token_headers = _extend(self._common, "Authorization", basic)
        timeout = httpx.Timeout(config.read_timeout, connect=config.connect_timeout, pool=None)
        self._extensions = {"timeout": timeout.as_dict()}

    def authorize(self, token: SessionToken) -> SecretHeaders:
        """Return the headers of every request that uses this token (docs/service.md 5)."""
        return _extend(self._common, "Authorization", f"Bearer {token.token}")

    def token(self) -> httpx.Request:
        """Ask for a session token (docs/service.md 4.1)."""
        return self._post("/auth", self._token_headers, b"")

    def build(
        self, path: str, headers: SecretHeaders, content: bytes | None = None
    ) -> httpx.Request:
        """Ask for what stands at an encoded ``path`` with its query, or send ``content`` there as JSON."""
        if content is not None:
            return self._post(path, _extend(headers, "Content-Type", "application/json"), content)
        extensions = {"target": self._target + path.encode()}
        return httpx.Request(
            "GET", self._root, headers=headers, stream=_NO_BODY, extensions=extensions
        )

    def _post(self, path: str, headers: SecretHeaders, content: bytes) -> httpx.Request:
        url = self._root.copy_with(raw_path=self._target + path.encode())
        return httpx.Request(
            "POST", url, headers=headers, content=content, extensions=self._extensions
        )


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


def _common_headers(config: ServiceConfig, host: str) -> SecretHeaders:
    return SecretHeaders(
        [
            ("Host", host),
            ("Accept", "application/json"),
            ("Accept-Encoding", "gzip"),
            ("User-Agent", "activity-warehouse"),
            ("x-api-key", config.credentials.api_key),
            ("x-pvt-timezone", config.timezone),
        ],
        encoding="utf-8",
    )


def _extend(headers: SecretHeaders, name: str, value: str) -> SecretHeaders:
    return SecretHeaders([*headers.raw, (name.encode(), value.encode())])
