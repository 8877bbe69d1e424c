"""Another rhythm: nights at another hour, light runs between them, and old runs that leave the history.

Clauses 1, 2 and 10 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import dagster as dg
import pytest

from pipeline.assets import rhythm
from pipeline.assets.facts import ACTIVITIES, SERVICE
from pipeline.assets.forget import forget_runs
from pipeline.assets.watch import last_good, missed_night
from pipeline.sync.days import ONE_DAY
from tests.support.mirroring import compare
from tests.support.nights import good_night
from tests.support.reading import rows, value

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project


@pytest.mark.parametrize("cron", ["30 4 * * *", "15 22 * * 1-5", "0 * * * *"])
def test_a_night_is_overdue_two_hours_after_it_should_have_begun(
    folder: Path, monkeypatch: pytest.MonkeyPatch, cron: str
) -> None:
    monkeypatch.setenv("ACTIVITIES_SCHEDULE", cron)
    monkeypatch.setenv("ACTIVITIES_TIMEZONE", "America/Lima")
    now = datetime.now(UTC)
    with dg.DagsterInstance.local_temp(str(folder)) as instance:
        assert list(missed_night(instance, now + timedelta(days=9))) == []  # none was ever tried
        good_night.execute_in_process(instance=instance)
        ended = last_good(instance)
        assert ended is not None
        hours = (ended + timedelta(hours=number) for number in range(200))
        ticks = (rhythm.newest_pause(cron, hour).end for hour in hours)
        due = next(tick for tick in ticks if tick >= ended)
        minute = timedelta(minutes=1)
        assert list(missed_night(instance, due + rhythm.GRACE - minute)) == []
        (overdue,) = missed_night(instance, due + rhythm.GRACE + minute)
        assert overdue.startswith("no good night since ")


@pytest.fixture
def loaded(serve: Serve, project: MakeProject) -> tuple[Project, Running]:
    """Make a warehouse of twelve days that are not final, up to today."""
    now = datetime.now(UTC)
    first = now.date() - timedelta(11)
    service = serve(120, from_date=first, to_date=now.date(), now=now)
    made = project(service)
    made.settings["ACTIVITIES_START_DATE"] = str(first)
    assert made.run("sync").code == 0
    return made, service


_DIGEST = """select md5(string_agg(row, '' order by row)) from (
    select (to_jsonb(t) - '{{learned_at,refreshed_at}}'::text[])::text as row from sync.{} as t) as r"""


def stored(url: str) -> dict[str, object]:
    """Return a digest of each table of `sync`, but for that of the runs, and times of the last look."""
    names = rows(url, "select tablename from pg_tables where schemaname = 'sync'")
    return {
        name: value(url, _DIGEST.format(name))
        for (name,) in names
        if name not in ("runs", "request_budget")
    }


def events(made: Project) -> dict[str, int]:
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        (run,) = instance.get_run_records(limit=1)
        logs = instance.all_logs(run.dagster_run.run_id)
        kinds = [log.get_dagster_event().event_type_value for log in logs if log.is_dagster_event]
    return {kind: kinds.count(kind) for kind in ("ASSET_MATERIALIZATION", "ASSET_OBSERVATION")}


def test_a_light_run_without_news_costs_next_to_nothing_and_one_with_news_proves_it(
    loaded: tuple[Project, Running], migrated_url: str
) -> None:
    made, service = loaded
    before = stored(migrated_url)
    firsts = set()
    for requests in ("4", "1", "1"):
        service.state.reset_counters()
        done = made.run("sync", "--recent", ACTIVITIES_RECENT_REQUESTS=requests)
        assert (done.code, done.err) == (0, ""), done
        counters = service.state.counters()
        assert counters.logins == 1
        assert counters.requests <= 2 + int(requests)
        assert stored(migrated_url) == before
        assert events(made) == {"ASSET_MATERIALIZATION": 0, "ASSET_OBSERVATION": 1}
        query = "select window_from from sync.runs order by started_at desc limit 1"
        firsts.add(value(migrated_url, query))
    assert max(firsts) < datetime.now(UTC).date() - ONE_DAY  # older days were read, too

    created = service.state.create()
    answered = service.state.ids("SENT", "ACTION_REQUIRED")[0]
    service.state.enter_status(answered, "ACCEPTED")
    done = made.run("sync", "--recent", ACTIVITIES_RECENT_REQUESTS="50")
    assert (done.code, done.err) == (0, ""), done
    assert compare(migrated_url, service.state.truth()) == []
    query = "select count(*) from sync.coverage where incomplete is not null"
    assert value(migrated_url, query) == 0
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        newest = instance.fetch_materializations(ACTIVITIES, limit=3).records
        (run,) = instance.get_run_records(limit=1)
    # The two days that changed, and no other.
    assert [each.run_id == run.dagster_run.run_id for each in newest] == [True, True, False]
    assert value(migrated_url, "select count(*) from warehouse.activities where id = %s", created)


def test_old_runs_leave_and_no_green_day_turns_grey(loaded: tuple[Project, Running]) -> None:
    made, _ = loaded
    for options in (("--full",), ("--from", "2026-01-01")):
        assert made.run("sync", "--recent", *options).code == 2
    for _ in range(3):
        assert made.run("sync", "--recent").code == 0
    assert made.run("sync").code == 0
    day = timedelta(days=1)

    def shown(instance: dg.DagsterInstance) -> tuple[set[str], int, int]:
        checks = sum(
            1
            for record in instance.get_run_records()
            for log in instance.all_logs(
                record.dagster_run.run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION
            )
            if log
        )
        observed = instance.fetch_observations(SERVICE, limit=1).records
        return instance.get_materialized_partitions(ACTIVITIES), checks, len(observed)

    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        before, later = shown(instance), datetime.now(UTC) + 3 * day
        jobs = [each.dagster_run.job_name for each in instance.get_run_records()]
        assert jobs == ["nightly", "recent", "recent", "recent", "nightly"]
        assert forget_runs(instance, datetime.now(UTC), 90 * day) == 0
        assert forget_runs(instance, later, 90 * day) == 3
        # The first night has the newest events of days, the second one those of tables and checks.
        assert forget_runs(instance, later + 90 * day, 90 * day) == 0
        assert shown(instance) == before
        assert (
            len(list((made.folder / "history" / "runs").glob("*.db"))) == 2 + 2
        )  # the index, and runless events
