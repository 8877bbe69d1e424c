"""The four operations of the service (docs/service.md 4), each from a request to its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, unquote

import msgspec

from .answers import JSON, Answer, Asked, Refused
from .auth import basic_credentials, bearer_token
from .bodies import Authorization, SessionToken
from .clock import zone_named
from .listing import parsed

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
    activity_id = None
    if path in _OPERATIONS:
        name, allowed = _OPERATIONS[path]
    elif folder == LIST_PATH and last:
        name, allowed = "details", "GET"
        # Decoded after the split, so that an id may hold a slash.
        activity_id = unquote(last) if method == "GET" else None
    else:
        return Asked(None, headers)
    return Asked(name if method == allowed else None, headers, query, activity_id, allowed=allowed)


def answered(state: SandboxState, asked: Asked) -> Answer:
    """Do what is asked; the caller holds the state's lock."""
    now = state.clock.now()
    try:
        if asked.operation == "details":
            return _details(state, asked, now)
        if asked.operation == "list":
            return _list(state, asked, now)
        if asked.operation == "login":
            return _login(state, asked, now)
        if asked.operation == "create":
            return _create(state, asked, now)
        if asked.allowed is None:
            raise Refused(404, "there is no such path")
        raise Refused(405, f"this path takes {asked.allowed} only", {"Allow": asked.allowed})
    except Refused as refused:
        return refused.answer(state.behaviour, now)


def _login(state: SandboxState, asked: Asked, now: int) -> Answer:
    """Create a session token (docs/service.md 4.1)."""
    _check_key(state, asked)
    wanted = state.settings.credentials
    if basic_credentials(asked.headers["Authorization"]) != (wanted.username, wanted.password):
        raise Refused(401, "invalid credentials")
    _caller_zone(state, asked)
    if state.behaviour.one_token:
        state.tokens.revoke_all()
    lifetime_ms = max(1, round(state.behaviour.token_seconds * 1000))
    token, expires_at = state.tokens.issue(now, -1000 if asked.token_expired else lifetime_ms)
    body = SessionToken(token, expires_at + state.behaviour.token_skew_ms)
    return Answer(201, msgspec.json.encode(body))


def _create(state: SandboxState, asked: Asked, now: int) -> Answer:
    """Create an Authorization (docs/service.md 4.2): 201 without content."""
    _check_session(state, asked, now)
    _caller_zone(state, asked)
    content_type = asked.headers.get("Content-Type", "").partition(";")[0]
    if content_type.strip().lower() != JSON:
        raise Refused(400, f"the body must be {JSON}")
    try:
        wish = msgspec.json.decode(asked.body, type=Authorization)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(400, f"the body is wrong: {error}") from None
    codes = [r.code for r in wish.requirements] + [
        i.code for r in wish.requirements for i in r.items
    ]
    if any(text.endswith("\n") for text in (*codes, *msgspec.structs.astuple(wish.phone))):
        # `$` in a pattern lets a line break at the end through.
        raise Refused(400, "the body is wrong: a code or number ends with a line break")
    state.world.authorize(wish, now)
    return Answer(201, b"", None)


def _list(state: SandboxState, asked: Asked, now: int) -> Answer:
    """List a page of activities (docs/service.md 4.3)."""
    _check_session(state, asked, now)
    zone = _caller_zone(state, asked)
    query = parsed(parse_qs(asked.query, keep_blank_values=True), state.behaviour)
    activities, more = state.lister.page(query, zone, now)
    rows = [state.listed_row(activity, now) for activity in activities]
    has_next = b"true" if more else b"false"
    return Answer(200, b'{"has_next":%b,"data":[%b]}' % (has_next, b",".join(rows)))


def _details(state: SandboxState, asked: Asked, now: int) -> Answer:
    """Return the details of one activity (docs/service.md 4.4)."""
    _check_session(state, asked, now)
    _caller_zone(state, asked)
    activity = state.world.get(asked.activity_id or "", now)
    if activity is None:
        raise Refused(state.behaviour.unknown_id_status, "there is no such activity for you")
    body = state.answered_details(activity, now)
    if body is None:
        raise Refused(403, "the shared resources are no longer available")
    return Answer(200, body)


def _check_key(state: SandboxState, asked: Asked) -> None:
    """Check `x-api-key`, after the presence of an `Authorization` (docs/service.md 5)."""
    if "Authorization" not in asked.headers:
        raise Refused(401, "an Authorization header is needed")
    given, wanted = asked.headers.get("x-api-key", ""), state.settings.credentials.api_key
    if given != wanted:
        raise Refused(403, "invalid API key")


def _check_session(state: SandboxState, asked: Asked, now: int) -> None:
    """Check Bearer token and key: an invalid or expired token gives 401 (docs/service.md 5)."""
    _check_key(state, asked)
    token = bearer_token(asked.headers["Authorization"])
    problem = "a Bearer token is needed" if token is None else state.tokens.problem(token, now)
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
