"""`pipeline demo` and `pipeline dev`: everything on this machine, and nothing left behind."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import psycopg
import pytest

from pipeline.local import LocalPostgres
from tests.support.commands import (
    CHECKOUT,
    Done,
    Project,
    eventually,
    make_project,
    processes_in,
)
from tests.support.daemon import free_port
from tests.support.planting import PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE_ROWS = re.compile(r"(warehouse\.\w+)\W+([\d,]+)")
_RUNS = "{ runsOrError { ... on Runs { results { runId status } } } }"
_ASSETS = "{ assetNodes { assetKey { path } } }"


@pytest.fixture(scope="module")
def place(servers_folder: Path) -> Iterator[Project]:
    """Make a project's folder without any setting, which the server's user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="demo-", dir=servers_folder))
    folder.chmod(0o711)
    yield make_project(folder, {})
    assert processes_in(folder) == {}


@pytest.fixture(scope="module")
def shown(place: Project) -> tuple[Done, Done]:
    """Show the demo twice."""
    return place.run("demo"), place.run("demo")


def test_demo_fills_every_table(shown: tuple[Done, Done], place: Project) -> None:
    first, second = shown
    for done in shown:
        assert done.code == 0, done
        assert done.err == "", done
        counted = {name: int(rows.replace(",", "")) for name, rows in _TABLE_ROWS.findall(done.out)}
        assert counted.pop("warehouse.kept_decisions") == 0  # nothing was withdrawn
        assert len(counted) == 7, done
        assert min(counted.values()) > 0, done
        assert counted["warehouse.activities"] > 1500
    assert "How are activities answered, by type and direction?" in first.out
    assert "run `pipeline demo` again" in first.out
    assert "only new, changed and due activities were fetched" in second.out
    assert processes_in(place.folder) == {}


def test_the_second_demo_fetches_only_what_changed(
    shown: tuple[Done, Done], place: Project
) -> None:
    assert [done.code for done in shown] == [0, 0]
    with (
        LocalPostgres(place.folder / ".local" / "postgres") as server,
        psycopg.connect(server.url("activities")) as session,
    ):
        runs = session.execute(
            "select new, changed, unchanged, status, logins, started_at from sync.runs order by started_at"
        ).fetchall()
        fetched = session.execute(
            "select count(*) from sync.activity_ledger where checked_at >= %s", (runs[1][5],)
        ).fetchone()
    (first, second) = runs
    assert first[3:5] == second[3:5] == ("complete", 1)
    assert first[0] > 1500
    assert 0 < second[0] + second[1] < 300
    assert fetched is not None
    assert second[0] + second[1] <= fetched[0] < 400
    assert second[2] > 1200


def test_psql_as_analyst_answers_the_questions_after_the_demo(
    shown: tuple[Done, Done], place: Project
) -> None:
    for done in shown:
        assert "query it as an analyst:" in done.out
        assert f"DAGSTER_HOME={place.folder}/.local pipeline status" in done.out
    files = sorted((CHECKOUT / "sql" / "queries").glob("*.sql"))
    assert len(files) >= 20
    with LocalPostgres(place.folder / ".local" / "postgres") as server:
        url = server.url("activities", "analyst")
        assert f'psql "{url}"' in shown[1].out
        psql = [str(PROGRAMS / "psql"), "-X", "-v", "ON_ERROR_STOP=1", url]
        asked = subprocess.run(
            [*psql, *(part for file in files for part in ("-f", str(file)))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (asked.returncode, asked.stderr) == (0, "")
        assert len(re.findall(r"^\(\d+ rows?\)$", asked.stdout, re.MULTILINE)) == len(files)
        refused = subprocess.run(
            [*psql, "-c", "select name from warehouse.entities"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "permission denied for table entities" in refused.stderr


def test_an_interrupted_demo_leaves_no_process(servers_folder: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="demo-", dir=servers_folder))
    folder.chmod(0o711)
    with make_project(folder, {}).start("demo") as demo:
        eventually(lambda: "mirroring its 90 days" in demo.said[0], "the demo has begun")
        assert processes_in(folder) != {}
        demo.send(signal.SIGTERM)
        done = demo.end(60)
    assert done.code == 143, done
    assert len(done.lines) == 1, done
    assert processes_in(folder) == {}


def test_dev_opens_the_ui_and_leaves_nothing(shown: tuple[Done, Done], place: Project) -> None:
    assert [done.code for done in shown] == [0, 0]
    port = free_port()
    with (
        place.start("dev", "--port", str(port)) as dev,
        httpx.Client(verify=False, trust_env=False) as client,  # noqa: S501 - no TLS here
    ):

        def answers(query: str) -> dict[str, object] | None:
            assert dev.process.poll() is None, dev.said
            try:
                answer = client.post(f"http://127.0.0.1:{port}/graphql", json={"query": query})
            except httpx.TransportError:
                return None
            data: dict[str, object] | None = answer.json().get("data")
            return data

        def assets() -> set[str] | None:
            nodes = (answers(_ASSETS) or {}).get("assetNodes")
            assert nodes is None or isinstance(nodes, list)
            return {node["assetKey"]["path"][-1] for node in nodes or ()} or None

        found = eventually(assets, "the code is loaded", 90, pause=0.5)
        assert {"activities", "entities", "timeline_events", "open_activities"} <= found
        runs = eventually(lambda: answers(_RUNS), "the runs are told")["runsOrError"]
        assert isinstance(runs, dict)
        # The history is that of the demo: it stays from one start to the next.
        assert [run["status"] for run in runs["results"]] == ["SUCCESS", "SUCCESS"]
        assert len(processes_in(place.folder)) > 3
        dev.send(signal.SIGINT)
        done = dev.end(60)
    assert done.code == 0, done
    assert "Traceback" not in done.out + done.err
    assert processes_in(place.folder) == {}
    assert (place.folder / ".local" / "history" / "runs.db").is_file()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
