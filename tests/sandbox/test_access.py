"""Login and access (docs/service.md 4.1)."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import Behaviour

if TYPE_CHECKING:
    from tests.sandbox.conftest import Connect, Serve


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


def test_date_header_follows_the_clock_and_the_skew(serve: Serve, client: Connect) -> None:
    running = serve(activities=1)
    caller = client(running)
    assert caller.get("/activities").headers["Date"] == "Tue, 31 Mar 2026 12:00:00 GMT"
    running.state.change_behaviour(date_skew_ms=-3_600_000, token_skew_ms=5_000)
    assert caller.get("/activities").headers["Date"] == "Tue, 31 Mar 2026 11:00:00 GMT"
    wanted = running.credentials
    answer = caller.post("/auth", auth=(wanted.username, wanted.password))
    assert answer.json()["expires_at"] == running.state.clock.now() + 3_605_000
