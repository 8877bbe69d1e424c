"""The four operations of the specification (§4), each from a request to its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, unquote

import msgspec

from .auth import basic_credentials, bearer_token, same
from .authorizations import decoded
from .listing import parsed
from .refusals import JSON, Answer, Refused, refusal
from .zones import zone_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .state import SandboxState

PREFIX: Final = "/business/v1"
LOGIN_PATH: Final = f"{PREFIX}/auth"
LIST_PATH: Final = f"{PREFIX}/activities"
CREATE_PATH: Final = f"{PREFIX}/activities/authorizations"
_DETAILS_PREFIX: Final = f"{LIST_PATH}/"
_DEFAULT_VALIDITY_MS: Final = 72 * 3_600_000


class Asked(msgspec.Struct):
    """A request as the operations see it.

    `operation` is None where the path is known but not with this method (`allowed` is the one it
    takes), or where nothing is (`allowed` None).
    """

    operation: str | None
    headers: Mapping[str, str]
    query: str = ""
    activity_id: str | None = None
    body: bytes = b""
    token_expired: bool = False
    allowed: str | None = None


def routed(method: str, raw_path: str, headers: Mapping[str, str]) -> Asked:
    """Find the operation of a method and a raw (still percent-encoded) path with its query."""
    path, _, query = raw_path.partition("?")
    if path == LIST_PATH:
        name, allowed = "list", "GET"
    elif path == LOGIN_PATH:
        name, allowed = "login", "POST"
    elif path == CREATE_PATH:
        name, allowed = "create", "POST"
    elif path.startswith(_DETAILS_PREFIX) and "/" not in path[len(_DETAILS_PREFIX) :]:
        # Decoded after the split, so that an id may hold a slash.
        activity_id = unquote(path[len(_DETAILS_PREFIX) :])
        if method == "GET" and activity_id:
            return Asked("details", headers, query, activity_id)
        return Asked(None, headers, allowed="GET" if activity_id else None)
    else:
        return Asked(None, headers)
    return Asked(name if method == allowed else None, headers, query, allowed=allowed)


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
        return refusal(refused, state.behaviour, now)


def _login(state: SandboxState, asked: Asked, now: int) -> Answer:
    """§4.1: a new session token."""
    _check_key(state, asked, state.behaviour.bad_credentials_status)
    given = basic_credentials(asked.headers.get("Authorization", ""))
    wanted = state.settings.credentials
    # Both are compared, so that the time taken doesn't tell which one is wrong.
    matches = given is not None and all(
        [same(given[0], wanted.username), same(given[1], wanted.password)]
    )
    if not matches:
        raise Refused(state.behaviour.bad_credentials_status, "invalid credentials")
    _caller_zone(state, asked)
    if state.behaviour.one_token:
        state.tokens.revoke_all()
    lifetime = max(1, round(state.behaviour.token_seconds * 1000))
    token, expires_at = state.tokens.issue(now, -1000 if asked.token_expired else lifetime)
    body = {"token": token, "expires_at": expires_at + state.behaviour.token_skew_ms}
    return Answer(201, msgspec.json.encode(body))


def _create(state: SandboxState, asked: Asked, now: int) -> Answer:
    """§4.2: an Authorization to the individual with a phone number; 201 without content."""
    _check_session(state, asked, now)
    _caller_zone(state, asked)
    content_type = asked.headers.get("Content-Type", "")
    wish = decoded(asked.body, content_type, require_phone=state.behaviour.require_phone)
    # Where the phone isn't required, what lacks it goes to one and the same individual.
    phone = wish.phone or ("PE", "900000000")
    receiver = state.world.individual(*phone, now)
    validity_ms = wish.validity_ms or _DEFAULT_VALIDITY_MS
    state.world.authorize(now, wish.description, receiver, wish.requirements, validity_ms)
    return Answer(201, b"", None)


def _list(state: SandboxState, asked: Asked, now: int) -> Answer:
    """§4.3: a page of activities."""
    _check_session(state, asked, now)
    zone = _caller_zone(state, asked)
    query = parsed(parse_qs(asked.query, keep_blank_values=True), state.behaviour)
    page = state.lister.page(query, zone, now)
    rows = []
    for activity in page.activities:
        replaced = state.payloads.get(activity.id)
        if replaced is not None and replaced.row is not None:
            rows.append(replaced.row)
        else:
            rows.append(state.wire.row(activity, now))
    has_next = b"true" if page.has_next else b"false"
    return Answer(200, b'{"has_next":%b,"data":[%b]}' % (has_next, b",".join(rows)))


def _details(state: SandboxState, asked: Asked, now: int) -> Answer:
    """§4.4: the details of one activity."""
    _check_session(state, asked, now)
    _caller_zone(state, asked)
    activity = state.world.get(asked.activity_id or "", now)
    if activity is None:
        raise Refused(state.behaviour.unknown_id_status, "there is no such activity for you")
    if state.payloads:
        replaced = state.payloads.get(activity.id)
        if replaced is not None and replaced.details is not None:
            return Answer(200, replaced.details)
    body = state.wire.details(activity, now)
    if body is None:
        raise Refused(403, "the shared resources are no longer available")
    return Answer(200, body, JSON)


def _check_key(state: SandboxState, asked: Asked, absent_status: int) -> None:
    """§5.2: the operation's own parameter is `x-api-key`; §5.5: an invalid key gives 403.

    Who sends no `Authorization` at all is told that first, with `absent_status`.
    """
    if "Authorization" not in asked.headers:
        raise Refused(absent_status, "an Authorization header is needed")
    if not same(asked.headers.get("x-api-key", ""), state.settings.credentials.api_key):
        raise Refused(state.behaviour.bad_key_status, "invalid API key")


def _check_session(state: SandboxState, asked: Asked, now: int) -> None:
    """§5.4, §5.5: Bearer token and key; an invalid or expired JWT gives 401."""
    _check_key(state, asked, state.behaviour.bad_token_status)
    token = bearer_token(asked.headers["Authorization"])
    problem = "a Bearer token is needed" if token is None else state.tokens.problem(token, now)
    if problem is not None:
        raise Refused(state.behaviour.bad_token_status, problem)


def _caller_zone(state: SandboxState, asked: Asked) -> str:
    """Return the caller's zone, by default the data's; an unknown one gives 400."""
    name = asked.headers.get("x-pvt-timezone")
    if name is None:
        return state.settings.timezone
    try:
        zone_named(name)
    except ValueError as error:
        raise Refused(400, f"x-pvt-timezone: {error}") from None
    return name
