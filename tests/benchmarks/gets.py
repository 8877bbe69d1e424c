"""CPU of one GET, side by side: ``python -m tests.benchmarks.gets``.

Prints microseconds (user and system) of this process for each GET of one activity's details, and how
many times that of bare aiohttp: the median of the rounds. The service runs in a process of its own.

* bare: aiohttp's session alone.
* exchange: the same with counts, the cap of a body, and no repetition unseen.
* client: an operation of the client, its pace, session, brake and decoding included.
* library: httpx's client over the transport of httpx-aiohttp (extra `rivals`).
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
from functools import partial
from typing import TYPE_CHECKING

import aiohttp
import httpx
import httpx_aiohttp

from pipeline.service.client import ServiceClient
from pipeline.service.clock import ServiceClock
from pipeline.service.config import Credentials, ServiceConfig
from pipeline.service.exchange import Exchange, SecretHeaders
from pipeline.service.requests import Operation
from tests.support.precomputed import Activities, activity_id, precomputed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_DAYS = 20

HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "User-Agent": "benchmark",
    "x-api-key": "key",
    "x-pvt-timezone": "UTC",
    "Authorization": "Bearer precomputed",
}


async def _fetch_all(get: Callable[[str], Awaitable[object]], number: int, workers: int) -> None:
    ids = (activity_id(each) for each in range(number))

    async def work() -> None:
        for name in ids:
            await get(name)

    await asyncio.gather(*(work() for _ in range(workers)))


async def bare(config: ServiceConfig, number: int) -> None:
    """Fetch by aiohttp's session alone, with as many headers and the same time-outs."""
    timeout = aiohttp.ClientTimeout(
        total=None, sock_connect=config.connect_timeout, sock_read=config.read_timeout
    )
    root = f"{config.base_url}/business/v1/activities/"
    connector = aiohttp.TCPConnector(limit=config.max_concurrency)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:

        async def get(name: str) -> bytes:
            async with session.get(root + name, headers=HEADERS) as response:
                return await response.read()

        await _fetch_all(get, number, config.max_concurrency)


async def exchange(config: ServiceConfig, number: int) -> None:
    """Fetch by `Exchange`."""
    sender, headers = Exchange(config, ServiceClock()), SecretHeaders(HEADERS)

    async def get(name: str) -> object:
        operation = Operation("details", "details", f"/activities/{name}", bytes)
        return await sender.send(operation, headers)

    await _fetch_all(get, number, config.max_concurrency)
    await sender.aclose()


async def client(config: ServiceConfig, number: int) -> None:
    """Fetch by the client."""
    async with ServiceClient(config) as client:
        get = partial(client.activity_details, once=True)  # as a run asks first
        await _fetch_all(get, number, config.max_concurrency)


async def library(config: ServiceConfig, number: int) -> None:
    """Fetch by httpx over httpx-aiohttp, as its documentation says."""
    root = f"{config.base_url}/business/v1/activities/"
    limits = httpx.Limits(max_connections=config.max_concurrency)
    async with httpx_aiohttp.HttpxAiohttpClient(headers=HEADERS, limits=limits) as client:

        async def get(name: str) -> bytes:
            answer: httpx.Response = await client.get(root + name)
            return answer.content

        await _fetch_all(get, number, config.max_concurrency)


def measure(number: int, rounds: int, workers: int) -> dict[str, list[float]]:
    """Return microseconds of CPU for each GET, by contestant and round."""
    found: dict[str, list[float]] = {}
    with precomputed(Activities(number, _DAYS)) as url:
        config = ServiceConfig(url, Credentials("key", "user", "password"), max_concurrency=workers)
        for _ in range(rounds):
            for fetch in (bare, exchange, client, library):
                before = resource.getrusage(resource.RUSAGE_SELF)
                asyncio.run(fetch(config, number))
                after = resource.getrusage(resource.RUSAGE_SELF)
                spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                found.setdefault(fetch.__name__, []).append(spent / number * 1e6)
    return found


def main() -> None:
    """Read the command line, measure, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.gets", description=__doc__)
    parser.add_argument("--number", type=int, default=3000, help="GETs of a round (3,000)")
    parser.add_argument("--rounds", type=int, default=7, help="of which medians are taken (7)")
    parser.add_argument("--workers", type=int, default=16, help="requests in flight (16)")
    chosen = parser.parse_args()
    found = measure(chosen.number, chosen.rounds, chosen.workers)
    for name, costs in found.items():
        ratio = statistics.median(
            mine / bare for mine, bare in zip(costs, found["bare"], strict=True)
        )
        print(f"{name:10} {statistics.median(costs):6.0f} us  x{ratio:.2f}")  # noqa: T201


if __name__ == "__main__":
    main()
