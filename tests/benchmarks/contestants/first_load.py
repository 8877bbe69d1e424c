"""The product's first load without Dagster and without a refresh of the views: several run side by side."""

from __future__ import annotations

import asyncio
import gc
import uuid
from typing import TYPE_CHECKING

from pipeline.configured import service_config, sync_options
from pipeline.service.client import ServiceClient
from pipeline.settings import load_settings
from pipeline.sync.days import DayRange
from pipeline.sync.run import SyncRunner
from pipeline.warehouse.database.engine import warehouse_engine
from tests.support.mirroring import Told

if TYPE_CHECKING:
    from tests.benchmarks.task import Task


def run(task: Task) -> None:
    """Load the days of the task. Raises RuntimeError when they are not complete after it."""
    gc.set_threshold(10_000)  # as a run of the product does
    asyncio.run(_load(DayRange(task.first, task.last)))


async def _load(days: DayRange) -> None:
    settings = load_settings()
    with warehouse_engine(settings.warehouse_url) as engine:
        async with ServiceClient(service_config(settings)) as client:
            mirror = SyncRunner(client, engine, settings.timezone, sync_options(settings), Told())
            summary = await mirror.sync_days(str(uuid.uuid4()), days)
    if summary.problems:
        raise RuntimeError(f"{days}: {summary.problems}")
