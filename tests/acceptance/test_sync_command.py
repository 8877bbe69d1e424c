"""`pipeline sync` and the commands around it, against a sandbox and a real warehouse."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from contextlib import chdir
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import dagster as dg

from pipeline.assets.facts import SERVICE
from pipeline.sandbox import FaultRule
from tests.acceptance.conftest import SECRETS
from tests.support.commands import Project, eventually, make_project
from tests.support.mirroring import compare
from tests.support.reading import rows

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


def days_up_to_now(
    serve: Serve, project: MakeProject, days: int = 5
) -> tuple[Running, Project, date]:
    """Serve the newest days to a project that begins with them; returns the first one, too.

    A run without dates reads every day from the first one on, so an older one would cost more each day.
    """
    now = datetime.now(UTC)
    first = now.date() - timedelta(days=days - 1)
    service = serve(15 * days, from_date=first, to_date=now.date(), now=now)
    made = project(service)
    made.settings["ACTIVITIES_START_DATE"] = first.isoformat()
    return service, made, first


def test_a_quarter_and_again(serve: Serve, project: MakeProject, migrated_url: str) -> None:
    service = serve(400)
    made = project(service)
    done = made.run("sync", *QUARTER)
    assert done.code == 0, done
    assert done.err == ""
    # What it prints is for the terminal alone: it is not copied into a file by further processes.
    assert list(made.folder.glob("**/compute_logs")) == []
    counters = service.state.counters()
    assert counters.by_operation["details"] == len(counters.details) == 400
    assert counters.by_operation["login"] == 1
    assert compare(migrated_url, service.state.truth()) == []
    assert rows(
        migrated_url, "select sum(created_activities) from analytics.activities_by_created_day"
    ) == [(400,)]

    ((_, table), *days) = events(made)
    totals = totals_of(made)
    assert table["dagster/row_count"] == totals["new"] == totals["details_requests"] == 400
    stored = rows(migrated_url, "select day::text, stored from sync.coverage order by day desc")
    # On a busy machine some are shown while the run goes on.
    shown = [(day, facts["dagster/partition_row_count"]) for day, facts in days]
    assert sorted(shown, reverse=True) == stored

    service.state.reset_counters()
    again = made.run("sync", *QUARTER)
    assert again.code == 0, again
    # No day was written to, so there is only the event with the table's facts.
    assert len(events(made)) == len(days) + 2
    counters = service.state.counters()
    assert counters.by_operation["details"] == 0
    assert counters.by_operation["login"] == 1

    runs = [
        name for (name,) in rows(migrated_url, "select run_id from sync.runs order by started_at")
    ]
    assert recorded(made) == [(name, "sync_days_job", "SUCCESS") for name in runs]
    assert len(runs) == 2
    for line in ("complete", "unchanged", "400"):
        assert line in again.out


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

    listed = made.run("quarantine", "list")
    assert listed.code == 0, listed
    assert name in listed.out
    assert "500" in listed.out
    ((number,),) = rows(migrated_url, "select id from sync.quarantine where resolved_at is null")
    shown = made.run("quarantine", "show", str(number))
    assert name in shown.out
    assert re.search(r"first seen at\W+\d{4}-\d\d-\d\d \d\d:\d\d UTC\n", shown.out)
    assert re.search(r"accepted at\W+-$", shown.out, re.MULTILINE)
    assert made.run("quarantine", "show", "987654").code == 2

    service.state.set_faults()
    service.state.reset_counters()
    assert [made.run("quarantine", "retry", each).code for each in (str(number), "0")] == [0, 2]
    healed = made.run("sync", *DAYS)
    assert healed.code == 0, healed
    assert service.state.counters().details == {name: 1}
    assert compare(migrated_url, service.state.truth()) == []
    assert "nothing is in quarantine" in made.run("quarantine", "list").out


def test_full_reads_all_details_again(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = four_days(serve)
    made = project(service)
    assert made.run("sync", *DAYS).code == 0
    name = service.state.ids()[3]
    service.state.edit(name, description="edited where no list shows it")
    service.state.reset_counters()
    assert made.run("sync", *DAYS).code == 0
    assert service.state.counters().by_operation["details"] == 0
    done = made.run("sync", *DAYS, "--full")
    assert done.code == 0, done
    ((_, table), (day, facts), (before, _)) = events(made)[:3]
    assert (totals_of(made)["changed"], table["dagster/row_count"]) == (1, 80)
    written = "select day::text, stored from sync.activity_ledger join sync.coverage using (day)"
    assert rows(migrated_url, f"{written} where activity_id = '{name}'") == [
        (day, facts["dagster/partition_row_count"])
    ]
    assert before is None
    assert service.state.counters().details == dict.fromkeys(service.state.ids(), 1)
    assert compare(migrated_url, service.state.truth()) == []

    shown = made.run("runs", "show", recorded(made)[-1][0][:8])
    assert shown.code == 0, shown
    assert name in shown.out
    assert "description" in shown.out
    listed = made.run("runs")
    assert all(run[:8] in listed.out for run, _, _ in recorded(made))
    assert made.run("runs", "show", "no-such-run").code == 2


def test_without_dates_it_does_what_nightly_does(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service, made, first = days_up_to_now(serve, project, 8)
    assert made.run("sync", "--from", first.isoformat()).code == 0
    service.state.reset_counters()
    service.state.create()
    done = made.run("sync")
    assert done.code == 0, done
    assert service.state.counters().by_operation["login"] == 1
    (_, newest, older) = rows(
        migrated_url,
        "select kind, window_from, window_to, logins from sync.runs order by started_at",
    )
    # By the machine's clock midnight may come between; the lookback is three days.
    assert newest[0] == "days"
    assert newest[2] - newest[1] == timedelta(days=2)
    assert older[:3] == ("open", None, None)
    assert newest[3] + older[3] == 1
    assert "older days" in made.run("runs").out
    assert [job for _, job, _ in recorded(made)] == ["sync_days_job", "nightly"]
    assert compare(migrated_url, service.state.truth()) == []
    # Both runs changed rows, and the night has two parts.
    assert len(events(made, "analytics/activities")) == 2
    assert len(events(made, "analytics/consents")) == 2


def test_two_migrations_at_once(serve: Serve, project: MakeProject, database_url: str) -> None:
    made = project(serve(1))
    made.settings = {"WAREHOUSE_URL": database_url}  # it needs no other setting
    with made.start("migrate") as one, made.start("migrate") as other:
        ended = [one.end(), other.end()]
    assert [done.code for done in ended] == [0, 0], ended
    said = sorted(done.out for done in ended)
    assert "applied 0001_baseline" in said[0]
    assert "the schema is up to date" in said[1]
    applied = rows(
        database_url, "select name from sync.schema_migrations where digest is null order by 1"
    )
    assert [f"applied {name}" for (name,) in applied] == said[0].split("\n")[:-1]


def test_doctor(serve: Serve, project: MakeProject, migrated_url: str) -> None:
    service = four_days(serve)
    made = project(service)
    done = made.run("doctor")
    assert done.code == 0, done
    assert "FAIL" not in done.out
    before = rows(migrated_url, "select count(*) from sync.runs")
    ill = made.run(
        "doctor", ACTIVITIES_PASSWORD="not-this", WAREHOUSE_URL="postgresql://127.0.0.1:9/x"
    )
    assert ill.code == 1, ill
    assert ill.out.count("FAIL") == 2
    for words in ("401", "is the server running"):
        assert words in ill.out
    unset = made.run("doctor", ACTIVITIES_PASSWORD=None)
    assert unset.code == 2, unset
    assert "not set: ACTIVITIES_PASSWORD" in unset.out
    assert rows(migrated_url, "select count(*) from sync.runs") == before
    for output in (done, ill, unset):
        assert SECRETS.password not in output.out + output.err
        assert SECRETS.api_key not in output.out + output.err


def test_doctor_says_by_how_much_the_clocks_differ(serve: Serve, project: MakeProject) -> None:
    service = four_days(serve)  # its clock stands still on the day after them
    made = project(service)

    def seconds(side: str) -> int:
        found = json.loads(made.run("doctor", "--json").out)
        (clocks,) = (each["found"] for each in found if each["what"] == "clocks")
        told = re.fullmatch(rf"the service's clock is (\d+) s {side} this machine's", clocks)
        assert told, clocks
        return int(told[1])

    behind = seconds("behind")
    ahead_s = 40_000 * 86_400
    service.state.change_behaviour(date_skew_ms=ahead_s * 1000)
    assert abs(behind + seconds("ahead of") - ahead_s) < 3600


def test_a_run_up_to_today_says_that_this_machines_clock_is_behind(
    serve: Serve, project: MakeProject
) -> None:
    service, made, first = days_up_to_now(serve, project)
    assert made.run("sync").code == 0
    service.state.change_behaviour(date_skew_ms=20 * 86_400_000)
    done = made.run("sync")
    assert (done.code, "set this machine's clock" in done.err) == (3, True)
    # Days that were asked for are read as ever.
    asked = f"{first + timedelta(days=1)}"
    assert made.run("sync", "--from", asked, "--to", asked).code == 0


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


#: Runs the command in this process, and tells which of the modules named are imported after.
_IMPORTED = """
import json, sys
from pipeline.cli import main
names, sys.argv = sys.argv[1].split(), ["pipeline", *sys.argv[2:]]
try:
    main()
except SystemExit as ended:
    print(json.dumps([ended.code, [name for name in names if name in sys.modules]]))
"""


def test_it_imports_only_what_it_uses(serve: Serve, project: MakeProject) -> None:
    _, made, _ = days_up_to_now(serve, project)
    others = (
        "matplotlib apprise phonenumbers pyarrow pipeline.sandbox pipeline.local"
        " pipeline.report pipeline.authorizations pipeline.commands.authorize pipeline.commands.doctor"
    )
    used = "dagster pipeline.assets.sync_days pipeline.commands.sync"
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTED, f"{others} {used}", "sync"],
        cwd=made.folder, env=made.environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[-1]) == [0, used.split()]
