"""One environment: what the command line, the code server and a run see, wherever the code lies.

Beside each folder lie other settings that nothing there may read: in the checkout, or in the environment.

Clause 10 of docs/guarantees.md.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.conftest import SECRETS
from tests.support.commands import (
    CHECKOUT,
    Command,
    Project,
    eventually,
    processes_in,
    service_settings,
)
from tests.support.daemon import DagsterDev

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.acceptance.conftest import Serve

pytestmark = pytest.mark.daemon

_ZONES = """query($where: RepositorySelector!) { schedulesOrError(repositorySelector: $where) {
    ... on Schedules { results { executionTimezone } } } }"""
_LAUNCH = """mutation($p: ExecutionParams!) { launchRun(executionParams: $p) {
    __typename ... on LaunchRunSuccess { run { runId } } } }"""
_RUN = """query($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }"""

_CODE = {"repositoryLocationName": "pipeline", "repositoryName": "__repository__"}

#: What nobody may read: another zone, and a warehouse and a service that do not answer.
WRONG = {
    "ACTIVITIES_TIMEZONE": "Asia/Tokyo",
    "ACTIVITIES_BASE_URL": "http://127.0.0.1:9",
    "ACTIVITIES_ALERT_URLS": "json://127.0.0.1:9",
    "WAREHOUSE_URL": "postgresql://nobody@127.0.0.1:9/wrong",
}


def write(folder: Path, settings: dict[str, str]) -> None:
    lines = [f"{name}='{value}'\n" for name, value in settings.items()]
    (folder / ".env").write_text("".join(lines), encoding="utf-8")


def code_in(folder: Path, *, wheel: bool = False) -> Path:
    """Put the package into a folder, as a checkout or a wheel has it, with what Python compiled."""
    skipped = shutil.ignore_patterns("_shipped")
    shutil.copytree(CHECKOUT / "pipeline", folder / "pipeline", ignore=skipped)
    beside = folder / "pipeline" / "_shipped" if wheel else folder
    shutil.copytree(CHECKOUT / "sql", beside / "sql", ignore=skipped)
    for name in ("dagster.yaml", "workspace.yaml"):
        shutil.copy(CHECKOUT / name, beside / name)
    return folder


@pytest.fixture
def settings(serve: Serve, migrated_url: str) -> dict[str, str]:
    """Return the settings of a few activities of today."""
    now = datetime.now(UTC)
    service = serve(20, from_date=now.date() - timedelta(1), to_date=now.date(), now=now)
    return service_settings(service.base_url, SECRETS) | {
        "ACTIVITIES_TIMEZONE": "America/Lima",
        "ACTIVITIES_START_DATE": str(now.date() - timedelta(3)),
        "WAREHOUSE_URL": migrated_url,
    }


def seen(ui: DagsterDev, look: Project, zone: str) -> None:
    """Compare what the code server, a run and the command line see."""
    schedules = ui.ask(_ZONES, where=_CODE)["schedulesOrError"]["results"]
    assert {each["executionTimezone"] for each in schedules} == {zone}
    run = launch(ui)
    assert ended(ui, run) == "SUCCESS"
    assert zone_of(look) == zone
    assert run in {each["run_id"] for each in ask(look, "runs")}


def zone_of(project: Project) -> str:
    """Return the zone that the command line reads."""
    found = {each["what"]: each["found"] for each in ask(project, "doctor")}
    return str(found["settings"].rpartition("days are cut in ")[2])


def launch(ui: DagsterDev) -> str:
    selector = {**_CODE, "jobName": "sync_days_job"}
    launched = ui.ask(_LAUNCH, p={"selector": selector, "runConfigData": "{}"})["launchRun"]
    assert launched["__typename"] == "LaunchRunSuccess", launched
    return str(launched["run"]["runId"])


def ended(ui: DagsterDev, run: str) -> str:
    def status() -> str | None:
        found = str(ui.ask(_RUN, id=run)["runOrError"]["status"])
        return found if found in {"SUCCESS", "FAILURE", "CANCELED"} else None

    return eventually(status, "the run has ended", 120, pause=0.5)


def ask(project: Project, command: str) -> Any:
    arguments = [sys.executable, "-P", "-m", "pipeline", command, "--json"]
    with Command(arguments, project.folder, project.environment()) as started:
        done = started.end()
    assert done.out, done
    return json.loads(done.out)


def test_a_folder_of_init_beside_a_checkout_and_a_new_password(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    checkout = code_in(tmp_path / "checkout")
    write(checkout, settings | WRONG | {"ACTIVITIES_PASSWORD": "of another"})
    folder = tmp_path / "folder"
    folder.mkdir()
    # What the environment has comes first, whatever the file says of it.
    first = {name: settings.get(name, "") for name in WRONG.keys() - {"ACTIVITIES_TIMEZONE"}}
    file = settings | WRONG | {"ACTIVITIES_TIMEZONE": settings["ACTIVITIES_TIMEZONE"]}
    project = Project(folder, first | {"PYTHONPATH": str(checkout), "DAGSTER_HOME": ""})
    assert project.run("init").code == 0
    write(folder, file | {"ACTIVITIES_PASSWORD": "no longer"})
    with DagsterDev(project) as ui:
        assert ended(ui, launch(ui)) == "FAILURE"
        write(folder, file)
        seen(ui, project, "America/Lima")
    # The checkout itself, as developers use it.
    write(checkout, settings)
    developers = Project(checkout, {"PYTHONPATH": str(checkout), "DAGSTER_HOME": ""})
    assert zone_of(developers) == "America/Lima"


@pytest.fixture
def open_folder(servers_folder: Path) -> Iterator[Path]:
    """Make a folder that the private PostgreSQL's user can enter."""
    with tempfile.TemporaryDirectory(prefix="dev-", dir=servers_folder) as name:
        Path(name).chmod(0o711)
        yield Path(name)


def test_dev_of_a_wheel_beside_real_settings(
    open_folder: Path, tmp_path: Path, settings: dict[str, str]
) -> None:
    packages = code_in(tmp_path / "packages", wheel=True)
    wheel = {"PYTHONPATH": str(packages)}
    write(open_folder, WRONG)
    real = WRONG | {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    project = Project(open_folder, wheel | real)
    private = Project(open_folder, wheel | {"DAGSTER_HOME": str(open_folder / ".local")})
    with DagsterDev(project, "dev") as ui:
        seen(ui, private, "UTC")
    assert processes_in(open_folder) == {}
    assert not (open_folder / "history").exists()
    # A folder with nothing but a file is the one in use, unless another is named.
    write(tmp_path, settings)
    assert zone_of(Project(tmp_path, wheel | {"DAGSTER_HOME": ""})) == "America/Lima"
    assert zone_of(Project(open_folder, wheel | {"DAGSTER_HOME": str(tmp_path)})) == "America/Lima"
