"""Login and access (docs/service.md 4.1)."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.sandbox import Behaviour, Credentials, FaultRule
from tests.support.other_answers import born_expired

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

    from pipeline.sandbox import Running

    Serve = Callable[..., Running]
    Connect = Callable[..., httpx.Client]

SECRET = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30)


def claims_of(token: str) -> dict[str, object]:
    payload = token.split(".")[1]
    claims: dict[str, object] = json.loads(base64.urlsafe_b64decode(payload + "=="))
    return claims


def test_login_gives_a_jwt_and_its_expiry(serve: Serve, client: Connect) -> None:
    running = serve(behaviour=Behaviour(token_seconds=90))
    caller = client(running, login=False)
    wanted = running.credentials

    answer = caller.post("/auth", auth=(wanted.username, wanted.password))

    assert answer.status_code == 201
    assert answer.json().keys() == {"token", "expires_at"}
    expires_at = running.state.clock.now() + 90_000
    assert answer.json()["expires_at"] == expires_at
    head = json.loads(base64.urlsafe_b64decode(answer.json()["token"].split(".")[0] + "=="))
    assert head == {"alg": "HS256", "typ": "JWT"}
    assert claims_of(answer.json()["token"])["exp"] == expires_at / 1000


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(username=SECRET.filter(lambda text: ":" not in text), password=SECRET)
def test_any_text_works_as_credentials(
    username: str, password: str, serve: Serve, client: Connect
) -> None:
    running = serve(
        activities=1, credentials=Credentials(username=username, password=password, api_key="k")
    )
    caller = client(running, login=False)

    def login(given_password: str) -> int:
        blob = base64.b64encode(f"{username}:{given_password}".encode()).decode()
        return caller.post("/auth", headers={"Authorization": f"Basic {blob}"}).status_code

    assert login(password) == 201
    assert login(password + "x") == 401


@pytest.mark.parametrize(
    "header",
    ["", "Basic", "Basic !!!", "Basic " + base64.b64encode(b"nocolon").decode(), "Bearer x",
     "Basic " + base64.b64encode(b"\xff:\xff").decode()],
)  # fmt: skip
def test_malformed_basic_is_401(header: str, serve: Serve, client: Connect) -> None:
    caller = client(serve(activities=1), login=False)
    answer = caller.post("/auth", headers={"Authorization": header} if header else {})
    assert answer.status_code == 401
    assert answer.json()["status"] == 401


@pytest.mark.parametrize("key", [None, "wrong", "schlüssel"])
@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/auth"), ("GET", "/activities"), ("GET", "/activities/x"),
     ("POST", "/activities/authorizations")],
)  # fmt: skip
def test_invalid_key_is_403_everywhere(
    key: str | None, method: str, path: str, serve: Serve, client: Connect
) -> None:
    caller = client(serve(activities=1))
    del caller.headers["x-api-key"]
    headers = [] if key is None else [(b"x-api-key", key.encode())]
    assert caller.request(method, path, headers=headers).status_code == 403


@pytest.mark.parametrize("token", [None, "x", "..", "a.b.c", "Zm9v.Zm9v.Zm9v"])
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/activities"), ("GET", "/activities/x"), ("POST", "/activities/authorizations")],
)
def test_invalid_token_is_401_everywhere(
    token: str | None, method: str, path: str, serve: Serve, client: Connect
) -> None:
    caller = client(serve(activities=1), login=False)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    answer = caller.request(method, path, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/json"


def test_a_token_with_another_payload_is_401(serve: Serve, client: Connect) -> None:
    caller = client(serve(activities=1))
    head, payload, signature = caller.headers["Authorization"].split(".")
    claims = claims_of(f"{head}.{payload}") | {"exp": 1 << 60}
    forged = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    caller.headers["Authorization"] = f"{head}.{forged}.{signature}"
    assert caller.get("/activities").status_code == 401


def test_without_authorization_it_is_401_whatever_the_key(serve: Serve, client: Connect) -> None:
    caller = client(serve(activities=1), login=False)
    assert caller.get("/activities", headers={"x-api-key": "no"}).status_code == 401
    assert caller.post("/auth", headers={"x-api-key": "no"}).status_code == 401


def test_tokens_expire_by_the_clock_and_several_live_at_once(serve: Serve, client: Connect) -> None:
    running = serve(behaviour=Behaviour(token_seconds=60))
    first, second = client(running), client(running)
    running.state.set_clock(advance_ms=59_999)
    assert first.get("/activities").status_code == 200
    assert second.get("/activities").status_code == 200
    running.state.set_clock(advance_ms=1)
    assert first.get("/activities").status_code == 401
    assert client(running).get("/activities").status_code == 200


def test_one_token_only_and_revoking(serve: Serve, client: Connect) -> None:
    running = serve(behaviour=Behaviour(one_token=True))
    first, second = client(running), client(running)
    assert first.get("/activities").status_code == 401
    assert second.get("/activities").status_code == 200
    running.state.tokens.revoke_all()
    assert second.get("/activities").status_code == 401


def test_a_token_answered_already_expired(serve: Serve, client: Connect) -> None:
    running = serve(activities=1)
    running.state.set_faults(FaultRule(requests=1, **born_expired(running.state)))
    caller = client(running)
    assert caller.get("/activities").status_code == 401
    assert client(running).get("/activities").status_code == 200


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "utc+5", "América/Lima"])
def test_unknown_zone_is_400(zone: str, serve: Serve, client: Connect) -> None:
    caller = client(serve(activities=1))
    headers = [(b"x-pvt-timezone", zone.encode())]
    assert caller.get("/activities", headers=headers).status_code == 400
    assert caller.get("/activities", headers={"x-pvt-timezone": "Asia/Tokyo"}).status_code == 200


def test_date_header_follows_the_clock_and_the_skew(serve: Serve, client: Connect) -> None:
    running = serve(activities=1)
    caller = client(running)
    assert caller.get("/activities").headers["Date"] == "Tue, 31 Mar 2026 12:00:00 GMT"
    running.state.change_behaviour(date_skew_ms=-3_600_000, token_skew_ms=5_000)
    assert caller.get("/activities").headers["Date"] == "Tue, 31 Mar 2026 11:00:00 GMT"
    wanted = running.credentials
    answer = caller.post("/auth", auth=(wanted.username, wanted.password))
    assert answer.json()["expires_at"] == running.state.clock.now() + 3_605_000


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("PUT", "/activities", 405), ("DELETE", "/auth", 405), ("GET", "/auth", 405),
     ("GET", "/activities/authorizations", 405), ("POST", "/activities/abc", 405),
     ("GET", "/nothing", 404), ("GET", "/activities/", 404), ("GET", "/activities/a/b", 404)],
)  # fmt: skip
def test_other_methods_and_paths(
    method: str, path: str, status: int, serve: Serve, client: Connect
) -> None:
    answer = client(serve(activities=1)).request(method, path)
    assert answer.status_code == status
    assert ("Allow" in answer.headers) == (status == 405)
    assert answer.json()["status"] == status
