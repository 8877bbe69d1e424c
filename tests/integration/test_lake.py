"""Facts as files: a lake that replaces whole activities by what changed since a run equals the tables."""

from __future__ import annotations

import importlib.util
import json
from typing import TYPE_CHECKING, Any

import psycopg
import pyarrow.parquet as pq
import pytest

from pipeline.warehouse.database.errors import ExportRefused
from pipeline.warehouse.output.lake import CHANGED, DIMENSIONS, FACTS, export_all
from pipeline.warehouse.schema import roles
from pipeline.warehouse.schema.refresh import refresh
from tests.support.mirroring import FIRST, TODAY, Warehouse

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.conftest import Mirrored

Rows = dict[str, dict[tuple[Any, ...], dict[str, Any]]]


def key_of(path: Path) -> tuple[str, ...]:
    """Return the key that a file's metadata names."""
    metadata = pq.read_schema(path).metadata
    assert json.loads(metadata[b"columns"])
    return tuple(metadata[b"key"].decode().split(", "))


def read(folder: Path) -> Rows:
    """Return the rows of all files by their keys."""
    found: Rows = {}
    for path in folder.glob("*.parquet"):
        key = key_of(path)
        rows = pq.read_table(path).to_pylist()
        found[path.stem] = {tuple(row[name] for name in key): row for row in rows}
        assert len(found[path.stem]) == len(rows)
    return found


def merge(lake: Rows, news: Rows) -> Rows:
    """Replace whole activities, and dimensions."""
    changed = {key[0] for key in news[CHANGED]}
    for name in FACTS:
        stays = {key: row for key, row in lake[name].items() if row["activity_id"] not in changed}
        lake[name] = stays | news[name]
    return lake | {name: news[name] for name in DIMENSIONS}


def _duckdb() -> Any:
    """Return a database of DuckDB, where it is installed as the extra `dev` does."""
    found = importlib.util.find_spec("duckdb")
    return importlib.import_module("duckdb").connect() if found else None


def replace(duckdb: Any, folder: Path) -> None:
    """Replace whole activities, and dimensions, in DuckDB as docs/building.md says; at first all."""
    for file in sorted(folder.glob("*.parquet")):
        name = file.stem
        if name in DIMENSIONS or not (folder / f"{CHANGED}.parquet").exists():
            duckdb.sql(f"create or replace table {name} as from '{file}'")
        elif name in FACTS:
            changed = f"select activity_id from '{folder}/{CHANGED}.parquet'"
            duckdb.sql(f"delete from {name} where activity_id in ({changed})")
            duckdb.sql(f"insert into {name} by name from '{file}'")


def run(warehouse: Warehouse) -> str:
    """Mirror and refresh; return the run."""
    summary = warehouse.days(FIRST, TODAY, full=True)
    with warehouse.engine() as engine:
        refresh(engine)
    return summary.run_id


def test_a_lake_follows_by_whole_activities(mirrored: Mirrored, tmp_path: Path) -> None:
    warehouse = mirrored(120)
    state = warehouse.service.state
    roles.set_up(warehouse.url)
    latest = run(warehouse)

    def export(name: str, since: str | None = None) -> Rows:
        (tmp_path / name).mkdir()
        with warehouse.engine() as engine:
            export_all(engine, tmp_path / name, roles.ANALYST, lambda *_: None, since)
        return read(tmp_path / name)

    lake, duckdb = export("first"), _duckdb()
    if duckdb:
        replace(duckdb, tmp_path / "first")
    assert len(lake["activities"]) == 120
    counted = "select count(*) from analytics.items"
    assert len(lake["items"]) == warehouse.value(counted) > 100
    for number in range(2):
        name = state.ids("ACCEPTED")[number]
        state.edit(name, accepted_requirements=[])
        state.change_entity(state.people()[number]["id"], unregistered=True)
        state.delete(state.ids("DECLINED")[number])
        state.create(type="AT_001", in_out_bound="IN", drawn=False)
        # By the clock alone: the sharing of some ends.
        with psycopg.connect(warehouse.url) as session:
            session.execute("set sync.loading = 'on'")
            session.execute(
                "update warehouse.activities set expires_at = now() - interval '1 day' where id = ("
                " select activity_id from analytics.activities where expires_at > now() limit 1)"
            )
        since, latest = latest, run(warehouse)
        news = export(f"since {number}", since)
        # The first run was followed by the fill.
        assert number == 0 or 0 < len(news["activities"]) < 60
        lake = merge(lake, news)
        whole = export(f"whole {number}")
        assert {name: lake[name] for name in whole} == whole
        if duckdb:
            replace(duckdb, tmp_path / f"since {number}")
            for file in (tmp_path / f"whole {number}").glob("*.parquet"):
                both = f"(from {file.stem}), (from '{file}')".split(", ")
                for one, other in (both, reversed(both)):
                    assert duckdb.sql(f"{one} except all {other}").fetchall() == []


def test_what_nobody_knows_is_refused(mirrored: Mirrored, tmp_path: Path) -> None:
    warehouse = mirrored(20)
    roles.set_up(warehouse.url)
    with warehouse.engine() as engine, pytest.raises(ExportRefused, match="--all DIR"):
        export_all(engine, tmp_path, roles.ANALYST, lambda *_: None, "no-such-run")
