"""The wheel and the sdist are whole: installed, they work in an empty folder, and no checkout is near."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import httpx
import pytest

from pipeline.sandbox import Running, SandboxSettings, SandboxState
from tests.support.commands import CHECKOUT, Command, Done, eventually, service_settings
from tests.support.daemon import free_port

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.fresh, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def python(servers_folder: Path) -> Path:
    """Return the Python of an environment with what builds the package, and with our dependencies.

    The dependencies are the running environment's, since to install them takes minutes. That the package
    names all of them is shown by `test_a_fresh_clone_shows_the_demo`.
    """
    place = servers_folder / "installed"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    packages = next(place.glob("lib/python*/site-packages"))
    ours = [folder for folder in sys.path if folder.endswith("site-packages")]
    (packages / "dependencies.pth").write_text("\n".join(ours), encoding="utf-8")
    needed = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["build-system"]
    pip(place / "bin" / "python", *needed["requires"])
    return place / "bin" / "python"


@pytest.fixture(scope="module")
def built(python: Path, servers_folder: Path) -> Path:
    """Build the wheel and the sdist; return their folder."""
    target = servers_folder / "built"
    build = [str(python), "-m", "hatchling", "build", "-d", str(target)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True)
    return target


def pip(python: Path, *arguments: str | Path) -> None:
    """Install by pip, without a word."""
    install = ["-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([python, *install, *arguments], check=True, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_an_installed_package_works_in_an_empty_folder(
    python: Path, built: Path, servers_folder: Path, database_url: str, kind: str
) -> None:
    (package,) = built.glob(kind)
    pip(python, "--no-deps", "--no-build-isolation", "--force-reinstall", package)
    empty, user = (
        servers_folder / f"empty{package.suffix}",
        servers_folder / f"user{package.suffix}",
    )
    for folder in (empty, user):
        folder.mkdir()
        folder.chmod(0o711)
    # The programs of the dependencies lie beside the running Python.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    environment = {"PATH": path, "HOME": str(user), "COLUMNS": "200"}
    program = str(python.with_name("pipeline"))

    def run(*arguments: str, **settings: str) -> Done:
        with Command([program, *arguments], empty, environment | settings) as command:
            return command.end(300)

    demo = run("demo")
    assert demo.code == 0, demo
    rows = dict(re.findall(r"(warehouse\.\w+)\W+([\d,]+)", demo.out))
    assert rows.pop("warehouse.kept_decisions") == "0"  # nothing was withdrawn
    assert len(rows) == 7
    state = user / ".local" / "state" / "activity-warehouse"
    assert demo.err == f"Dagster's history and the demo's PostgreSQL go to {state}\n"
    assert (state / "dagster.yaml").readlink().is_relative_to(python.parents[1])
    assert (state / ".local" / "history").is_dir()

    with Running(SandboxState(SandboxSettings(activities=30, days=20))) as sandbox:
        service = service_settings(sandbox.base_url, sandbox.state.settings.credentials)
        settings = service | {"WAREHOUSE_URL": database_url}
        settings["ACTIVITIES_START_DATE"] = datetime.now(UTC).date().isoformat()
        synced = run("sync", **settings)
        assert synced.code == 0, synced
        if kind == "*.whl":
            serves(program, empty, environment | settings)
        checked = run("doctor", **settings)
        assert checked.code == 0, checked
        assert str(state) in checked.out
    assert list(empty.iterdir()) == []

    assert run("init").code == 0
    assert {file.name for file in empty.iterdir()} == {".env", "dagster.yaml", "workspace.yaml"}
    assert not (empty / "dagster.yaml").is_symlink()


def serves(program: str, folder: Path, environment: dict[str, str]) -> None:
    """Start Dagster's UI and wait until it shows the assets of our code location."""
    port = free_port()
    with Command([program, "ui", "--port", str(port)], folder, environment) as command:

        def shows_assets() -> bool:
            assert command.process.poll() is None, command.said
            try:
                query = {"query": "{ assetNodes { assetKey { path } } }"}
                answer = httpx.post(f"http://127.0.0.1:{port}/graphql", json=query, trust_env=False)
            except httpx.TransportError:
                return False
            return bool((answer.json().get("data") or {}).get("assetNodes"))

        eventually(shows_assets, "the UI has loaded the code", 120)
        command.process.terminate()
        assert command.end().code in (0, 143)
