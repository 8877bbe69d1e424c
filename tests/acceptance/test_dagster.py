"""Dagster: the real daemon with a backfill, the nightly schedule, and secrets that stay secret."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psycopg

from pipeline.warehouse.database.tables import TABLES
from pipeline.warehouse.schema.views import read_views
from tests.acceptance.conftest import SECRETS
from tests.support.commands import make_project
from tests.support.mirroring import compare

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.conftest import MakeProject, Serve

#: Evaluates the schedule at the instant given, and runs its request against the folder's instance.
_NIGHT = """
import json, sys
from datetime import datetime
import dagster as dg
from pipeline.assets.nightly import nightly
from pipeline.definitions import defs

at = datetime.fromisoformat(sys.argv[1])
with dg.DagsterInstance.local_temp(".") as instance:
    with dg.build_schedule_context(instance=instance, scheduled_execution_time=at) as context:
        (request,) = nightly.evaluate_tick(context).run_requests
    job = defs.resolve_job_def("nightly")
    result = job.execute_in_process(instance=instance, tags=request.tags, run_config=request.run_config)
    done = [event.step_key for event in result.all_events if event.is_step_success]
    seen = sorted(key.to_user_string() for key in instance.get_asset_keys())
    run = instance.get_run_by_id(result.run_id)
planned = [run.tags[f"dagster/asset_partition_range_{end}"] for end in ("start", "end")]
told = {"days": run.tags["days"], "key": request.run_key, "done": done, "seen": seen, "run": run.run_id}
told["planned"] = planned
print(json.dumps(told))
"""


#: Evaluates one check by itself, as its page in the UI does.
_ONE_CHECK = """
import json, sys
import dagster as dg
from pipeline.definitions import defs

table, check = sys.argv[1:]
chosen = dg.AssetSelection.checks(dg.AssetCheckKey(dg.AssetKey(["warehouse", table]), check))
job = dg.define_asset_job("one", selection=chosen)
with dg.DagsterInstance.ephemeral() as instance:
    whole = dg.Definitions.merge(defs, dg.Definitions(jobs=[job])).resolve_job_def("one")
    done = whole.execute_in_process(instance=instance).get_asset_check_evaluations()
print(json.dumps([(each.check_name, each.passed) for each in done]))
"""

#: Materializes all views at once, as the page of their group in the UI does.
_ALL_VIEWS = """
import json
import dagster as dg
from pipeline.definitions import defs

job = dg.define_asset_job("all", selection=dg.AssetSelection.groups("analytics"))
with dg.DagsterInstance.ephemeral() as instance:
    whole = dg.Definitions.merge(defs, dg.Definitions(jobs=[job])).resolve_job_def("all")
    done = whole.execute_in_process(instance=instance)
    shown = done.get_asset_materialization_events()
print(json.dumps([event.asset_key.to_user_string() for event in shown]))
"""


def leaks(folder: Path) -> list[str]:
    """Return the files below ``folder`` that hold a secret."""
    secrets = [text.encode() for text in (SECRETS.password, SECRETS.api_key)]
    secrets.append(json.dumps(SECRETS.password).strip('"').encode())
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    return [str(file) for file in files if any(secret in file.read_bytes() for secret in secrets)]


def test_the_nightly_schedule_asks_for_a_run_that_works(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    now = datetime.now(UTC)
    first = now.date() - timedelta(days=9)
    service = serve(150, from_date=first, to_date=now.date(), now=now)
    made = project(service)
    made.settings["ACTIVITIES_START_DATE"] = first.isoformat()
    before = now.date() - timedelta(days=4)
    assert made.run("sync", "--from", first.isoformat(), "--to", before.isoformat()).code == 0
    service.state.reset_counters()
    night = made.run_python(_NIGHT, now.isoformat())
    told = json.loads(night.out.splitlines()[-1])
    # The lookback of three days; the night that was missed before it is older work.
    assert told["planned"] == [f"{now.date() - timedelta(2)}", f"{now.date()}"]
    assert told["days"] == f"{now.date() - timedelta(2)}..{now.date()}"
    assert told["key"] == now.isoformat()
    done = told["done"]
    assert done.index("sync_days") < done.index("check_older_days")
    views = {f"analytics/{view.name}" for view in read_views()}
    tables = {name.replace(".", "/") for name in TABLES}
    shown = {"actions/check_older_days", "service/business_activities"}
    assert views | tables | shown <= set(told["seen"])
    assert service.state.counters().logins == 1
    with psycopg.connect(migrated_url) as session:
        parts = session.execute(
            "select kind, status from sync.runs where starts_with(run_id, %s) order by started_at",
            (told["run"],),
        ).fetchall()
    assert parts == [("days", "complete"), ("open", "complete")]
    assert compare(migrated_url, service.state.truth()) == []
    assert leaks(made.folder) == []
    asked = service.state.counters().requests
    checked = made.run_python(_ONE_CHECK, "timeline_events", "timeline_ends_in_status")
    assert json.loads(checked.out.splitlines()[-1]) == [["timeline_ends_in_status", True]]
    refreshed = made.run_python(_ALL_VIEWS)
    assert set(json.loads(refreshed.out.splitlines()[-1])) == views
    assert service.state.counters().requests == asked


def test_definitions_load_without_any_setting(tmp_path: Path) -> None:
    made = make_project(tmp_path / "project", {})
    validated = subprocess.run(
        [sys.executable, "-m", "dagster", "definitions", "validate"],
        cwd=made.folder, env=made.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert validated.returncode == 0, validated.stderr
    assert "Validation successful for code location pipeline" in validated.stderr + validated.stdout
