"""The four operations of the service (docs/service.md 4), each from a request to its answer."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, unquote

import msgspec

from .answers import JSON, Answer, Asked, Refused
from .auth import basic_header
from .bodies import Authorization, SessionToken
from .clock import zone_named
from .listing import listed, parsed, requested_range
from .statements import details_of, row_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .state import SandboxState

PREFIX: Final = "/business/v1"
LOGIN_PATH: Final = f"{PREFIX}/auth"
LIST_PATH: Final = f"{PREFIX}/activities"
CREATE_PATH: Final = f"{PREFIX}/activities/authorizations"
_OPERATIONS: Final = {
    LIST_PATH: ("list", "GET"),
    LOGIN_PATH: ("login", "POST"),
    CREATE_PATH: ("create", "POST"),
}


def routed(method: str, raw_path: str, headers: Mapping[str, str]) -> Asked:
    """Find the operation of a method and a raw (still percent-encoded) path with its query."""
    path, _, query = raw_path.partition("?")
    folder, _, last = path.rpartition("/")
    of_activity = ("details", "GET") if folder == LIST_PATH and last else (None, None)
    name, allowed = _OPERATIONS.get(path, of_activity)
    if method != allowed:
        return Asked(None, headers, allowed=allowed)
    # Decoded after the split, so that an id may hold a slash.
    return Asked(name, headers, query, unquote(last) if name == "details" else None)


def answered(state: SandboxState, asked: Asked) -> Answer:
    """Do what is asked; the caller holds the state's lock."""
    now = state.clock.now()
    try:
        if asked.allowed is not None:
            raise Refused(405, f"this path takes {asked.allowed} only", {"Allow": asked.allowed})
        if asked.operation is None:
            raise Refused(404, "there is no such path")
        _check_access(state, asked, now)
        zone = _caller_zone(state, asked)
        if asked.operation == "details":
            return _details(state, asked, now)
        if asked.operation == "list":
            return _list(state, asked, zone, now)
        return _create(state, asked, now) if asked.operation == "create" else _login(state, now)
    except Refused as refused:
        return refused.answer(now)


def _login(state: SandboxState, now: int) -> Answer:
    """Create a session token (docs/service.md 4.1)."""
    if state.behaviour.one_token:
        state.tokens.revoke_all()
    lifetime_ms = max(1, round(state.behaviour.token_seconds * 1000))
    token, expires_at = state.tokens.issue(now, lifetime_ms)
    body = SessionToken(token, expires_at + state.behaviour.token_skew_ms)
    return Answer(201, msgspec.json.encode(body))


def _create(state: SandboxState, asked: Asked, now: int) -> Answer:
    """Create an Authorization (docs/service.md 4.2): 201 without content."""
    content_type = asked.headers.get("Content-Type", "").partition(";")[0]
    if content_type.strip().lower() != JSON:
        raise Refused(400, f"the body must be {JSON}")
    try:
        wish = msgspec.json.decode(asked.body, type=Authorization)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(400, f"the body is wrong: {error}") from None
    state.world.authorize(wish, now)
    return Answer(201, b"", None)


def _list(state: SandboxState, asked: Asked, zone: str, now: int) -> Answer:
    """List a page of activities (docs/service.md 4.3)."""
    query = parsed(parse_qs(asked.query, keep_blank_values=True), state.behaviour)
    between = requested_range(query, state.behaviour, zone, now)
    shuffle = Random(f"{state.settings.seed}:{state.counts.requests}")
    activities, more = listed(state.world, query, state.behaviour, between, shuffle)
    rows = [
        row_of(each, state.behaviour, now) if each.row_instead is None else each.row_instead
        for each in activities
    ]
    has_next = b"true" if more else b"false"
    return Answer(200, b'{"has_next":%b,"data":[%b]}' % (has_next, b",".join(rows)))


def _details(state: SandboxState, asked: Asked, now: int) -> Answer:
    """Return the details of one activity (docs/service.md 4.4)."""
    activity = state.world.get(asked.activity_id or "", now)
    if activity is None:
        raise Refused(state.behaviour.unknown_id_status, "there is no such activity for you")
    body = activity.details_instead
    if body is None:
        body = details_of(activity, state.behaviour, now)
    if body is None:
        raise Refused(403, "the shared resources are no longer available")
    return Answer(200, body)


def _check_access(state: SandboxState, asked: Asked, now: int) -> None:
    """Check the key, then the credentials of a login or the token of all others (docs/service.md 5)."""
    header, wanted = asked.headers.get("Authorization"), state.settings.credentials
    if header is None:
        raise Refused(401, "an Authorization header is needed")
    if asked.headers.get("x-api-key") != wanted.api_key:
        raise Refused(403, "invalid API key")
    if asked.operation != "login":
        problem = state.tokens.problem(header, now)
    else:
        problem = None if header == basic_header(wanted) else "invalid credentials"
    if problem is not None:
        raise Refused(401, problem)


def _caller_zone(state: SandboxState, asked: Asked) -> str:
    """Return the caller's zone, by default that of the data; an unknown one gives 400."""
    name = asked.headers.get("x-pvt-timezone", state.settings.timezone)
    try:
        zone_named(name)
    except ValueError as error:
        raise Refused(400, f"x-pvt-timezone: {error}") from None
    return name
