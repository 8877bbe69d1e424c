"""Building on top: what `docs/building.md` says works from a folder outside of the repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any

import dagster as dg
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.support.commands import CHECKOUT, make_project
from tests.support.mirroring import FIRST, TODAY, Warehouse, sandbox
from tests.support.refreshing import refresh_all
from tests.tools.metrics import MEASURES, RATES

if TYPE_CHECKING:
    from pathlib import Path

_PAGE = (CHECKOUT / "docs" / "building.md").read_text(encoding="utf-8")
OWN_ASSET, OWN_PROJECT = re.findall(r"^```python\n(.*?)^```$", _PAGE, re.DOTALL | re.MULTILINE)
ACTIVITIES = dg.AssetKey(["analytics", "activities"])


def load(folder: Path, text: str) -> Any:
    """Return the definitions of a project with this text."""
    file = folder / "definitions.py"
    file.write_text(text, encoding="utf-8")
    spec = spec_from_file_location(f"example_{folder.name.replace('-', '_')}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.defs


def test_an_asset_of_ones_own_runs_after_a_view_changed(tmp_path: Path) -> None:
    mine = load(tmp_path, OWN_ASSET)
    with dg.DagsterInstance.ephemeral() as instance:
        before = dg.evaluate_automation_conditions(mine, instance)
        instance.report_runless_asset_event(dg.AssetMaterialization(ACTIVITIES))
        after = dg.evaluate_automation_conditions(mine, instance, cursor=before.cursor)
    assert (before.total_requested, after.total_requested) == (0, 1)


def test_our_definitions_in_another_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACTIVITIES_START_DATE", "2026-01-01")
    merged = load(tmp_path, OWN_PROJECT)
    for spec in merged.resolve_all_asset_specs():
        assert spec.owners == ["team:members"], spec.key
    assert merged.resolve_job_def("nightly").name == "nightly"
    told = subprocess.run(
        [sys.executable, "-m", "dagster", "definitions", "validate", "-f", "definitions.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr


@pytest.mark.system
def test_dbt_builds_the_sources_and_the_metrics(tmp_path: Path, migrated_url: str) -> None:
    program = shutil.which("dbt")
    if program is None:
        pytest.skip("dbt is not installed: .ci/run installs it apart")
    with sandbox(60) as service:
        Warehouse(migrated_url, service).days(FIRST, TODAY)
    refresh_all(migrated_url)
    made = make_project(tmp_path / "project", {"WAREHOUSE_URL": migrated_url})
    assert made.run("export", "--metrics", "models").code == 0
    model = "select type, count(*) as activities from {{ source('warehouse', 'activities') }} group by 1"
    (made.folder / "models" / "types.sql").write_text(model, encoding="utf-8")
    project = {"name": "mine", "version": "1.0", "profile": "mine", "model-paths": ["models"]}
    (made.folder / "dbt_project.yml").write_text(json.dumps(project), encoding="utf-8")
    given = conninfo_to_dict(migrated_url)
    target = {
        "type": "postgres", "schema": "dbt", "threads": 2, "password": given.get("password", ""),
        "host": given["host"], "port": int(str(given["port"])), "user": given["user"],
        "dbname": given["dbname"],
    }  # fmt: skip
    profiles = {"mine": {"target": "here", "outputs": {"here": target}}}
    (made.folder / "profiles.yml").write_text(json.dumps(profiles), encoding="utf-8")
    # `build` doesn't parse again what `parse` found.
    for command in ("parse", "build"):
        done = subprocess.run(
            [program, command, "--profiles-dir", ".", "--no-use-colors"],
            cwd=made.folder, env=made.environment(DO_NOT_TRACK="1"),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        assert "Deprecat" not in done.stdout
    assert "ERROR=0" in done.stdout
    manifest = json.loads((made.folder / "target" / "semantic_manifest.json").read_text("utf-8"))
    named = {metric["name"] for metric in manifest["metrics"]}
    assert named == MEASURES.keys() | RATES.keys()
    (spine,) = manifest["project_configuration"]["time_spines"]
    assert spine["primary_column"]["name"] == "day"
    with psycopg.connect(migrated_url) as session:
        counted = session.execute("select count(*) from dbt.analytics_activities").fetchall()
    assert counted == [(60,)]
