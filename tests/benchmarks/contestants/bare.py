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
from aiohttp import ClientSession, TCPConnector
from httpx_aiohttp import AiohttpTransport

from tests.benchmarks.contestants.floor import fetch_and_copy

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
    """Fetch and copy."""

    def session_of_all() -> ClientSession:
        return ClientSession(connector=TCPConnector(limit=task.concurrency))

    async with httpx.AsyncClient(transport=AiohttpTransport(client=session_of_all)) as client:
        await fetch_and_copy(task, lambda paths: fetch(client, task, paths))


def run(task: Task) -> None:
    """Mirror once."""
    asyncio.run(mirror(task))
