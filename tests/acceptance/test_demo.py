"""`pipeline demo`: everything on this machine, and nothing left behind."""

from __future__ import annotations

import re
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from pipeline.local import LocalPostgres
from tests.support.commands import CHECKOUT, Project, eventually, make_project, processes_in
from tests.support.planting import PROGRAMS
from tests.support.reading import rows

_TABLE_ROWS = re.compile(r"(warehouse\.\w+)\W+([\d,]+)")


@pytest.fixture
def place(servers_folder: Path) -> Project:
    """Make a project's folder without any setting, which the server's user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="demo-", dir=servers_folder))
    folder.chmod(0o711)
    return make_project(folder, {})


def test_demo_fills_every_table_and_analysts_get_answers_in_psql(place: Project) -> None:
    shown = first, second = place.run("demo"), place.run("demo")
    for done in shown:
        assert (done.code, done.err) == (0, ""), done
        counted = {name: int(rows.replace(",", "")) for name, rows in _TABLE_ROWS.findall(done.out)}
        assert counted.pop("warehouse.kept_decisions") == 0  # nothing was withdrawn
        assert len(counted) == 7, done
        assert min(counted.values()) > 0, done
        assert counted["warehouse.activities"] > 1500
        assert "query it as an analyst:" in done.out
        assert f"DAGSTER_HOME={place.folder}/.local pipeline status" in done.out
    assert "How are activities answered, by type and direction?" in first.out
    assert "run `pipeline demo` again" in first.out
    assert "only new, changed and due activities were fetched" in second.out
    assert processes_in(place.folder) == {}

    files = sorted((CHECKOUT / "sql" / "queries").glob("*.sql"))
    assert len(files) >= 20
    with LocalPostgres(place.folder / ".local" / "postgres") as server:
        of_runs = "select new, changed, status, logins from sync.runs order by started_at"
        one, other = rows(server.url("activities"), of_runs)
        assert one[2:] == other[2:] == ("complete", 1)
        assert 0 < other[0] + other[1] < 300 < 1500 < one[0]
        url = server.url("activities", "analyst")
        assert f'psql "{url}"' in second.out
        parts = [part for file in files for part in ("-f", str(file))]
        refused = ["-c", "select name from warehouse.entities"]
        psql = [str(PROGRAMS / "psql"), "-X", "-v", "ON_ERROR_STOP=1", url, *parts, *refused]
        asked = subprocess.run(psql, capture_output=True, text=True, check=False)
    assert len(re.findall(r"^\(\d+ rows?\)$", asked.stdout, re.MULTILINE)) == len(files)
    assert "permission denied for table entities" in asked.stderr
    assert processes_in(place.folder) == {}


def test_interrupted_at_an_odd_moment_it_leaves_no_process(place: Project) -> None:
    with place.start("demo") as demo:
        eventually(lambda: "mirroring its 90 days" in demo.said[0], "the demo has begun")
        assert processes_in(place.folder) != {}
        demo.send(signal.SIGTERM)
        done = demo.end(60)
    assert done.code == 143, done
    assert len(done.lines) == 1, done
    assert processes_in(place.folder) == {}
