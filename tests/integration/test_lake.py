"""Facts as files: a lake that replaces whole activities by what changed since a run equals the tables."""

from __future__ import annotations

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
    lake = pytest.importorskip("duckdb").connect()

    def export(name: str, since: str | None = None) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        with warehouse.engine() as engine:
            export_all(engine, folder, roles.ANALYST, since)
        return folder

    def count(table: str) -> int:
        ((number,),) = lake.sql(f"select count(*) from {table}").fetchall()
        return int(number)

    replace(lake, export("first"))
    assert count("activities") == 120
    assert count("items") == warehouse.value("select count(*) from analytics.items") > 100
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
        assert number == 0 or 0 < count(f"'{news}/activities.parquet'") < 60
        replace(lake, news)
        for file in export(f"whole {number}").glob("*.parquet"):
            metadata = pq.read_schema(file).metadata
            assert json.loads(metadata[b"columns"])
            key = metadata[b"key"].decode()
            assert count(f"(select distinct {key} from '{file}')") == count(f"'{file}'")
            both = f"(from {file.stem}), (from '{file}')".split(", ")
            for one, other in (both, reversed(both)):
                assert lake.sql(f"{one} except all {other}").fetchall() == []


def test_what_nobody_knows_is_refused(mirrored: Mirrored, tmp_path: Path) -> None:
    warehouse = mirrored(20)
    roles.set_up(warehouse.url)
    with warehouse.engine() as engine, pytest.raises(ExportRefused, match="--all DIR"):
        export_all(engine, tmp_path, roles.ANALYST, "no-such-run")
