"""The resource of all assets: one client, one login and one engine for a whole run."""

import gc
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from typing import Any

import dagster as dg

from pipeline.assets.loop import LoopThread
from pipeline.assets.progress import LogProgress
from pipeline.service.client import ServiceClient
from pipeline.service.errors import ServiceError
from pipeline.settings import Settings, SettingsInvalid, load_settings
from pipeline.sync.options import Progress, Summary, SyncError
from pipeline.sync.run import Mirror
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.migrate import migrate

Part = Callable[[Mirror], Coroutine[Any, Any, Summary]]

#: These errors end a run with one clear line instead of a traceback.
CLEAR_ERRORS = (SettingsInvalid, ServiceError, WarehouseError, SyncError)


class OpenMirror:
    """What one run holds open: its settings, its database connections, and a client in its event loop."""

    def __init__(self, settings: Settings, loop: LoopThread, progress: Progress | None) -> None:
        self.settings = settings
        self.engine = open_engine(settings.warehouse_url)
        self._loop = loop
        self._progress = progress
        self._client: ServiceClient = loop.run(_make_client(settings))
        self._mirror: Mirror | None = None

    def run(
        self, part: Part, log: logging.Logger, *, full: bool = False, accept_gone: bool = False
    ) -> Summary:
        """Run one part of the sync until it ends or is interrupted; return its summary.

        Raises ``dagster.Failure`` with one clear line when the part can't go on.
        """
        options = self.settings.options(full=full, accept_gone=accept_gone)
        progress = self.progress(log)
        if self._mirror is None:
            zone = self.settings.timezone
            self._mirror = Mirror(self._client, self.engine, zone, options, progress)
        self._mirror.options, self._mirror.progress = options, progress
        try:
            return self._loop.run(part(self._mirror))
        except CLEAR_ERRORS as error:
            raise failure(error) from None

    def progress(self, log: logging.Logger) -> Progress:
        """Return the progress bar of the command line, or else one that writes to ``log``."""
        return self._progress or LogProgress(log)

    def close(self) -> None:
        """Close all connections. Batches under way are stored first."""
        self._loop.run(self._client.aclose())
        self.engine.dispose()


def mirror_resource(progress: Progress | None = None) -> dg.ResourceDefinition:
    """Return the resource ``mirror``, an `OpenMirror`; ``progress`` replaces the lines in the run's log.

    It reads the environment when a run starts. So definitions load without settings, a missing setting
    fails the run with its name, and no secret is in Dagster's configuration or UI.
    """

    @dg.resource(description="The service and the warehouse, as the environment names them.")
    def mirror(_context: dg.InitResourceContext) -> Iterator[OpenMirror]:
        try:
            settings = load_settings()
            migrate(settings.warehouse_url)
        except CLEAR_ERRORS as error:
            raise failure(error) from None
        # Imported modules live as long as the process, and what a run makes is freed without the
        # garbage collector. Searching all of it for cycles took a seventh of a first load's CPU.
        gc.freeze()
        gc.set_threshold(10_000)
        with LoopThread() as loop:
            try:
                opened = OpenMirror(settings, loop, progress)
            except (*CLEAR_ERRORS, ValueError) as error:
                raise failure(error) from None
            with closing(opened):
                yield opened

    return mirror


def failure(error: Exception) -> dg.Failure:
    """Return the failure of a run that shows ``error`` as its one clear line."""
    return dg.Failure(str(error), allow_retries=False)


async def _make_client(settings: Settings) -> ServiceClient:
    """Make the client inside the event loop that it will use."""
    return ServiceClient(settings.service_config())
