"""Every answer, and every fault of the wire, to every operation: which error it is, and what it tells.

The table of docs/service.md 7. Clauses 7 and 8 of docs/guarantees.md: no error and no log tells a secret
or a shared value, and a creation is never sent again.
"""

from __future__ import annotations

import base64
import logging
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pipeline.service.errors import (
    BadRequest,
    Forbidden,
    LoginRefused,
    MalformedResponse,
    NoAnswer,
    NotFound,
    ServiceError,
    StatusError,
    Unauthorized,
    UnexpectedShape,
)
from tests.service.scripted import (
    CREDENTIALS,
    OPERATIONS,
    PAGE,
    Asked,
    Reply,
    as_json,
    failing,
    granting,
    session,
    talk,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GOOD = (
    b'{"id":"a","name":"Quux","has_next":false,"data":[],"token":"Quux","expires_at":4102444800000}'
)
ERROR = b'{"error":"Jane Quux is unknown"}'
WRONG = as_json({"id": {"a": "Quux"}, "has_next": "Quux", "token": ["Quux"]})
BASIC = base64.b64encode(f"{CREDENTIALS.username}:{CREDENTIALS.password}".encode()).decode()
FORBIDDEN = ("Quux", "token.1", CREDENTIALS.api_key, CREDENTIALS.password, BASIC)
#: Locals that are the raw text itself, under names that say so.
RAW = {"body", "content"}

RETRIED = {408, 429, 500, 502, 503, 504, 520, 529, 599}
KINDS = {400: BadRequest, 401: Unauthorized, 403: Forbidden, 404: NotFound, 410: NotFound}
STATUSES = [
    *(204, 206, 301, 302, 304, 307, 400, 401, 402, 403, 404, 405, 408, 409, 410, 418, 422, 429),
    *(451, 500, 501, 502, 503, 504, 505, 520, 529, 599, 700),
]


class Case(NamedTuple):
    """An answer, the error that it is, and how often it is asked for."""

    reply: Reply
    kind: type[ServiceError]
    tries: int


def _of_status(status: int) -> Case:
    where = (("Location", "http://127.0.0.1:1/Quux"),) if 300 <= status < 400 else ()
    reply = Reply(status, b"" if status in (204, 304) else ERROR, where)
    return Case(reply, KINDS.get(status, StatusError), 3 if status in RETRIED else 1)


BROKEN = {
    "reset before answering": Reply(reset=True),
    "closed before answering": Reply(raw=b""),
    "reset in the head": Reply(raw=b"HTTP/1.1 200 OK\r\nContent-"),
    "cut body": Reply(200, GOOD, cut_at=40),
    "cut chunked body": Reply(200, GOOD, cut_at=40, chunked=True),
    "no HTTP at all": Reply(raw=b"SSH-2.0-Quux\r\n\r\n"),
    "endless header": Reply(raw=b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n"),
    "hang": Reply(hang=True),
    "damaged gzip": Reply(200, b"nonsense", (("Content-Encoding", "gzip"),)),
}
MALFORMED = {
    "cut JSON": Reply(200, GOOD[:40]),
    "HTML": Reply(200, b"<!doctype html><title>Quux", (("Content-Type", "text/html"),)),
    "empty": Reply(200, b""),
    "no UTF-8": Reply(200, b'{"id":"a","token":"\xff\xfe","has_next":\xff,"x":"Quux"}'),
}
CASES = {
    **{name: Case(reply, NoAnswer, 3) for name, reply in BROKEN.items()},
    **{name: Case(reply, MalformedResponse, 3) for name, reply in MALFORMED.items()},
    "wrong shape": Case(WRONG, UnexpectedShape, 1),
    **{str(status): _of_status(status) for status in STATUSES},
}


def case_of(operation: str, name: str) -> Case:
    """Return what this answer is to an operation."""
    case = CASES[name]
    if operation == "create":
        # Only its status counts, which is 201, and the body must arrive.
        return case._replace(
            reply=replace(case.reply, status=201) if name in BROKEN else case.reply,
            tries=2 if name == "401" else 1,
        )
    if operation == "login":
        refused = name in ("401", "403")
        return case._replace(kind=LoginRefused) if refused else case
    return case._replace(tries=2) if name == "401" else case


#: A login may have any success, and a creation any body.
CONCERNED = [
    (operation, name)
    for operation in OPERATIONS
    for name in CASES
    if not (operation == "login" and name.startswith("20"))
    and not (operation == "create" and name in ("wrong shape", *MALFORMED))
]
#: Who are tried again, and may be repeated.
REPEATED = [each for each in CONCERNED if case_of(*each).tries == 3]


def is_probe(asked: Asked) -> bool:
    """Whether the client asks whether it may read at all, as it does when a list is refused."""
    return asked.target.endswith("limit=1")


def scripted(operation: str, answer: Callable[[], Reply]) -> Callable[[Asked], Reply]:
    """Answer one operation so, and all else well."""

    def handle(asked: Asked) -> Reply:
        if asked.is_login == (operation == "login"):
            return PAGE if is_probe(asked) else answer()
        return session()

    return handle


def told(error: BaseException) -> str:
    """Return whatever a tool might print of an error: texts, and the locals of its frames."""
    parts = [*traceback.format_exception(error), repr(error), repr(error.args)]
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if "/pipeline/service/" in frame.f_code.co_filename:
            parts += [repr(each) for name, each in frame.f_locals.items() if name not in RAW]
    return "\n".join(parts)


@pytest.fixture
def logs(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Everything any logger says, at the lowest level."""
    with caplog.at_level(logging.NOTSET):
        yield caplog


@pytest.mark.parametrize(("operation", "name"), CONCERNED)
def test_each_answer_is_its_error(
    operation: str, name: str, logs: pytest.LogCaptureFixture
) -> None:
    reply, kind, tries = case_of(operation, name)
    error, server, client = failing(
        scripted(operation, lambda: reply),
        OPERATIONS[operation],
        read_timeout=0.1 if reply.hang else 10.0,
    )
    assert isinstance(error, ServiceError)
    assert type(error) is kind
    asked = [each for each in server.asked if each.is_login == (operation == "login")]
    probes = sum(map(is_probe, asked))
    assert probes == (operation == "list" and name in ("401", "403"))
    assert len(asked) == tries + probes
    assert client.counts.retries == tries - 1
    assert error.fatal == (operation == "login")
    assert operation == "login" or not error.not_sent
    assert error.status == (int(name) if name.isdigit() else 0)
    assert not error.status or name in str(error)
    has_body = operation != "login" and name in ("wrong shape", "400", "422", *MALFORMED)
    assert error.body == (reply.body if has_body else b"")
    assert ("redirection" in str(error)) == (300 <= error.status < 400)
    assert ("set a lower ACTIVITIES_REQUESTS_PER_SECOND" in str(error)) == (name == "429")
    assert "\n" not in str(error)
    assert (error.__context__, error.__cause__) == (None, None)
    for secret in FORBIDDEN:
        assert secret not in told(error) + logs.text


@pytest.mark.parametrize(("operation", "name"), REPEATED)
def test_a_passing_fault_is_got_over(operation: str, name: str) -> None:
    reply = CASES[name].reply
    faults = iter([reply, reply])
    _, _, client = talk(
        scripted(operation, lambda: next(faults, Reply(200, GOOD))),
        OPERATIONS[operation],
        read_timeout=0.1 if reply.hang else 10.0,
    )
    assert client.counts.retries == 2


@pytest.mark.parametrize("status", [200, 202])
def test_no_other_success_is_a_creation(status: int) -> None:
    error, server, _ = failing(granting(lambda _: Reply(status)), OPERATIONS["create"])
    assert isinstance(error, StatusError)
    assert (error.not_sent, len(server.operations)) == (False, 1)


def test_refused_credentials_and_key_are_told_apart() -> None:
    credentials, _, _ = failing(lambda _: Reply(401), OPERATIONS["login"])
    key, _, _ = failing(lambda _: Reply(403), OPERATIONS["login"])
    assert "username or the password" in str(credentials)
    assert "API key" in str(key)


def test_a_400_may_be_large_and_a_500_cut_off() -> None:
    large = Reply(400, b"x" * 500_000, chunked=True)
    error, _, _ = failing(granting(lambda _: large), OPERATIONS["details"])
    assert isinstance(error, BadRequest)
    assert len(error.body) == 65536
    cut = Reply(500, b"x" * 1000, cut_at=10)
    error, _, _ = failing(granting(lambda _: cut), OPERATIONS["details"])
    assert isinstance(error, StatusError)
