"""Dagster's history as we write it: what Dagster's own storage would have written, in fewer commits."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import dagster as dg
import pytest
from dagster._core.instance import InstanceRef
from dagster._core.storage.event_log import SqliteEventLogStorage
from dagster._core.storage.runs import SqliteRunStorage
from dagster._core.storage.schedules import SqliteScheduleStorage
from sqlalchemy import Engine, event

from pipeline.assets.history import EventLog
from pipeline.assets.sqlite import Runs, Schedules, is_made
from tests.support.commands import CHECKOUT

DAYS = dg.DailyPartitionsDefinition(start_date="2026-01-01")

_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}

#: Times of writing, and what is told of a file's own making.
_OWN = {"create_timestamp", "update_timestamp", "migration_completed"}

#: Stores half a batch, and is killed.
_KILLED = """
import os, signal, sys
from dagster._core.storage.event_log import SqliteEventLogStorage
from pipeline.assets.history import EventLog

class Deadly(list):
    half_way = False
    def __iter__(self):
        for number, each in enumerate(super().__iter__()):
            if self.half_way and number == len(self) // 2:
                os.kill(os.getpid(), signal.SIGKILL)
            yield each
        self.half_way = True

source, target, run = sys.argv[1:]
events = SqliteEventLogStorage(source).get_logs_for_run(run)
EventLog(target).store_event_batch(Deadly(events))
"""


@dg.multi_asset(
    specs=[dg.AssetSpec("one"), dg.AssetSpec("two", deps=["one"])],
    check_specs=[dg.AssetCheckSpec("holds", asset="one")],
    partitions_def=DAYS,
)
def tables() -> Iterator[dg.MaterializeResult[None] | dg.AssetCheckResult]:
    yield dg.MaterializeResult(asset_key="one", metadata={"rows": 7})
    yield dg.MaterializeResult(asset_key="two", metadata={"told": dg.MetadataValue.md("*seven*")})
    yield dg.AssetCheckResult(asset_key="one", passed=True)


@dg.asset(deps=[tables])
def view(context: dg.AssetExecutionContext) -> None:
    context.log_event(dg.AssetMaterialization("elsewhere"))
    context.log.info("done")


@contextmanager
def instance(folder: Path) -> Iterator[dg.DagsterInstance]:
    """Open an instance in a folder as the project's dagster.yaml says, as the command line does."""
    folder.mkdir(exist_ok=True)
    shutil.copy(CHECKOUT / "dagster.yaml", folder / "dagster.yaml")
    before = Path.cwd()
    os.chdir(folder)
    try:
        reference = InstanceRef.from_dir(str(folder / ".dagster"), config_dir=str(folder))
        with dg.DagsterInstance.from_ref(reference) as opened:
            yield opened
    finally:
        os.chdir(before)


def run(opened: dg.DagsterInstance, days: int) -> str:
    """Materialise the first days of the year; return the run's id."""
    tags = {
        "dagster/asset_partition_range_start": "2026-01-01",
        "dagster/asset_partition_range_end": f"2026-01-{days:02}",
    }
    return dg.materialize([tables, view], instance=opened, tags=tags, run_config=_QUIET).run_id


@pytest.fixture
def events(tmp_path: Path) -> list[dg.EventLogEntry]:
    """Return all events of a run over three days."""
    with instance(tmp_path / "source") as opened:
        found = list(opened.all_logs(run(opened, 3)))
    kinds = [each.dagster_event.event_type_value for each in found if each.dagster_event]
    assert kinds.count("ASSET_MATERIALIZATION") == kinds.count("ASSET_MATERIALIZATION_PLANNED") + 1
    assert kinds.count("ASSET_MATERIALIZATION_PLANNED") == 7
    assert {"ASSET_CHECK_EVALUATION_PLANNED", "ASSET_CHECK_EVALUATION", "PIPELINE_SUCCESS"} <= {
        *kinds
    }
    return found


def contents(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return what all files are made of, and all rows of all their tables but for times of writing."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for file in sorted(folder.glob("*.db")):
        with closing(sqlite3.connect(file)) as session:
            made = session.execute("select type, name, sql from sqlite_master").fetchall()
            found[f"{file.stem} (schema)"] = [
                *sorted(made),
                *session.execute("pragma journal_mode"),
            ]
            names = session.execute("select name from sqlite_master where type = 'table'")
            for (table,) in names.fetchall():
                columns = [row[1] for row in session.execute(f"pragma table_info({table})")]
                kept = ", ".join(f'"{column}"' for column in columns if column not in _OWN)
                rows = session.execute(f"select {kept} from {table} order by 1").fetchall()
                found[f"{file.stem} {table}"] = rows
    return found


@pytest.mark.parametrize("size", [1, 2, 5, 1_000])
def test_the_files_hold_what_dagsters_own_storage_would_have_written(
    events: list[dg.EventLogEntry], tmp_path: Path, size: int
) -> None:
    plain, ours = SqliteEventLogStorage(str(tmp_path / "plain")), EventLog(str(tmp_path / "ours"))
    for each in events:
        plain.store_event(each)
    for place in range(0, len(events), size):
        ours.store_event_batch(events[place : place + size])
    ours.dispose()
    written = contents(tmp_path / "ours")
    assert len(written[f"{events[0].run_id} event_logs"]) == len(events)
    assert [row[1] for row in written["index asset_keys"]] != []
    assert written == contents(tmp_path / "plain")


@pytest.mark.parametrize("begun", ["", "create table event_logs (id integer)", None])
def test_a_runs_file_that_somebody_else_is_just_making(
    events: list[dg.EventLogEntry], tmp_path: Path, begun: str | None
) -> None:
    plain, ours = SqliteEventLogStorage(str(tmp_path / "plain")), EventLog(str(tmp_path / "ours"))
    theirs = Path(ours.path_for_shard(events[0].run_id))
    if begun is not None:
        with closing(sqlite3.connect(theirs)) as session:
            session.execute("pragma user_version = 7")  # so that there is a file, whatever is begun
            session.execute(begun)
    assert theirs.exists() is (begun is not None)
    if begun:
        # Theirs to end: as Dagster's own would, ours says so instead of writing beside it.
        with pytest.raises(Exception, match="event_logs"):
            ours.store_event_batch(events)
        return
    ours.store_event_batch(events)
    for each in events:
        plain.store_event(each)
    ours.dispose()
    assert contents(tmp_path / "ours") == contents(tmp_path / "plain")


@pytest.mark.parametrize(
    ("ours", "own", "name"),
    [(Runs, SqliteRunStorage, "runs"), (Schedules, SqliteScheduleStorage, "schedules")],
)
def test_runs_and_schedules_are_dagsters_own_files(
    tmp_path: Path,
    ours: type[Runs | Schedules],
    own: type[SqliteRunStorage | SqliteScheduleStorage],
    name: str,
) -> None:
    assert not is_made(str(tmp_path / f"{name}.db"))
    for storage, folder in ((ours, "ours"), (own, "own")):
        opened = storage.from_config_value(None, {"base_dir": str(tmp_path / folder)})
        assert is_made(str(tmp_path / folder / f"{name}.db"))
        assert isinstance(opened, storage)
    assert contents(tmp_path / "ours") == contents(tmp_path / "own")
    again = ours.from_config_value(None, {"base_dir": str(tmp_path / "own")})
    with again.connect() as connection:
        assert connection.exec_driver_sql("select count(*) from alembic_version").scalar() == 1
    assert contents(tmp_path / "ours") == contents(tmp_path / "own")


def test_days_cost_no_commits(tmp_path: Path) -> None:
    commits = []

    def count(_connection: object) -> None:
        commits.append(1)

    with instance(tmp_path) as opened:
        run(opened, 1)
        event.listen(Engine, "commit", count)
        try:
            run(opened, 2)
            of_two = len(commits)
            run(opened, 31)
        finally:
            event.remove(Engine, "commit", count)
        assert len(commits) - of_two == of_two
        stored = opened.fetch_materializations(dg.AssetKey("two"), limit=31).records
    assert len({each.partition_key for each in stored}) == 31
    # The UI lists one event of an asset a millisecond.
    assert len({int(each.timestamp * 1_000) for each in stored}) == 31


def test_a_batch_is_stored_whole_or_not_at_all(
    events: list[dg.EventLogEntry], tmp_path: Path
) -> None:
    ours = EventLog(str(tmp_path / "ours"))
    broken = [*events, SimpleNamespace(run_id=events[0].run_id, dagster_event=None)]
    with pytest.raises(Exception, match="EventLogEntry"):
        ours.store_event_batch(broken)  # type: ignore[arg-type]
    assert ours.get_logs_for_run(events[0].run_id) == []
    assert ours.get_asset_records() == []
    ours.store_event_batch(events)
    assert len(ours.get_logs_for_run(events[0].run_id)) == len(events)


def test_killed_within_a_batch(events: list[dg.EventLogEntry], tmp_path: Path) -> None:
    ours, name = tmp_path / "ours", events[0].run_id
    EventLog(str(ours)).store_event(events[0])
    before = contents(ours)
    source = tmp_path / "source" / ".dagster" / "history" / "runs"
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED, str(source), str(ours), name],
        cwd=CHECKOUT, capture_output=True, check=False,
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert contents(ours) == before
    for storage in (SqliteEventLogStorage(str(ours)), EventLog(str(ours))):
        assert storage.get_logs_for_run(name) == events[:1]
    EventLog(str(ours)).store_event_batch(events[1:])
    assert SqliteEventLogStorage(str(ours)).get_logs_for_run(name) == events


def test_beside_others_that_write_and_delete_the_same_files(
    events: list[dg.EventLogEntry], tmp_path: Path
) -> None:
    name = events[0].run_id
    ours, same = EventLog(str(tmp_path)), EventLog(str(tmp_path))
    plain = SqliteEventLogStorage(str(tmp_path))
    for place in range(0, len(events), 3):
        ours.store_event_batch(events[place : place + 1])
        for each in events[place + 1 : place + 2]:
            plain.store_event(each)
        same.store_event_batch(events[place + 2 : place + 3])
    for storage in (ours, same, plain):
        assert storage.get_logs_for_run(name) == events
    plain.wipe()
    assert ours.get_logs_for_run(name) == []
    ours.store_event_batch(events)
    assert SqliteEventLogStorage(str(tmp_path)).get_logs_for_run(name) == events
