"""Every status, for every operation: which error, and whether it is tried again."""

from __future__ import annotations

import pytest

from pipeline.service.errors import (
    BadRequest,
    Forbidden,
    LoginRefused,
    NotFound,
    ServiceError,
    StatusError,
    Unauthorized,
)
from tests.service.scripted import (
    OPERATIONS,
    PAGE,
    Asked,
    Reply,
    failing,
    granting,
    in_turn,
    sent,
)

EXPECTED = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    **dict.fromkeys([404, 410], NotFound),
    **dict.fromkeys([204, 206, 301, 302, 307, 304, 402, 405, 408, 409, 418, 429, 451], StatusError),
    **dict.fromkeys([500, 501, 502, 503, 504, 505, 520, 529, 599, 700], StatusError),
}
RETRIED = {408, 429, 500, 502, 503, 504, 520, 529, 599}
SECRET_BODY = b'{"error":"Jane Roe is unknown"}'


def answers(status: int) -> Reply:
    where = (("Location", "http://127.0.0.1:1/elsewhere"),) if 300 <= status < 400 else ()
    return Reply(status, b"" if status in (204, 304) else SECRET_BODY, where)


def is_probe(asked: Asked) -> bool:
    return asked.target.endswith("limit=1")


@pytest.mark.parametrize("operation", ["list", "details", "create"])
@pytest.mark.parametrize("status", EXPECTED)
def test_each_status_is_its_error(operation: str, status: int) -> None:
    """A list refused is followed by a probe of access, granted here."""

    def handle(asked: Asked) -> Reply:
        return PAGE if is_probe(asked) else answers(status)

    error, server, client = failing(granting(handle), OPERATIONS[operation])
    assert type(error) is EXPECTED[status]
    assert isinstance(error, StatusError)
    assert error.status == status
    probes = sum(map(is_probe, server.operations))
    assert probes == (1 if operation == "list" and status in (401, 403) else 0)
    tries = 3 if status in RETRIED and operation != "create" else 1
    if status == 401:
        tries = 2  # with the old token, and with a new one
    assert len(server.operations) == sent(client) == tries + probes
    assert client.counts.retries == tries - 1
    assert server.logins == (2 if status == 401 else 1)
    assert "Jane" not in f"{error}{error!r}{error.args}"
    assert "\n" not in str(error)
    assert str(status) in str(error)
    assert not error.fatal
    if isinstance(error, BadRequest):
        assert error.body == SECRET_BODY
    if 300 <= status < 400:
        assert "redirection" in str(error)
    assert ("set a lower ACTIVITIES_REQUESTS_PER_SECOND" in str(error)) is (status == 429)


LOGIN = {
    400: (BadRequest, 1),
    404: (NotFound, 1),
    **dict.fromkeys([401, 403], (LoginRefused, 1)),
    **dict.fromkeys([302, 405, 422, 501], (StatusError, 1)),
    **dict.fromkeys([429, 500, 502, 503, 504], (StatusError, 3)),
}


@pytest.mark.parametrize("status", LOGIN)
def test_each_status_of_the_login(status: int) -> None:
    kind, tries = LOGIN[status]
    error, server, client = failing(
        lambda _: answers(status), lambda client: client.activity_details("a")
    )
    assert type(error) is kind
    assert isinstance(error, ServiceError)
    assert error.fatal
    assert error.not_sent
    assert not getattr(error, "body", b"")  # it may repeat the password
    assert str(error).startswith("login: ")
    assert "Jane" not in f"{error}{error!r}"
    assert server.logins == sent(client, "login") == tries
    assert (client.counts.logins, sent(client)) == (0, 0)
    assert client.counts.retries == tries - 1


def test_refused_credentials_and_key_are_told_apart() -> None:
    credentials, _, _ = failing(lambda _: answers(401), lambda client: client.login())
    key, _, _ = failing(lambda _: answers(403), lambda client: client.login())
    assert "username or the password" in str(credentials)
    assert "API key" in str(key)


def test_a_400_may_be_large_and_a_500_cut_off() -> None:
    error, _, _ = failing(
        in_turn([Reply(400, b"x" * 500_000, chunked=True)]), OPERATIONS["details"]
    )
    assert isinstance(error, BadRequest)
    assert len(error.body) == 65536
    error, _, _ = failing(
        granting(lambda _: Reply(500, b"x" * 1000, cut_at=10)), OPERATIONS["details"]
    )
    assert isinstance(error, StatusError)
