"""One budget of requests: whoever sends takes an equal share, and a dead process frees its own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import psycopg

from pipeline.service.client import ServiceClient
from pipeline.service.config import Credentials, ServiceConfig
from pipeline.sync.budget import shared_budget
from pipeline.warehouse.database.engine import warehouse_engine

if TYPE_CHECKING:
    from collections.abc import Callable


def client() -> ServiceClient:
    """Make a client that sends nothing."""
    return ServiceClient(ServiceConfig("http://127.0.0.1:1", Credentials("k", "u", "p")))


async def sees(look: Callable[[], float], expected: float) -> None:
    """Wait until a client's limit is as expected."""
    async with asyncio.timeout(30):
        while look() != expected:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def test_members_share_equally_and_a_killed_one_frees_its_part(migrated_url: str) -> None:
    async def run() -> None:
        with warehouse_engine(migrated_url) as engine:
            async with client() as one, client() as other:
                whole = one.pace.limit
                async with shared_budget(engine, one):
                    assert one.pace.limit == whole
                    async with shared_budget(engine, other):
                        # Before the newcomer sends anything, the others have made room.
                        assert (one.pace.limit, other.pace.limit) == (whole // 2, whole // 2)
                    await sees(lambda: one.pace.limit, whole)
                    async with shared_budget(engine, other):
                        kill_newest(migrated_url)
                        await sees(lambda: one.pace.limit, whole)

    asyncio.run(run())


def kill_newest(url: str) -> None:
    """End the connection of the member that came last, as the end of its process would."""
    with psycopg.connect(url, autocommit=True) as session:
        session.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where pid in"
            " (select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock')"
            " order by backend_start desc limit 1"
        )
