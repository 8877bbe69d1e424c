"""The wheel and the sdist are whole: installed, they work in an empty folder, and no checkout is near."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from pipeline.sandbox import Running, SandboxSettings, SandboxState
from tests.support.commands import CHECKOUT, Command, Done, service_settings

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


def test_wheel_and_sdist_hold_the_same(python: Path, built: Path, tmp_path: Path) -> None:
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    build = [str(python), "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(build, cwd=tree, check=True, capture_output=True)
    (again,) = (tree / "dist").glob("*.whl")
    with ZipFile(wheel) as one, ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())


def test_an_installed_package_works_in_an_empty_folder(
    python: Path, built: Path, servers_folder: Path, database_url: str
) -> None:
    (package,) = built.glob("*.whl")
    pip(python, "--no-deps", "--force-reinstall", package)
    empty, user = servers_folder / "empty", servers_folder / "user"
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
        checked = run("doctor", **settings)
        assert checked.code == 0, checked
        assert str(state) in checked.out
    assert list(empty.iterdir()) == []

    assert run("init").code == 0
    assert {file.name for file in empty.iterdir()} == {".env", "dagster.yaml", "workspace.yaml"}
    assert not (empty / "dagster.yaml").is_symlink()


def test_back_to_the_version_before(
    python: Path, servers_folder: Path, database_url: str, tmp_path: Path
) -> None:
    later = "create table sync.later (note text);\ncomment on table sync.later is 'Later.';\n"
    wheels = {
        "1.0.0": wheel_of(python, servers_folder, "1.0.0"),
        "1.1.0": wheel_of(python, servers_folder, "1.1.0", {"0002_later.sql": later}),
    }
    program, settings = str(python.with_name("pipeline")), {"WAREHOUSE_URL": database_url}
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **settings}

    def run(version: str, *arguments: str) -> Done:
        pip(python, "--no-deps", "--force-reinstall", wheels[version])
        with Command([program, *arguments], tmp_path, environment) as command:
            return command.end(60)

    assert run("1.0.0", "migrate").code == 0
    assert "1.1.0, schema 0002_later" in run("1.1.0", "--version").out
    assert run("1.1.0", "migrate").code == 0
    refused = run("1.0.0", "migrate")
    assert refused.code == 1, refused
    for words in ("newer than this version", "1.0.0: 0002_later is of version 1.1.0"):
        assert words in " ".join(refused.err.split())


def wheel_of(
    python: Path, place: Path, version: str, migrations: dict[str, str] | None = None
) -> Path:
    """Build a wheel of this tree with another version, and with more migrations."""
    tree = place / f"tree-{version}"
    tree.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "dagster.yaml", "workspace.yaml"):
        shutil.copy(CHECKOUT / name, tree / name)
    for name in ("pipeline", "sql"):
        shutil.copytree(CHECKOUT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    code = tree / "pipeline" / "__init__.py"
    text = code.read_text(encoding="utf-8")
    code.write_text(re.sub(r'__version__ = ".*"', f'__version__ = "{version}"', text), "utf-8")
    (tree / "sql" / "migrations").mkdir(exist_ok=True)
    for name, statements in (migrations or {}).items():
        (tree / "sql" / "migrations" / name).write_text(statements, encoding="utf-8")
    build = [str(python), "-m", "hatchling", "build", "-t", "wheel", "-d", str(tree / "dist")]
    subprocess.run(build, cwd=tree, check=True, capture_output=True)
    (wheel,) = (tree / "dist").glob("*.whl")
    return wheel
