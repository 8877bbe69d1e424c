"""A service whose every answer a test scripts, down to the wire, over real HTTP on loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pipeline.service.client import ServiceClient
from pipeline.service.config import Credentials, ServiceConfig
from pipeline.service.errors import ServiceError
from pipeline.service.models import AuthorizationRequest
from pipeline.service.requests import ListQuery
from tests.support.retrying import immediate

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable, Iterable

    Handler = Callable[["Asked"], "Reply | Awaitable[Reply]"]

T = TypeVar("T")

FAR_FUTURE = 4_102_444_800_000
CREDENTIALS = Credentials("the-Key-7", "the-User", "the-Pass:w%rd@ü")


class Time:
    """A clock that moves by hand, or while somebody sleeps by it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Wake when the time has come."""
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)


@dataclass(frozen=True)
class Asked:
    """A request as it came over the wire."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def is_login(self) -> bool:
        """Whether it is the token operation."""
        return self.target.endswith("/business/v1/auth")

    @property
    def token(self) -> str:
        """The session token it carries."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass(frozen=True)
class Reply:
    """What to answer, and how to misbehave with it.

    ``reset``: tear the connection instead of answering. ``hang``: never answer. ``cut_at``: end the
    connection after so many bytes of the body. ``raw``: these bytes instead of an HTTP answer.
    """

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    reset: bool = False
    hang: bool = False
    cut_at: int | None = None
    raw: bytes | None = None
    chunked: bool = False


def as_json(value: Any, status: int = 200, *headers: tuple[str, str]) -> Reply:
    return Reply(status, json.dumps(value).encode(), headers)


PAGE = as_json({"has_next": False, "data": []})


def details(asked: Asked, **more: Any) -> Reply:
    """Answer a details request with the id it asked for."""
    return as_json({"id": asked.target.rsplit("/", 1)[1], **more})


def session(number: int = 1, expires_at: float = FAR_FUTURE) -> Reply:
    return as_json({"token": f"token.{number}", "expires_at": expires_at}, 201)


def granting(handler: Callable[[Asked], Reply | Awaitable[Reply]]) -> Handler:
    """Script everything but the login, which is answered with one token after another."""
    logins = 0

    def handle(asked: Asked) -> Reply | Awaitable[Reply]:
        nonlocal logins
        if asked.is_login:
            logins += 1
            return session(logins)
        return handler(asked)

    return handle


def in_turn(replies: Iterable[Reply], then: Callable[[Asked], Reply] = details) -> Handler:
    """Answer with these one after another, and from then on with ``then``."""
    left = iter(replies)

    def handle(asked: Asked) -> Reply:
        return next(left, None) or then(asked)

    return granting(handle)


@dataclass
class Scripted:
    """The server; ``asked`` holds every request in the order it came."""

    handler: Handler
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0

    async def __aenter__(self) -> Self:
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self.tls)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"{'https' if self.tls else 'http'}://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def logins(self) -> int:
        """How many logins were asked for."""
        return sum(asked.is_login for asked in self.asked)

    @property
    def operations(self) -> list[Asked]:
        """All requests but the logins."""
        return [asked for asked in self.asked if not asked.is_login]

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._answer(reader, writer):
                pass
        self._tasks.discard(task)
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        asked = await read_request(reader)
        self.asked.append(asked)
        outcome = self.handler(asked)
        reply = outcome if isinstance(outcome, Reply) else await outcome
        if reply.hang:
            await reader.read()  # until the client gives up
            return False
        if reply.reset:
            at_once = struct.pack("ii", 1, 0)  # closing with this sends RST instead of FIN
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            writer.transport.abort()
            return False
        writer.write(reply.raw if reply.raw is not None else _wire(reply))
        await writer.drain()
        if reply.cut_at is not None or reply.raw is not None:
            writer.transport.close()
            return False
        return True


async def read_request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("utf-8", "surrogateescape")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    assert "chunked" not in headers.get("transfer-encoding", "")
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, target, headers, body)


def _wire(reply: Reply) -> bytes:
    names = {name.lower() for name, _ in reply.headers}
    lines = [f"HTTP/1.1 {reply.status} X", *(f"{name}: {value}" for name, value in reply.headers)]
    if "content-type" not in names:
        lines.append("Content-Type: application/json")
    body = reply.body[: reply.cut_at]
    if reply.chunked:
        lines.append("Transfer-Encoding: chunked")
        body = f"{len(body):x}\r\n".encode() + body + b"\r\n"
        body += b"0\r\n\r\n" if reply.cut_at is None else b""
    elif reply.status >= 200 and reply.status != 204:
        lines.append(f"Content-Length: {len(reply.body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


#: Each request of a client, by its name in the client's counts.
OPERATIONS: dict[str, Callable[[ServiceClient], Awaitable[object]]] = {
    "login": lambda client: client.login(),
    "list": lambda client: client.list_activities(ListQuery(limit=3)),
    "details": lambda client: client.activity_details("a"),
    "create": lambda client: client.create_authorization(AuthorizationRequest("x")),
}


async def fetch_all(
    client: ServiceClient, names: Iterable[str], workers: int = 1
) -> list[type[Exception] | None]:
    """Fetch details, so many at once; return the kind of error that each one ended with, if any."""
    left = iter(names)
    ended: list[type[Exception] | None] = []

    async def work() -> None:
        for name in left:
            try:
                await client.activity_details(name)
                ended.append(None)
            except ServiceError as error:
                ended.append(type(error))

    await asyncio.gather(*(work() for _ in range(workers)))
    return ended


def ids(number: int) -> list[str]:
    """Return so many ids."""
    return [f"id{each}" for each in range(number)]


def sent(client: ServiceClient, *kinds: str) -> int:
    """Return how many requests of these kinds of operation ended; without kinds, of all but the login."""
    chosen = kinds or ("list", "details", "create")
    return sum(number for (kind, _), number in client.counts.answers.items() if kind in chosen)


def config_for(url: str, **settings: Any) -> ServiceConfig:
    given = {
        "base_url": url,
        "credentials": CREDENTIALS,
        "retry": immediate(attempts=3),
        "read_timeout": 10.0,
        **settings,
    }
    return ServiceConfig(**given)


def talk(
    handler: Handler,
    use: Callable[[ServiceClient], Awaitable[T]],
    *,
    tls: ssl.SSLContext | None = None,
    time_source: Callable[[], float] = time.time,
    **settings: Any,
) -> tuple[T, Scripted, ServiceClient]:
    """Let a client with these settings ``use`` a server scripted so; return what came of it."""

    async def run() -> tuple[T, Scripted, ServiceClient]:
        async with Scripted(handler, tls) as server:
            config = config_for(server.url, **settings)
            async with ServiceClient(config, time_source=time_source) as client:
                result = await use(client)
            return result, server, client

    return asyncio.run(run())


def failing(
    handler: Handler, use: Callable[[ServiceClient], Awaitable[object]], **settings: Any
) -> tuple[Exception, Scripted, ServiceClient]:
    """Return the error that ``use`` ends with."""

    async def attempt(client: ServiceClient) -> Exception:
        try:
            await use(client)
        except Exception as error:
            return error
        raise AssertionError("it did not fail")

    return talk(handler, attempt, **settings)
