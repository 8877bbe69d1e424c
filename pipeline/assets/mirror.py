"""The resource behind all assets: one client, one login and one engine for a whole run."""

import gc
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import dagster as dg
import sqlalchemy as sa
from pydantic import PrivateAttr

from pipeline.assets.loop import LoopThread
from pipeline.service.client import ServiceClient
from pipeline.service.errors import ServiceError
from pipeline.settings import Settings, SettingsInvalid, load_settings
from pipeline.sync.options import Options, Progress, Summary, SyncError
from pipeline.sync.run import Mirror
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.migrate import migrate

Part = Callable[[Mirror], Coroutine[Any, Any, Summary]]

#: What ends a run with one clear line instead of a traceback.
CLEAR_ERRORS = (SettingsInvalid, ServiceError, WarehouseError, SyncError)


class MirrorResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Service and warehouse, from the environment; secrets are named, never shown.

    Under the in-process executor it is opened once a run: one login, one event loop.
    """

    base_url: str
    api_key: str
    username: str
    password: str
    warehouse_url: str
    start_date: str
    _run: Any = PrivateAttr(default=None)

    def __repr__(self) -> str:
        return "MirrorResource()"

    def __str__(self) -> str:
        return repr(self)

    @contextmanager
    def yield_for_execution(
        self,
        context: dg.InitResourceContext,  # noqa: ARG002 - the interface is Dagster's
    ) -> Iterator["MirrorResource"]:
        """Open the run's client; close it whatever happens."""
        try:
            settings = load_settings({**os.environ, **self._variables()})
            migrate(settings.warehouse_url)
        except CLEAR_ERRORS as error:
            raise dg.Failure(str(error), allow_retries=False) from None
        # All that was imported lives as long as the process, and what a run makes dies by itself:
        # looking through both for cycles took a seventh of a first load's CPU.
        gc.freeze()
        gc.set_threshold(10_000)
        with LoopThread() as loop:
            try:
                self._run = _Opened(settings, loop)
            except (*CLEAR_ERRORS, ValueError) as error:
                raise dg.Failure(str(error), allow_retries=False) from None
            try:
                yield self
            finally:
                self._run.close()
                self._run = None

    def run(self, part: Part, progress: Progress, *, full: bool, accept_gone: bool) -> Summary:
        """Run one part of the sync and return its summary.

        Raises ``dagster.Failure`` with one clear line when it can't go on.
        """
        opened: _Opened = self._run
        options = opened.settings.options(full=full, accept_gone=accept_gone)
        try:
            return opened.run(part, options, progress)
        except CLEAR_ERRORS as error:
            raise dg.Failure(str(error), allow_retries=False) from None

    @property
    def settings(self) -> Settings:
        """The settings of this run."""
        opened: _Opened = self._run
        return opened.settings

    @property
    def engine(self) -> sa.Engine:
        """The connections of this run to the warehouse."""
        opened: _Opened = self._run
        return opened.engine

    def _variables(self) -> dict[str, str]:
        return {
            "ACTIVITIES_BASE_URL": self.base_url,
            "ACTIVITIES_API_KEY": self.api_key,
            "ACTIVITIES_USERNAME": self.username,
            "ACTIVITIES_PASSWORD": self.password,
            "ACTIVITIES_START_DATE": self.start_date,
            "WAREHOUSE_URL": self.warehouse_url,
        }


class _Opened:
    """What a run holds open: the engine, and the client in its event loop."""

    def __init__(self, settings: Settings, loop: LoopThread) -> None:
        self.settings = settings
        self._loop = loop
        self.engine = open_engine(settings.warehouse_url)
        self._client: ServiceClient = loop.run(_client(settings))
        self._mirror: Mirror | None = None

    def run(self, part: Part, options: Options, progress: Progress) -> Summary:
        """Run ``part`` to its end, or to its orderly end when interrupted."""
        if self._mirror is None:
            zone = self.settings.timezone
            self._mirror = Mirror(self._client, self.engine, zone, options, progress)
        else:
            self._mirror.options, self._mirror.progress = options, progress
        return self._loop.run(part(self._mirror))

    def close(self) -> None:
        """Close connections, after whatever still lands has landed."""
        self._loop.run(self._client.aclose())
        self.engine.dispose()


async def _client(settings: Settings) -> ServiceClient:
    """Make the client where its event loop runs."""
    return ServiceClient(settings.service_config())
