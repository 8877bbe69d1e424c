"""`pipeline export`: all rows, as they are, with the eyes of the role."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.output.export import export_csv, export_parquet
from pipeline.warehouse.schema import roles
from tests.support.commands import make_project
from tests.support.mirroring import FIRST, TODAY, Warehouse, sandbox
from tests.support.postgres import fresh_database
from tests.support.refreshing import refresh_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.commands import Project
    from tests.support.postgres import PostgresServer

#: One column of every type that views of analytics have, and of some that they might get.
KINDS = """
create view analytics.kinds as
select * from (
    values
        (
            1::bigint, 2::int, 0.25::numeric, 1.5::float8, true, 'ä, "b"\n', date '2026-03-01',
            timestamptz '2026-03-01 12:00+02', interval '90 seconds',
            '00000000-0000-4000-8000-000000000001'::uuid, '{"a": [1, null]}'::jsonb, array['x', null]
        ),
        (null, null, null, null, null, '', null, null, null, null, null, null)
) as rows (
    big, small, exact, double, yes, text, day, at, lasted, id, free, list
)
"""
BIG = """
create view analytics.big as
select number, repeat('x', 1000) as text from generate_series(1, 60000) as number
"""


TEXTS = ["=1+1", "+51 999", "-1", "@sum", "\t=1", "\r=1", "a=b", "", None, "'quoted'"]
_QUOTED = ("null" if text is None else "'" + text.replace("'", "''") + "'" for text in TEXTS)
CELLS = f"create view analytics.cells as select -5 as number, unnest(array[{', '.join(_QUOTED)}]) as text"


@pytest.fixture(scope="module")
def readable(postgres: PostgresServer, migrated_template: str) -> Iterator[Warehouse]:
    with fresh_database(postgres, migrated_template) as name, sandbox(60) as service:
        warehouse = Warehouse(postgres.url(name), service)
        warehouse.days(FIRST, TODAY)
        refresh_all(warehouse.url)
        warehouse.execute(KINDS)
        warehouse.execute(BIG)
        warehouse.execute(CELLS)
        roles.set_up(warehouse.url)
        warehouse.execute(
            "grant select on analytics.kinds, analytics.big, analytics.cells to analyst"
        )
        yield warehouse


@pytest.fixture
def here(readable: Warehouse, tmp_path: Path) -> Project:
    return make_project(tmp_path / "project", {"WAREHOUSE_URL": readable.url})


def test_csv_holds_every_row(readable: Warehouse, here: Project) -> None:
    done = here.run("export", "activities")
    assert (done.code, done.err) == (0, ""), done
    rows = list(csv.DictReader(io.StringIO(done.out)))
    expected = readable.query(
        "select activity_id::text, status, created_at from analytics.activities order by 1"
    )
    assert [
        (row["activity_id"], row["status"], datetime.fromisoformat(row["created_at"]))
        for row in sorted(rows, key=lambda row: row["activity_id"])
    ] == expected
    assert len(rows) == 60


def test_all_facts_go_to_a_folder(here: Project) -> None:
    assert here.run("export", "--all", "lake").code == 0
    since = pq.read_schema(here.folder / "lake" / "items.parquet").metadata[b"since"].decode()
    assert here.run("export", "--all", "news", "--since", since).code == 0
    assert (here.folder / "news" / "changed_activities.parquet").exists()


def test_no_cell_is_a_formula_and_no_other_user_reads_the_file(here: Project) -> None:
    done = here.run("export", "cells", "--output", "cells.csv")
    assert done.code == 0, done
    file = here.folder / "cells.csv"
    assert file.stat().st_mode & 0o777 == 0o600
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    harmless = [f"'{text}" if text and text[0] in "=+-@\t\r" else text or "" for text in TEXTS]
    assert rows[1:] == [["-5", text] for text in harmless]


def test_a_pipe_and_a_link_stay_what_they_are(here: Project) -> None:
    pipe, link, place = (here.folder / name for name in ("pipe", "link.csv", "place.csv"))
    os.mkfifo(pipe)
    link.symlink_to(place)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert here.run("export", "kinds", "-o", "pipe").code == 0
    assert pipe.is_fifo()
    assert os.read(reader, 65536).startswith(b"big,small,")
    os.close(reader)
    for _ in range(2):  # the file of the link is made, then replaced
        assert here.run("export", "kinds", "-o", "link.csv").code == 0
        assert link.is_symlink()
        assert place.read_bytes().startswith(b"big,small,")
        assert place.stat().st_mode & 0o777 == 0o600
    with (here.folder / "kinds.csv.part").open(
        "w+b"
    ) as held:  # by somebody who wants to read along
        assert here.run("export", "kinds", "-o", "kinds.csv").code == 0
        assert held.read() == b""


def test_csv_holds_every_type(here: Project) -> None:
    done = here.run("export", "kinds")
    assert done.code == 0, done
    _, first, second = csv.reader(io.StringIO(done.out))
    assert first[5:7] == ['ä, "b"\n', "2026-03-01"]
    assert first[-2:] == ['{"a": [1, null]}', "{x,NULL}"]
    assert set(second) == {""}


def test_a_full_disk_is_told_as_that(here: Project) -> None:
    command = [sys.executable, "-m", "pipeline", "export", "activities"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=here.folder, env=here.environment(),
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == (
        "error: no space left on the disk for stdout or a file: make room, then run again\n"
    )


def test_parquet_holds_every_type(here: Project) -> None:
    done = here.run("export", "analytics.kinds", "--format", "parquet", "--output", "kinds.parquet")
    assert (done.code, done.out) == (0, ""), done
    assert done.lines == ["2 rows written to kinds.parquet"]
    found = pq.read_table(here.folder / "kinds.parquet")
    first, second = found.to_pylist()
    assert json.loads(first.pop("free")) == {"a": [1, None]}
    assert first == {
        "big": 1,
        "small": 2,
        "exact": 0.25,
        "double": 1.5,
        "yes": True,
        "text": 'ä, "b"\n',
        "day": datetime(2026, 3, 1, tzinfo=UTC).date(),
        "at": datetime(2026, 3, 1, 10, tzinfo=UTC),
        "lasted_seconds": 90.0,
        "id": "00000000-0000-4000-8000-000000000001",
        "list": ["x", None],
    }
    assert second.pop("text") == ""
    assert set(second.values()) == {None}
    assert [path.name for path in here.folder.glob("kinds*")] == ["kinds.parquet"]


@pytest.mark.parametrize("write", [export_csv, export_parquet])
def test_the_role_is_honoured(readable: Warehouse, write: Callable[..., int]) -> None:
    def names(role: str) -> set[str | None]:
        sink = io.BytesIO()
        with readable.engine() as engine:
            write(engine, "counterparts", role, sink)
        if write is export_parquet:
            return set(pq.read_table(pa.BufferReader(sink.getvalue()))["name"].to_pylist())
        lines = io.StringIO(sink.getvalue().decode())
        return {row["name"] or None for row in csv.DictReader(lines)}

    # Analysts read the names of businesses only.
    assert names("analyst") - {None} < names("analyst_personal")
    assert None in names("analyst")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["activity_funel"],
            "analyst has no view activity_funel in analytics; it has accepted_items, activities, ",
        ),
        (["codes", "-o", "no/such/folder"], "no/such/folder can't be written: No such"),
        (["shared_values"], "analyst has no view shared_values in analytics"),
        (["codes; drop table analytics.codes"], "analyst has no view codes; drop table"),
        (["codes", "--format", "xlsx"], "'xlsx' is not one of"),
        (["activities", "--all", "lake"], "--all"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(here: Project, options: list[str], said: str) -> None:
    done = here.run("export", *options)
    assert done.code == 2, done
    assert said in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("arguments", "module", "said"),
    [
        (
            ("export", "codes", "--format", "parquet", "-o", "x"),
            "pyarrow",
            "--format parquet needs pyarrow: install the package's extra `export`",
        ),
        (
            ("report",),
            "matplotlib",
            "`pipeline report` needs matplotlib: install the package's extra `report`",
        ),
    ],
)
def test_without_its_extra_a_command_is_refused(
    here: Project, arguments: tuple[str, ...], module: str, said: str
) -> None:
    lacking = here.folder / "lacking"
    lacking.mkdir()
    (lacking / "sitecustomize.py").write_text(
        "import importlib.util as util\n"
        "find = util.find_spec\n"
        f"util.find_spec = lambda name, *a: None if name == {module!r} else find(name, *a)\n"
    )
    with here.start_interpreter(*arguments, PYTHONPATH=str(lacking)) as command:
        done = command.end()
    assert (done.code, len(done.lines)) == (2, 1), done
    assert said in done.err


def test_a_database_without_grants_says_what_to_do(migrated_url: str, tmp_path: Path) -> None:
    done = make_project(tmp_path, {"WAREHOUSE_URL": migrated_url}).run("export", "codes")
    assert (done.code, len(done.lines)) == (2, 1), done
    assert "by `pipeline migrate --roles`" in done.err


def test_whoever_has_read_enough_may_leave(here: Project) -> None:
    command = [sys.executable, "-m", "pipeline", "export", "big"]
    with subprocess.Popen(
        command, cwd=here.folder, env=here.environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"number,text\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("write", [export_csv, export_parquet])
def test_memory_is_bounded(readable: Warehouse, write: Callable[..., int], tmp_path: Path) -> None:
    """60 MB of rows pass through; a batch is in memory at a time."""
    engine = open_engine(readable.url)
    tracemalloc.start()
    try:
        with (tmp_path / "big").open("wb") as sink:
            assert write(engine, "big", "analyst", sink) == 60_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        engine.dispose()
    assert peak + pa.default_memory_pool().max_memory() < 45_000_000
