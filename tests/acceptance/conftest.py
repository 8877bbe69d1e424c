"""Projects: folders in which the real command runs, pointed at a sandbox and at a warehouse."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg
import pytest

from pipeline.sandbox import Credentials
from tests.support.asking import Asking
from tests.support.commands import make_project, service_settings
from tests.support.mirroring import sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.sandbox import Running
    from tests.support.commands import Done, Project

    #: Opens a project's history in this process.
    Opened = Callable[[Project], dg.DagsterInstance]
    #: Serves a sandbox with these settings.
    Serve = Callable[..., Running]
    #: Makes the project that mirrors a service.
    MakeProject = Callable[[Running], Project]

#: Anything of them in any output or file is a leak.
SECRETS = Credentials(api_key="key-6f1d2c", username="business", password="pä:55%w@rd€")

#: How `authorize` sends in tests.
FAST = {
    # The calls are longer apart than they last: else time alone does not tell two of them apart.
    "ACTIVITIES_AUTHORIZATIONS_PER_SECOND": "10",
    "ACTIVITIES_AUTHORIZATIONS_PER_DAY": "5000",
    "ACTIVITIES_AUTHORIZATIONS_WAIT_SECONDS": "0",
}

#: Runs the command with what else waits for a minute giving up at once.
_IMPATIENT = """
from pipeline.warehouse.database import engine
engine.PATIENCE = 0
from pipeline import cli
cli.main()
"""


def impatient(project: Project, command: str) -> Done:
    """Run a command that does not wait for a warehouse that is away."""
    with project.start_python(_IMPATIENT, command) as program:
        return program.end()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve sandboxes, as `tests.support.mirroring.sandbox` does, with the secrets of these tests."""
    with ExitStack() as served:

        def make(activities: int = 60, **settings: Any) -> Running:
            return served.enter_context(sandbox(activities, credentials=SECRETS, **settings))

        yield make


@pytest.fixture(scope="session")
def used_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder in which a command has made Dagster's empty history.

    To make it takes longer than everything else that a short run does.
    """
    made = make_project(tmp_path_factory.mktemp("used") / "project", {})
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        # Each of its storages makes its files when it is asked for something.
        (
            instance.get_run_records(limit=1),
            instance.get_asset_keys(),
            instance.all_instigator_state(),
        )
    return made.folder


@pytest.fixture
def folder(tmp_path: Path, used_folder: Path) -> Path:
    """Return a project's folder with Dagster's empty history."""
    return Path(shutil.copytree(used_folder, tmp_path / "project"))


@pytest.fixture
def project(folder: Path, migrated_url: str) -> MakeProject:
    """Make the project that mirrors a service into a migrated warehouse."""

    def make(service: Running) -> Project:
        settings = service_settings(service.base_url, service.credentials)
        return make_project(folder, settings | {"WAREHOUSE_URL": migrated_url})

    return make


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """Open a project's history in this process, which gets its settings."""
    with ExitStack() as instances:

        def of(made: Project) -> dg.DagsterInstance:
            for name, text in made.settings.items():
                monkeypatch.setenv(name, text)
            monkeypatch.setenv("DAGSTER_HOME", str(made.folder))
            return instances.enter_context(dg.DagsterInstance.from_config(str(made.folder)))

        yield of


@pytest.fixture
def service(serve: Serve) -> Running:
    """Serve a few activities under a running clock."""
    return serve(5, frozen=False)


@pytest.fixture
def made(service: Running, project: MakeProject) -> Project:
    """Make a project that sends as fast as it goes."""
    made = project(service)
    made.settings |= FAST
    return made


@pytest.fixture
def asking(service: Running, migrated_url: str) -> Asking:
    """Read the stored requests, and settle them in this process."""
    return Asking(migrated_url, service)


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Return where screenshots are kept: ``SCREENSHOTS``, else the test's own folder."""
    given = os.environ.get("SCREENSHOTS")
    return Path(given) if given else tmp_path / "screenshots"
