"""Backing up and restoring, word for word as docs/upkeep.md says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from pipeline.local.binaries import ServerUser, find_binaries
from tests.support.asking import Asking
from tests.support.commands import CHECKOUT
from tests.support.mirroring import Warehouse, compare
from tests.support.postgres import URL_VARIABLE, PostgresServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

DIED = (
    "update warehouse.authorization_requests set state = 'sending', sent_at = now() where id = '{}'"
)


def blocks() -> list[str]:
    """Return the blocks of commands: to back up, to restore, to try whether the backup is good."""
    page = (CHECKOUT / "docs" / "upkeep.md").read_text(encoding="utf-8")
    section = page.split("\n## Back up and restore\n")[1].split("\n## ")[0]
    return re.findall(r"^```console\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


def follow(made: Project, block: str, **variables: str) -> str:
    """Carry out a block of commands in a shell; return what they print."""
    programs = [str(Path(sys.executable).parent)]
    if URL_VARIABLE not in os.environ:
        programs.insert(0, str(find_binaries(ServerUser()).folder))
    path = os.pathsep.join([*programs, os.environ["PATH"]])
    done = subprocess.run(
        ["/bin/sh", "-ec", block],
        cwd=made.folder,
        env=made.environment(PATH=path, **variables),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def restored_url(postgres: PostgresServer) -> Iterator[str]:
    """Return the URL of the database that the documentation restores into, and drop it at the end."""
    yield postgres.url("restored")
    with psycopg.connect(postgres.url(), autocommit=True) as session:
        session.execute("drop database if exists restored with (force)")


@pytest.mark.slow
def test_yesterdays_dump_is_restored_healed_and_asks_nobody_twice(
    serve: Serve, project: MakeProject, migrated_url: str, restored_url: str
) -> None:
    now = datetime.now(UTC)
    first = now.date() - timedelta(days=5)
    # Up to yesterday: at an early hour some of today's would still be to come.
    yesterday = now.date() - timedelta(days=1)
    service = serve(40, from_date=first, to_date=yesterday, now=now, frozen=False)
    made = project(service)
    made.settings |= {"ACTIVITIES_START_DATE": str(first), "RESTORED_URL": restored_url}
    assert made.run("sync").code == 0
    asking = Asking(migrated_url, service)
    queued, died = asking.queue(number="999888771"), asking.queue(number="999888772")
    Warehouse(migrated_url, service).execute(DIED.format(died))

    for block in blocks():
        told = follow(made, block)
    assert "as the runs wrote them" in told

    assert asking.send().now["linked"] == 1
    created = service.state.counters().by_operation["create"]
    service.state.enter_status(service.state.ids()[3], "DECLINED")
    Warehouse(migrated_url, service).days(first, now.date())

    made.settings["WAREHOUSE_URL"] = restored_url
    done = made.run("sync")
    assert done.code == 0, done
    assert "the warehouse was restored" in done.err
    assert compare(restored_url, service.state.truth()) == []
    after = Asking(restored_url, service)
    after.send()
    assert service.state.counters().by_operation["create"] == created
    # What was sent since is found by the reference in its message.
    assert {name: after.row(name)["state"] for name in (queued, died)} == {
        queued: "linked",
        died: "unknown",
    }
    assert after.look()[0] == 0
    after.confirm()
    after.send()
    assert after.row(queued)["state"] == "linked"
    assert service.state.counters().by_operation["create"] == created
