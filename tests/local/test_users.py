"""Who runs the server, and where: root, an ordinary user, and each after the other."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
from typing import TYPE_CHECKING

import psycopg
import pytest

from pipeline.local import LocalPostgres, LocalPostgresError
from pipeline.local.binaries import (
    BIN_VARIABLE,
    STATE_FOLDER,
    find_binaries,
)
from tests.support.postgres import HASTY
from tests.support.users import ORDINARY, as_ordinary_user

if TYPE_CHECKING:
    from pathlib import Path

    from tests.local.conftest import MakeServer


def give_to_ordinary(folder: Path) -> None:
    if os.geteuid() == 0:
        entry = pwd.getpwnam(ORDINARY)
        os.chown(folder, entry.pw_uid, entry.pw_gid)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_root_and_the_owner_of_the_project_share_the_data(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a user's project root's server runs as that user, who can go on with the data."""
    give_to_ordinary(folder)
    (folder / "state").mkdir()
    give_to_ordinary(folder / "state")
    server = LocalPostgres(folder / "state" / "home", settings=HASTY)
    monkeypatch.setenv(BIN_VARIABLE, str(find_binaries(server._user).folder))
    with server, psycopg.connect(server.url()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
    owners = {path.stat().st_uid for path in (folder, *folder.rglob("*"))}
    assert len(owners) == 1

    def part() -> None:
        mine = LocalPostgres(folder / "state" / "home", settings=HASTY)
        with mine, psycopg.connect(mine.url()) as connection:
            assert connection.execute("SELECT n FROM kept").fetchone() == (1,)

    as_ordinary_user(part)
    with server, psycopg.connect(server.url()) as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (1,)
    shutil.rmtree(folder)


def test_other_users_can_not_connect(folder: Path, make_server: MakeServer) -> None:
    """There is no password: the modes are all that keep others out."""
    with make_server(folder / "home") as server:
        assert mode(server.home) == 0o700
        assert mode(server.home / ".s.PGSQL.5432") == 0o700
        if os.geteuid() == 0:  # only root can try it as somebody else

            def part() -> None:
                with pytest.raises(psycopg.OperationalError, match="Permission denied"):
                    psycopg.connect(server.url())
                with pytest.raises(LocalPostgresError, match="a folder that you own"):
                    LocalPostgres(server.home).start()

            as_ordinary_user(part, stranger=True)
            assert server.running


def test_a_project_that_only_its_owner_can_enter(folder: Path, make_server: MakeServer) -> None:
    private = folder / "private"
    private.mkdir(mode=0o700)
    server = make_server(private / "project" / "home")
    with server, psycopg.connect(server.url()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
    again = make_server(private / "project" / "home")
    with again, psycopg.connect(again.url()) as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (1,)
    assert again.home == server.home
    assert make_server(private / "other" / "home").home != server.home or os.geteuid() != 0
    assert mode(private) == 0o700
    if os.geteuid() == 0:  # who runs the server can't enter: the data lie with the system's
        assert list(private.iterdir()) == []
        assert mode(server.home) == 0o700
        assert server.home.parent == STATE_FOLDER
        assert (STATE_FOLDER.stat().st_uid, mode(STATE_FOLDER)) == (0, 0o755)
    else:
        assert server.home == private / "project" / "home"
