"""What these packages cost at the least: httpx over httpx-aiohttp, JSON read, a digest, rows by COPY.

It decides nothing: which activities there are, and their rows, is known to it as to the floor. This is
what the aims in seconds of CPU were taken from, so that it tells what they are on another machine.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING

import httpx
import msgspec
import psycopg
from aiohttp import ClientSession, TCPConnector
from httpx_aiohttp import AiohttpTransport

from tests.benchmarks.contestants.floor import copy_batch, details_paths, list_paths
from tests.benchmarks.rows import BATCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.task import Task

_HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "x-api-key": "key",
    "Authorization": "Bearer precomputed",
}


async def fetch(client: httpx.AsyncClient, task: Task, paths: Iterator[str]) -> list[bytes]:
    """Fetch all paths; return the bodies' digests."""
    digests: list[bytes] = []
    headers = httpx.Headers(_HEADERS)

    async def work_off() -> None:
        for path in paths:
            request = httpx.Request("GET", task.url + path, headers=headers)
            body = (await client.send(request)).content
            msgspec.json.decode(body)
            digests.append(hashlib.blake2b(body, digest_size=16).digest())

    await asyncio.gather(*(work_off() for _ in range(task.concurrency)))
    return digests


async def mirror(task: Task) -> None:
    """Fetch all, one batch being copied while the next is fetched."""

    def session_of_all() -> ClientSession:
        return ClientSession(connector=TCPConnector(limit=task.concurrency))

    async with httpx.AsyncClient(transport=AiohttpTransport(client=session_of_all)) as client:
        await fetch(client, task, list_paths(task))
        if task.again:
            return
        with psycopg.connect(task.database, autocommit=True) as session:
            session.execute("set jit = off")
            copying: asyncio.Future[None] | None = None
            for batch, begin in enumerate(range(0, task.number, BATCH)):
                numbers = range(begin, min(begin + BATCH, task.number))
                await fetch(client, task, details_paths(numbers))
                if copying is not None:
                    await copying
                copying = asyncio.ensure_future(
                    asyncio.to_thread(copy_batch, session, task.folder / "rows", batch)
                )
            if copying is not None:
                await copying


def run(task: Task) -> None:
    """Mirror once."""
    asyncio.run(mirror(task))
