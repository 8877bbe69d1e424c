"""Projects: folders in which the real command runs, pointed at a sandbox and at a warehouse."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import Credentials
from tests.support.commands import make_project, service_settings
from tests.support.mirroring import sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.sandbox import Running
    from tests.support.commands import Project

#: Anything of them in any output or file is a leak.
SECRETS = Credentials(api_key="key-6f1d2c", username="business", password="pä:55%w@rd€")


@pytest.fixture
def serve() -> Iterator[Callable[..., Running]]:
    """Serve sandboxes, as `tests.support.mirroring.sandbox` does, with the secrets of these tests."""
    with ExitStack() as served:

        def make(activities: int = 60, **settings: Any) -> Running:
            return served.enter_context(sandbox(activities, credentials=SECRETS, **settings))

        yield make


@pytest.fixture
def project(tmp_path: Path, migrated_url: str) -> Callable[[Running], Project]:
    """Make the project that mirrors a service into a migrated warehouse."""

    def make(service: Running) -> Project:
        settings = service_settings(service.base_url, service.credentials)
        return make_project(tmp_path / "project", settings | {"WAREHOUSE_URL": migrated_url})

    return make
