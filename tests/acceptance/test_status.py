"""`pipeline status` as a monitor asks it: it answers whatever happens, and names each problem at once."""

from __future__ import annotations

import fcntl
import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg
import psycopg
import pytest
from dagster._core.remote_origin import RemoteJobOrigin
from dagster._core.scheduler.instigation import InstigatorStatus
from dagster._daemon.types import DaemonHeartbeat

from pipeline.assets.processes import ended_processes, locked
from pipeline.assets.reasons import why_failed
from pipeline.assets.watch import standing_still
from pipeline.definitions import defs
from tests.support.commands import CHECKOUT, make_project
from tests.support.nights import REPOSITORY, add_schedule, good_night
from tests.support.receiver import receiver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.commands import Project


@pytest.fixture
def watched(folder: Path, migrated_url: str) -> Iterator[tuple[Project, dg.DagsterInstance]]:
    """Make a project whose daemon is alive and whose last night was good."""
    zone = {"ACTIVITIES_TIMEZONE": "America/Lima"}
    made = make_project(folder, {"WAREHOUSE_URL": migrated_url} | zone)
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        good_night.execute_in_process(instance=instance)
        beat(instance, minutes_ago=25)
        yield made, instance


def beat(instance: dg.DagsterInstance, minutes_ago: int) -> None:
    """Let the daemon's last sign of life be so long ago."""
    at = datetime.now(UTC) - timedelta(minutes=minutes_ago)
    instance.add_daemon_heartbeat(DaemonHeartbeat(at.timestamp(), "SCHEDULER", "one"))


def problems(made: Project) -> list[str]:
    """Return what `pipeline status` says, whose exit code must be 1."""
    done = made.run("status", "--json")
    assert done.code == 1, done
    lines: list[str] = json.loads(done.out)["problems"]
    return lines


def test_status_sees_at_once_that_the_daemon_has_ended_and_elsewhere_after_half_an_hour(
    watched: tuple[Project, dg.DagsterInstance],
) -> None:
    made, instance = watched
    beat(instance, minutes_ago=31)
    (line,) = problems(made)
    assert line.startswith("Dagster's daemon is not running (no sign of life since ")
    beat(instance, minutes_ago=0)
    with (made.folder / ".daemon.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as a program of `pipeline ui` does
        assert made.run("status").code == 0
    (line,) = problems(made)
    assert line.startswith("Dagster's daemon is not running (no sign of life since ")
    assert "`pipeline ui`" in line


@pytest.mark.parametrize(
    ("text", "said"),
    [("a: [b", r"dagster\.yaml, line 2: "), ("run_queue: {wrong: 1}", r"dagster\.yaml: .*wrong")],
)
def test_a_broken_dagster_yaml_is_one_line_in_every_command(
    made: Project, text: str, said: str
) -> None:
    (made.folder / "dagster.yaml").write_text(f"{text}\n", encoding="utf-8")
    done = made.run("sync")
    assert (done.code, len(done.lines)) == (2, 1), done
    assert re.search(said, done.err), done
    (line,) = (each for each in made.run("doctor").out.splitlines() if re.search(said, each))
    assert "pipeline init" in line


def test_status_names_days_that_are_not_complete_unless_a_run_is_under_way_and_many_problems(
    watched: tuple[Project, dg.DagsterInstance], migrated_url: str
) -> None:
    made, _ = watched
    with psycopg.connect(migrated_url) as session:
        session.execute(
            "insert into sync.days (day, listed, unproven)"
            " values ('2026-01-02', 3, 'the list was never read to its end')"
        )
    done = made.run("status", "--json")
    assert done.code == 3, done
    named = ["2026-01-02: the list was never read to its end: `pipeline sync` reads it again"]
    assert json.loads(done.out)["problems"] == named
    with psycopg.connect(migrated_url) as session:
        session.execute(
            "insert into sync.runs (run_id, kind, status, started_at)"
            " values ('now', 'days', 'running', now())"
        )
    assert made.run("status").code == 0
    with psycopg.connect(migrated_url) as session:
        session.execute(
            "insert into sync.quarantine"
            " (source, subject, reason, first_seen_at, last_seen_at, next_attempt_at)"
            " select 'details', number::text, 'no', now(), now(), now()"
            " from generate_series(1, 21) as number"
        )
    assert any("one cause is likely" in line for line in problems(made))


def test_status_says_at_once_that_a_night_failed_and_that_the_schedule_is_switched_off(
    watched: tuple[Project, dg.DagsterInstance],
) -> None:
    made, instance = watched
    done = made.run("status", "--json")
    assert done.code == 0, done
    assert json.loads(done.out)["last_good_night"].endswith("-05:00")
    shown = made.run("status").out
    assert re.search(r"(?m)^last good night .* -05$", shown)
    assert re.search(r"(?m)^daemon alive +yes$", shown)
    assert re.search(r"(?m)^complete through +-$", shown)

    @dg.op
    def breaks() -> None:
        raise dg.Failure("login: 401", allow_retries=False)

    @dg.job(name="nightly")
    def bad_night() -> None:
        breaks()

    bad_night.execute_in_process(instance=instance, raise_on_error=False)
    (line,) = problems(made)
    assert re.fullmatch(
        r"the night of \S+ \S+ -05 failed: login: 401 - `pipeline sync` does what is missing", line
    )
    add_schedule(instance, InstigatorStatus.STOPPED)
    assert any(each.startswith("the schedule nightly is switched off") for each in problems(made))


def test_status_says_which_runs_are_dead_stand_still_or_wait(
    watched: tuple[Project, dg.DagsterInstance],
) -> None:
    made, instance = watched
    lives = instance.create_run_for_job(good_night, status=dg.DagsterRunStatus.STARTED)
    dies = instance.create_run_for_job(good_night, status=dg.DagsterRunStatus.STARTED)
    with locked(instance, lives.run_id):
        leave_lock(instance, dies.run_id)
        now = datetime.now(UTC)
        (dead,) = standing_still(instance, now)
        assert dead.startswith(f"the run {dies.run_id[:8]} of nightly: its process ended")
        assert problems(made) == [dead]
        still = list(standing_still(instance, now + timedelta(minutes=21)))
        assert any(f"{lives.run_id[:8]} of nightly stands still since" in line for line in still)
        with dg.build_sensor_context(instance=instance, definitions=defs) as context:
            ended_processes.evaluate_tick(context)
    failed = instance.get_run_by_id(dies.run_id)
    assert failed is not None
    assert failed.status is dg.DagsterRunStatus.FAILURE
    assert why_failed(instance, dies.run_id) == "its process ended (killed, or out of memory)"
    instance.report_run_canceled(lives)
    instance.create_run_for_job(
        good_night,
        status=dg.DagsterRunStatus.QUEUED,
        remote_job_origin=RemoteJobOrigin(REPOSITORY, "nightly"),
    )
    assert list(standing_still(instance, now + timedelta(minutes=9))) == []
    (waits,) = standing_still(instance, now + timedelta(minutes=11))
    assert waits.startswith("runs wait since ")


def leave_lock(instance: dg.DagsterInstance, run_id: str) -> None:
    """Leave the file of a run whose process was killed."""
    held = locked(instance, run_id)
    held.__enter__()
    (file,) = (Path(instance.storage_directory()) / "processes").glob(run_id)
    kept = file.with_name("kept")
    file.rename(kept)
    held.__exit__(None, None, None)
    kept.rename(file)


def test_status_answers_and_posts_whatever_it_cannot_read(
    watched: tuple[Project, dg.DagsterInstance],
) -> None:
    made, _ = watched
    with receiver() as inbox:
        alerts = {"ACTIVITIES_ALERT_URLS": inbox.url, "ACTIVITIES_TIMEZONE": "Nowhere/At_All"}
        assert made.run("status", "--json", "--alert", **alerts).code == 1
    assert "can't load the code location" in inbox.texts[-1]
    (made.folder / "history" / "runs.db").write_bytes(b"no database" * 1000)
    made.settings["WAREHOUSE_URL"] = re.sub("/test_[^?]+", "/no", made.settings["WAREHOUSE_URL"])
    with receiver() as inbox:
        done = made.run("status", "--json", "--alert", ACTIVITIES_ALERT_URLS=inbox.url)
    assert done.code == 1, done
    history, warehouse = json.loads(done.out)["problems"]
    assert history.startswith("Dagster's history can't be read: ")
    assert warehouse.startswith("the warehouse can't be read: ")
    assert len(inbox.texts) == 1


def test_status_tells_and_posts_that_the_disk_of_the_history_is_full(tmp_path: Path) -> None:
    made = make_project(tmp_path / "project", {})
    with receiver() as inbox:
        made.settings["ACTIVITIES_ALERT_URLS"] = inbox.url
        script = (
            "mkdir small; mount -t tmpfs -o size=2m none small; cp *.yaml small; cd small;"
            " dd if=/dev/zero of=filled bs=4k 2>/dev/null;"
            ' "$0" -m pipeline doctor; "$0" -m pipeline status --alert --json'
        )
        done = subprocess.run(
            ["unshare", "--map-root-user", "--mount", "sh", "-c", script, sys.executable],
            cwd=made.folder,
            env=made.environment(DAGSTER_HOME=None, PYTHONPATH=str(CHECKOUT)),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1, done.stderr
    doctor, _, told = done.stdout.rpartition("\n{")
    assert re.search(r"Dagster's disk .* FAIL .* nearly full: 0 MB", doctor)
    lines = json.loads("{" + told)["problems"]
    assert any("the disk of Dagster's history is nearly full: 0 MB" in line for line in lines)
    assert any("Dagster's history can't be read: no space left" in line for line in lines)
    (text,) = inbox.texts
    assert all(line in text for line in lines)
