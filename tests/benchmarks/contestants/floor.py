"""The physical floor: the same bytes over raw sockets, a digest of each body, the same rows by COPY.

It reads no JSON and decides nothing: the rows were written to files before, in the batches in which
they are copied. One batch is copied while the next is fetched, as in the product.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import psycopg

from tests.benchmarks.precomputed import activity_id
from tests.benchmarks.rows import BATCH, batch_files

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from tests.benchmarks.task import Task

#: What the product asks at a time.
_ROWS, _WINDOW = 500, 8


class Wire(asyncio.Protocol):
    """One connection: sends a request, keeps its answer's body."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where to write."""
        self._transport = cast("asyncio.Transport", transport)
        self._answer: asyncio.Future[bytes] | None = None
        self._received = b""
        self._whole = 0

    def data_received(self, data: bytes) -> None:
        """Hand out the body once it is there."""
        self._received += data
        if not self._whole:
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self._received[:end].lower()
            start = head.index(b"content-length:") + 15
            length = head[start:].split(b"\r\n", 1)[0]
            self._received = self._received[end + 4 :]
            self._whole = int(length)
        if len(self._received) >= self._whole and self._answer is not None:
            body, self._received, self._whole = self._received, b"", 0
            self._answer.set_result(body)

    async def get(self, path: str) -> bytes:
        """Return the body of the answer to a GET."""
        self._answer = asyncio.get_running_loop().create_future()
        request = (
            f"GET {path} HTTP/1.1\r\nHost: floor\r\nAccept: application/json\r\n"
            "Accept-Encoding: identity\r\nx-api-key: key\r\nAuthorization: Bearer precomputed\r\n\r\n"
        )
        self._transport.write(request.encode())
        return await self._answer

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()


async def fetch(url: str, paths: Iterator[str], connections: int) -> list[bytes]:
    """Fetch all paths over so many connections; return the bodies' digests."""
    parts = urlsplit(url)
    host, port = str(parts.hostname), int(parts.port or 80)
    loop = asyncio.get_running_loop()
    digests: list[bytes] = []

    async def work_off() -> None:
        _, wire = await loop.create_connection(Wire, host, port)
        for path in paths:
            body = await wire.get(path)
            digests.append(hashlib.blake2b(body, digest_size=16).digest())
        wire.close()

    await asyncio.gather(*(work_off() for _ in range(connections)))
    return digests


def list_paths(task: Task) -> Iterator[str]:
    """Return the list requests that read every day once."""
    for begin in range(0, task.days, _WINDOW):
        days = min(_WINDOW, task.days - begin)
        first = task.first.fromordinal(task.first.toordinal() + begin)
        last = task.first.fromordinal(first.toordinal() + days - 1)
        pages = -(-task.number * days // (task.days * _ROWS))
        for page in range(1, pages + 1):
            yield f"/activities?page={page}&limit={_ROWS}&from={first}&to={last}"


def details_paths(numbers: range) -> Iterator[str]:
    """Return the details requests of activities by their numbers."""
    for number in numbers:
        yield f"/activities/{activity_id(number)}"


def copy_batch(session: psycopg.Connection, folder: Path, batch: int) -> None:
    """Copy one batch's rows, in one transaction."""
    with session.transaction():
        for table, columns, rows in batch_files(folder, batch):
            with session.cursor().copy(f"copy {table} ({columns}) from stdin".encode()) as copy:
                copy.write(rows)


async def fetch_and_copy(task: Task, fetched: Callable[[Iterator[str]], Awaitable[object]]) -> None:
    """Have all paths ``fetched``, one batch being copied while the next is fetched."""
    await fetched(list_paths(task))
    if task.again:
        return
    with psycopg.connect(task.database, autocommit=True) as session:
        session.execute("set jit = off")
        copying: asyncio.Future[None] | None = None
        for batch, begin in enumerate(range(0, task.number, BATCH)):
            numbers = range(begin, min(begin + BATCH, task.number))
            await fetched(details_paths(numbers))
            if copying is not None:
                await copying
            copying = asyncio.ensure_future(
                asyncio.to_thread(copy_batch, session, task.folder / "rows", batch)
            )
        if copying is not None:
            await copying


async def mirror(task: Task) -> None:
    """Fetch and copy."""
    await fetch_and_copy(task, lambda paths: fetch(task.url, paths, task.concurrency))


def run(task: Task) -> None:
    """Mirror once."""
    asyncio.run(mirror(task))
