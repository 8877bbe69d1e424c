"""One budget of requests for all processes (docs/design.md "Retries and outages").

Whoever sends requests is a member, and takes an equal share of the rate and of the requests in flight.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psycopg
import sqlalchemy as sa

from pipeline.service.client import ServiceClient
from pipeline.sync.limits import ROOM
from pipeline.warehouse.database.engine import Session
from pipeline.warehouse.state import budget

#: Seconds between two counts of the members.
_PAUSE = 1.0


@asynccontextmanager
async def shared_budget(engine: sa.Engine, client: ServiceClient) -> AsyncIterator[None]:
    """Keep the client to its share while the block runs. Raises a ``WarehouseError``."""
    held = await asyncio.to_thread(budget.join, engine)
    members = await asyncio.to_thread(budget.count_members, held)
    client.pace.share(members)
    ended = asyncio.Event()
    watching = asyncio.create_task(_watch(held, client, ended))
    try:
        if members > 1:
            await asyncio.sleep(ROOM)
        yield
    finally:
        ended.set()
        # The connection is closed by its only user: a thread may still be asking.
        await asyncio.shield(watching)


async def _watch(held: Session, client: ServiceClient, ended: asyncio.Event) -> None:
    # When the connection is lost, the process keeps the share that it had.
    with suppress(psycopg.Error):
        while not ended.is_set():
            client.pace.share(await asyncio.to_thread(budget.count_members, held))
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), _PAUSE)
    await asyncio.to_thread(held.close)
