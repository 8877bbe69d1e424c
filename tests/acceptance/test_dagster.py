"""Dagster: the real daemon with a backfill, the nightly schedule, and secrets that stay secret."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import dagster as dg
import pytest

from pipeline.assets.nightly import nightly
from pipeline.definitions import defs
from pipeline.warehouse.database.tables import TABLES
from pipeline.warehouse.schema.views import read_views
from tests.support.commands import make_project
from tests.support.mirroring import compare
from tests.support.reading import rows

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.conftest import MakeProject, Opened, Serve

#: Runs in this process use what Dagster names otherwise in a later version.
pytestmark = pytest.mark.filterwarnings("ignore:.*run_id is deprecated")

TIMELINE = dg.AssetKey(["warehouse", "timeline_events"])


def test_the_nightly_schedule_asks_for_a_run_that_works(
    serve: Serve, project: MakeProject, migrated_url: str, opened: Opened
) -> None:
    now = datetime.now(UTC)
    first = now.date() - timedelta(days=9)
    service = serve(150, from_date=first, to_date=now.date(), now=now)
    made = project(service)
    made.settings["ACTIVITIES_START_DATE"] = first.isoformat()
    before = now.date() - timedelta(days=4)
    assert made.run("sync", "--from", first.isoformat(), "--to", before.isoformat()).code == 0
    service.state.reset_counters()
    instance = opened(made)
    with dg.build_schedule_context(instance=instance, scheduled_execution_time=now) as context:
        (request,) = nightly.evaluate_tick(context).run_requests or ()
    assert request.run_key == now.isoformat()
    night = defs.resolve_job_def("nightly").execute_in_process(
        instance=instance, tags=request.tags, run_config=request.run_config
    )
    # The lookback of three days; the night that was missed before it is older work.
    days = f"{now.date() - timedelta(2)}..{now.date()}"
    assert [run.tags["days"] for run in instance.get_runs(limit=1)] == [days]
    steps = [event.step_key for event in night.all_events if event.is_step_success]
    assert steps.index("sync_days") < steps.index("check_older_days")
    views = {f"analytics/{view.name}" for view in read_views()}
    tables = {name.replace(".", "/") for name in TABLES}
    shown = {"actions/check_older_days", "service/business_activities"}
    assert views | tables | shown <= {key.to_user_string() for key in instance.get_asset_keys()}
    assert service.state.counters().logins == 1
    parts = "select kind, status from sync.runs order by started_at offset 1"
    assert rows(migrated_url, parts) == [("days", "complete"), ("open", "complete")]
    assert compare(migrated_url, service.state.truth()) == []
    asked = service.state.counters().requests
    check = dg.AssetCheckKey(TIMELINE, "timeline_ends_in_status")  # by itself, as its page does
    one = dg.define_asset_job("one", selection=dg.AssetSelection.checks(check))
    job = dg.Definitions.merge(defs, dg.Definitions(jobs=[one])).resolve_job_def("one")
    (found,) = job.execute_in_process(instance=instance).get_asset_check_evaluations()
    assert (found.check_name, found.passed) == ("timeline_ends_in_status", True)
    assert service.state.counters().requests == asked

    # Without dates the command does the same, with two parts and one login.
    service.state.reset_counters()
    service.state.create()
    done = made.run("sync")
    assert done.code == 0, done
    assert service.state.counters().logins == 1
    assert [kind for kind, _ in rows(migrated_url, parts)] == ["days", "open"] * 2
    assert "older days" in made.run("runs").out
    assert compare(migrated_url, service.state.truth()) == []
    service.state.change_behaviour(date_skew_ms=20 * 86_400_000)
    done = made.run("sync")
    assert (done.code, "set this machine's clock" in done.err) == (3, True)
    # Days that were asked for are read as ever.
    asked_for = ("--from", str(first), "--to", str(first))
    assert made.run("sync", *asked_for).code == 0


def test_definitions_load_without_any_setting(tmp_path: Path) -> None:
    made = make_project(tmp_path / "project", {})
    validated = subprocess.run(
        [sys.executable, "-m", "dagster", "definitions", "validate"],
        cwd=made.folder, env=made.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert validated.returncode == 0, validated.stderr
    assert "Validation successful for code location pipeline" in validated.stderr + validated.stdout
