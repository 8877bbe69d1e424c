"""`pipeline sync` and the commands around it, against a sandbox and a real warehouse."""

from __future__ import annotations

import re
import shlex
import signal
import sqlite3
from contextlib import chdir
from datetime import date
from typing import TYPE_CHECKING, Any

import dagster as dg
import psycopg

from pipeline.assets.facts import SERVICE
from pipeline.sandbox import FaultRule
from tests.support.commands import Project, eventually, make_project
from tests.support.mirroring import compare
from tests.support.reading import rows, value

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve

QUARTER = ("--from", "2026-01-01", "--to", "2026-03-31")
DAYS = ("--from", "2026-01-01", "--to", "2026-01-04")


def recorded(project: Project) -> list[tuple[str, str, str]]:
    """Return id, job and status of the runs in the folder's Dagster instance, oldest first."""
    with sqlite3.connect(project.folder / "history" / "runs.db") as database:
        found = database.execute("select run_id, pipeline_name, status from runs order by id")
        return [(str(run), str(job), str(status)) for run, job, status in found]


def events(
    project: Project, asset: str = "warehouse/activities"
) -> list[tuple[str | None, dict[str, Any]]]:
    """Return day and facts of what Dagster has of an asset, newest first."""
    with chdir(project.folder), dg.DagsterInstance.local_temp(".") as instance:
        found = instance.fetch_materializations(dg.AssetKey(asset.split("/")), 500)
    seen = [each.asset_materialization for each in found.records]
    return [
        (each.partition, {name: value.value for name, value in each.metadata.items()})
        for each in seen
        if each
    ]


def totals_of(project: Project) -> dict[str, Any]:
    """Return what Dagster has of the newest run as a whole: an observation of the service."""
    with dg.DagsterInstance.local_temp(str(project.folder)) as instance:
        (found,) = instance.fetch_observations(SERVICE, 1).records
    assert found.asset_observation is not None
    return {name: value.value for name, value in found.asset_observation.metadata.items()}


def four_days(serve: Serve, activities: int = 80) -> Running:
    """Serve activities of four days."""
    return serve(activities, from_date=date(2026, 1, 1), to_date=date(2026, 1, 4))


def test_a_quarter_and_again(serve: Serve, project: MakeProject, migrated_url: str) -> None:
    service = serve(200)
    made = project(service)
    done = made.run("sync", *QUARTER)
    assert (done.code, done.err) == (0, ""), done
    # What it prints is for the terminal alone: it is not copied into a file by further processes.
    assert list(made.folder.glob("**/compute_logs")) == []
    counters = service.state.counters()
    assert counters.by_operation["details"] == len(counters.details) == 200
    assert counters.by_operation["login"] == 1
    assert compare(migrated_url, service.state.truth()) == []

    ((_, table), *days) = events(made)
    totals = totals_of(made)
    assert table["dagster/row_count"] == totals["new"] == totals["details_requests"] == 200
    stored = rows(
        migrated_url, "select day::text, stored from sync.coverage where stored > 0 order by 1 desc"
    )
    # On a busy machine some are shown while the run goes on, and again when they are verified once more.
    shown = {day: facts["dagster/partition_row_count"] for day, facts in reversed(days)}
    assert sorted(shown.items(), reverse=True) == stored

    service.state.reset_counters()
    again = made.run("sync", *QUARTER)
    assert again.code == 0, again
    # No day was written to, so there is only the event with the table's facts.
    assert len(events(made)) == len(days) + 2
    counters = service.state.counters()
    assert (counters.by_operation["details"], counters.by_operation["login"]) == (0, 1)
    runs = rows(migrated_url, "select run_id from sync.runs order by started_at")
    assert recorded(made) == [(name, "sync_days_job", "SUCCESS") for (name,) in runs]
    assert len(runs) == 2
    for line in ("complete", "unchanged", "200"):
        assert line in again.out

    name = service.state.ids()[3]
    service.state.edit(name, description="edited where no list shows it")
    assert made.run("sync", *QUARTER, "--full").code == 0
    assert (totals_of(made)["changed"], compare(migrated_url, service.state.truth())) == (1, [])
    told = made.run("runs", "show", recorded(made)[-1][0][:8]).out
    assert name in told
    assert "description" in told


def test_what_can_not_be_had_is_named_and_tried_again(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = four_days(serve)
    made = project(service)
    name = service.state.ids()[7]
    service.state.set_faults(FaultRule(kind="status", operation="details", id=name))
    done = made.run("sync", *DAYS)
    assert done.code == 3, done
    assert len(done.lines) == 1, done
    assert "1 in quarantine: details of activity" in done.err
    assert "500, the service failed; `pipeline quarantine list`" in done.err

    ((number,),) = rows(migrated_url, "select id from sync.quarantine where resolved_at is null")
    shown = made.run("quarantine", "show", str(number))
    assert name in shown.out
    assert re.search(r"first seen at\W+\d{4}-\d\d-\d\d \d\d:\d\d UTC\n", shown.out)
    assert re.search(r"accepted at\W+-$", shown.out, re.MULTILINE)

    service.state.set_faults()
    service.state.reset_counters()
    assert [made.run("quarantine", "retry", each).code for each in (str(number), "0")] == [0, 2]
    healed = made.run("sync", *DAYS)
    assert healed.code == 0, healed
    assert service.state.counters().details == {name: 1}
    assert compare(migrated_url, service.state.truth()) == []
    assert "nothing is in quarantine" in made.run("quarantine", "list").out


def test_two_migrations_at_once(serve: Serve, project: MakeProject, database_url: str) -> None:
    made = project(serve(1))
    made.settings = {"WAREHOUSE_URL": database_url}  # it needs no other setting
    with made.start("migrate") as one, made.start("migrate") as other:
        ended = [one.end(), other.end()]
    assert [done.code for done in ended] == [0, 0], ended
    said = sorted(done.out for done in ended)
    assert "applied 0001_baseline" in said[0]
    assert "the schema is up to date" in said[1]


def test_the_sandbox_prints_settings_that_work(tmp_path: Path, migrated_url: str) -> None:
    made = make_project(tmp_path / "project", {})
    with made.start("sandbox", "--port", "0", "--activities", "30", "--days", "3") as sandbox:
        printed = re.compile(r"ACTIVITIES_\w+=.*")
        eventually(lambda: "ACTIVITIES_START_DATE=" in sandbox.said[0], "the settings are printed")
        lines = printed.findall(sandbox.said[0])
        values = dict(shlex.split(line)[0].split("=", 1) for line in lines)
        (made.folder / ".env").write_text("\n".join([*lines, f"WAREHOUSE_URL='{migrated_url}'"]))
        done = made.run("sync", "--from", values["ACTIVITIES_START_DATE"])
        sandbox.send(signal.SIGINT)
        assert sandbox.end().code == 0
    assert done.code == 0, done
    assert rows(migrated_url, "select count(*) from warehouse.activities") == [(30,)]


def test_rebuilt_and_gone(serve: Serve, project: MakeProject, migrated_url: str) -> None:
    service = four_days(serve)
    made = project(service)
    assert made.run("sync", *DAYS).code == 0
    with psycopg.connect(migrated_url) as session:
        session.execute("delete from warehouse.timeline_events")
    rebuilt = made.run("reparse")
    assert rebuilt.code == 0, rebuilt
    assert value(migrated_url, "select uncounted_changes from analytics.freshness") == 0
    assert value(migrated_url, "select count(*) from warehouse.timeline_events") >= 80
    for name in service.state.ids()[5:30]:
        service.state.delete(name)
    gone = "select count(*) from warehouse.activities where gone_at is not null"
    braked = made.run("sync", *DAYS)
    assert (braked.code, value(migrated_url, gone)) == (3, 0)
    assert "--accept-gone" in braked.err
    accepted = made.run("sync", *DAYS, "--accept-gone")
    assert (accepted.code, value(migrated_url, gone)) == (0, 25), accepted
