"""Neither secrets nor shared values come out anywhere, whatever happens, at any log level."""

from __future__ import annotations

import asyncio
import base64
import copy
import io
import json
import logging
import pickle
import traceback
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.service import errors
from pipeline.service.client import ListQuery, ServiceClient
from pipeline.service.config import Credentials
from pipeline.service.errors import ServiceError
from pipeline.service.exchange import SecretHeaders
from pipeline.service.models import AuthorizationRequest, Phone
from tests.service.scripted import Asked, Reply, Scripted, config_for
from tests.support.retrying import immediate

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY, USER, PASSWORD = "Key-Quux-1", "User-Quux-2", "Pass-Quux-3"
TOKEN, NAME, VALUE = "Token-Quux-4", "Name-Quux-5", "Value-Quux-6"
PHONE, TEXT, ERROR_BODY = "999-Quux-7", "Text-Quux-8", "Body-Quux-9"
BLOB = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
FORBIDDEN = (BLOB, "Quux")
GOOD = {
    "token": TOKEN,
    "expires_at": 4_102_444_800_000,
    "has_next": False,
    "data": [{"id": "x", "entity": {"name": NAME}}],
    "id": "a",
    "entity": {"name": NAME, "avatar": NAME},
    "description": TEXT,
    "accepted_requirements": [{"code": "RQ_004", "data": {"value": {"v": VALUE}}}],
}
TEXT_OF_GOOD = json.dumps(GOOD).encode()
MISBEHAVIOURS = [
    Reply(200, TEXT_OF_GOOD),
    Reply(200, TEXT_OF_GOOD, (("Set-Cookie", f"sid={TOKEN}"),)),
    Reply(reset=True),
    Reply(hang=True),
    Reply(200, TEXT_OF_GOOD, cut_at=150),
    Reply(200, TEXT_OF_GOOD[:150]),
    Reply(200, TEXT_OF_GOOD.replace(b'"has_next": false', b'"has_next": "%s"' % NAME.encode())),
    Reply(200, json.dumps({**GOOD, "id": {NAME: VALUE}, "token": [TOKEN]}).encode()),
    Reply(200, b"\xff" + TEXT_OF_GOOD),
    Reply(200, TEXT_OF_GOOD.replace(b"Name-", b"\xff")),
    Reply(200, TEXT_OF_GOOD * 60),
    Reply(200, f"<html>{ERROR_BODY}".encode()),
    Reply(raw=f"HTTP/1.1 2x0 {ERROR_BODY}\r\n{ERROR_BODY}\r\n\r\n".encode()),
    Reply(302, b"", (("Location", f"http://{ERROR_BODY}/"),)),
    *(
        Reply(status, json.dumps({"error": ERROR_BODY, "token": TOKEN}).encode())
        for status in (400, 401, 403, 404, 409, 429, 500, 503)
    ),
]


@pytest.fixture
def logs() -> Iterator[io.StringIO]:
    """Everything any logger says, at the lowest level."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s"))
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.NOTSET)
    root.addHandler(handler)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


def chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def told(error: BaseException) -> str:
    """Whatever a tool might print of an error: texts, chain, and the locals of its frames."""
    parts = [*traceback.format_exception(error)]
    for each in chain(error):
        parts += [str(each), repr(each), repr(each.args)]
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if "/pipeline/service/" in frame.f_code.co_filename:
            parts += [repr(held) for name, held in frame.f_locals.items() if name not in RAW]
    return "\n".join(parts)


#: Locals that are the raw text itself, under names that say so.
RAW = {"body", "content"}


def attributes(thing: Any, depth: int = 3) -> Iterator[str]:
    """Give the reprs of one of our objects and of what it holds."""
    yield repr(thing)
    if (
        depth
        and type(thing).__module__.startswith("pipeline.")
        and type(thing) is not SecretHeaders
    ):
        for name, held in getattr(thing, "__dict__", {}).items():
            if name not in ("api_key", "username", "password"):
                yield from attributes(held, depth - 1)


async def misbehave(misbehaviour: Reply, during: str) -> list[str]:
    outputs: list[str] = []

    def handle(asked: Asked) -> Reply:
        if asked.is_login == (during == "login"):
            return misbehaviour
        return Reply(201 if asked.method == "POST" else 200, TEXT_OF_GOOD)

    async with Scripted(handle) as server:
        config = config_for(
            server.url,
            credentials=Credentials(KEY, USER, PASSWORD),
            read_timeout=0.05,
            max_body_bytes=20_000,
            retry=immediate(attempts=2),
        )
        async with ServiceClient(config) as client:
            results: list[Any] = []
            request = AuthorizationRequest(TEXT, Phone("PE", PHONE))
            for operation in (
                client.login(),
                client.list_activities(ListQuery(limit=1)),
                client.activity_details("a"),
                client.create_authorization(request),
            ):
                try:
                    results.append(await operation)
                except ServiceError as error:
                    outputs += [told(error), told(pickle.loads(pickle.dumps(error)))]  # noqa: S301
                    outputs.append(told(copy.copy(error)))
            results += [config, config.credentials, client, request, request.phone]
            for result in results:
                outputs += attributes(result)
                outputs.append(f"{result}")
    return outputs


@pytest.mark.parametrize("during", ["login", "operations"])
@pytest.mark.parametrize("misbehaviour", MISBEHAVIOURS, ids=range(len(MISBEHAVIOURS)))
def test_nothing_comes_out(misbehaviour: Reply, during: str, logs: io.StringIO) -> None:
    outputs = asyncio.run(misbehave(misbehaviour, during), debug=True)
    assert logs.getvalue()
    for text in [logs.getvalue(), *outputs]:
        for secret in FORBIDDEN:
            assert secret not in text


KINDS = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, ServiceError)
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_survives_copying_and_is_one_line(kind: type[ServiceError]) -> None:
    error = kind("the operation", "the cause", "the remedy")
    error.fatal = True
    for same in (copy.copy(error), pickle.loads(pickle.dumps(error))):  # noqa: S301
        assert type(same) is kind
        assert str(same) == "the operation: the cause; the remedy"
        assert same.fatal
