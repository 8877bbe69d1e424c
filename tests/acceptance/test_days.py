"""What Dagster shows of days: green only when proven, each with its own facts, views never behind.

Clauses 1 and 2 of docs/guarantees.md.
"""

from __future__ import annotations

import json
import signal
from datetime import date, timedelta
from typing import TYPE_CHECKING

import dagster as dg
import pytest
from dagster._core.storage.partition_status_cache import AssetPartitionStatus

from pipeline.assets.facts import ACTIVITIES
from pipeline.assets.facts import DAYS as PARTITIONS
from pipeline.definitions import defs
from pipeline.sandbox import FaultRule
from tests.support.commands import eventually
from tests.support.habits.lists import list_fails_for
from tests.support.mirroring import created_on
from tests.support.reading import rows, stored, value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Opened, Serve
    from tests.support.commands import Project

#: Runs in this process use what Dagster names otherwise in a later version.
pytestmark = pytest.mark.filterwarnings("ignore:.*run_id is deprecated")

FIRST = date(2026, 1, 1)
DAYS = [FIRST + timedelta(days=number) for number in range(12)]
RANGE = ("sync", "--from", str(DAYS[0]), "--to", str(DAYS[-1]))


#: Materializes a range of days as a backfill's run does, whose log has its progress.
_BACKFILL = """
import sys
import dagster as dg
from pipeline.definitions import defs

tags = {f"dagster/asset_partition_range_{end}": day for end, day in zip(("start", "end"), sys.argv[1:])}
with dg.DagsterInstance.local_temp(".") as instance:
    job = defs.resolve_job_def("sync_days_job")
    job.execute_in_process(instance=instance, tags=tags, raise_on_error=False)
"""


class Shown(dict[date, dg.AssetMaterialization]):
    """What Dagster shows after a run: the newest event of each day that has one.

    ``status``: of each day; ``reasons``: why steps failed, in words for people.
    """

    def __init__(self, instance: dg.DagsterInstance, run: dg.ExecuteInProcessResult) -> None:
        names = [str(day) for day in DAYS]
        found = instance.get_status_by_partition(ACTIVITIES, names, PARTITIONS) or {}
        self.status = {day: found[str(day)] for day in DAYS}
        self.reasons = [
            str(event.step_failure_data.user_failure_data.description)
            for event in run.all_events
            if event.is_step_failure and event.step_failure_data.user_failure_data
        ]
        for day in DAYS:
            wanted = dg.AssetRecordsFilter(asset_key=ACTIVITIES, asset_partitions=[str(day)])
            for record in instance.fetch_materializations(wanted, limit=1).records:
                if record.asset_materialization:
                    self[day] = record.asset_materialization

    def days(self, status: AssetPartitionStatus) -> list[date]:
        """Return the days with this status."""
        return [day for day in DAYS if self.status[day] is status]

    def facts(self, name: str, days: Iterable[date]) -> dict[date, object]:
        """Return one fact of days."""
        return {day: self[day].metadata[name].value for day in days}


def materialize(instance: dg.DagsterInstance, first: date, last: date) -> Shown:
    """Materialize days as a backfill's run does."""
    ends = {"start": str(first), "end": str(last)}
    tags = {f"dagster/asset_partition_range_{end}": day for end, day in ends.items()}
    job = defs.resolve_job_def("sync_days_job")
    run = job.execute_in_process(instance=instance, tags=tags, raise_on_error=False)
    return Shown(instance, run)


def unreadable(day: date) -> FaultRule:
    """Refuse every query of the list that touches this day."""
    return list_fails_for(str(day), str(day), 418)


def unverified(url: str) -> list[date]:
    """Return the days that the last walk could not verify."""
    unproven = "select day from sync.days where unproven is not null order by day"
    return [day for (day,) in rows(url, unproven)]


def views_are_current(url: str) -> bool:
    """Whether the stored views show every activity that the tables have."""
    funnel = value(
        url,
        "select coalesce(sum(created_activities), 0)::bigint from analytics.activities_by_created_day",
    )
    return bool(funnel == value(url, "select count(*) from warehouse.activities"))


def counts(service: Running, days: Iterable[date]) -> dict[date, int]:
    """Return how many activities the service has of each day."""
    created = [created_on(each) for each in service.state.truth()]
    return {day: created.count(day) for day in days}


def test_only_proven_days_are_green_and_each_has_its_own_facts(
    serve: Serve, project: MakeProject, migrated_url: str, opened: Opened
) -> None:
    service = serve(120, from_date=FIRST, to_date=DAYS[-1])
    instance = opened(project(service))
    poisoned = next(each.id for each in service.state.truth() if created_on(each) == DAYS[10])
    service.state.set_faults(
        unreadable(DAYS[2]),
        FaultRule(kind="status", status=200, operation="details", id=poisoned, body='{"id": 7}'),
    )
    shown = materialize(instance, DAYS[0], DAYS[-1])
    # Queries reach beyond their day, so its neighbours are not proven either.
    bad = unverified(migrated_url)
    assert DAYS[2] in bad
    assert shown.days(AssetPartitionStatus.FAILED) == bad
    good = [day for day in DAYS if day not in bad]
    assert shown.days(AssetPartitionStatus.MATERIALIZED) == good
    (reason,) = shown.reasons
    assert reason.startswith(f"{len(bad)} of 12 days are not proven: {bad[0]}: ")
    expected = counts(service, good)
    assert shown.facts("listed", good) == expected
    expected[DAYS[10]] -= 1
    assert shown.facts("new", good) == expected
    assert shown.facts("dagster/partition_row_count", good) == expected
    assert shown.facts("quarantined", [DAYS[10]]) == {DAYS[10]: 1}  # a warning, not a failed day
    assert views_are_current(migrated_url)

    service.state.set_faults()
    healed = materialize(instance, bad[0], bad[-1])
    assert healed.days(AssetPartitionStatus.MATERIALIZED) == DAYS
    service.state.set_faults(unreadable(DAYS[5]))
    red = materialize(instance, DAYS[4], DAYS[6])  # days that were green
    assert red.days(AssetPartitionStatus.FAILED) == unverified(migrated_url)
    assert DAYS[5] in unverified(migrated_url)
    assert views_are_current(migrated_url)


def test_an_interrupted_run_says_in_days_how_far_it_came_and_the_next_does_only_the_rest(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = serve(120, from_date=FIRST, to_date=DAYS[-1])
    made = project(service)
    late = next(each.id for each in service.state.truth() if created_on(each) == DAYS[-1])
    parking = service.state.park("details", activity_id=late)
    with made.start_python(_BACKFILL, str(DAYS[0]), str(DAYS[-1])) as run:
        parking.wait(60)
        # Of two windows of days both are proven, the older one is done; the newer one waits for an answer.
        eventually(lambda: "12 of 12 days proven" in log_of(made), "the list is read")
        run.send(signal.SIGINT)
        run.end()
    parking.release()
    query = "select array_agg(day::text) from sync.coverage where incomplete is null"
    complete = set(value(migrated_url, query))
    assert {*map(str, DAYS[:4])} <= complete < {*map(str, DAYS)}
    said = f"{len(complete)} of 12 days are in; launch the failed and missing days again"
    assert said in log_of(made)
    assert green(made) == complete
    service.state.reset_counters()
    left = 120 - stored(migrated_url)
    assert made.run(*RANGE).code == 0
    assert service.state.counters().by_operation["details"] == left


def test_days_turn_green_while_a_run_goes_on_and_a_killed_one_owes_none(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = serve(120, from_date=FIRST, to_date=DAYS[-1])
    made = project(service)
    late = next(each.id for each in service.state.truth() if created_on(each) == DAYS[-1])
    parking = service.state.park("details", activity_id=late)
    with made.start(*RANGE) as command:
        parking.wait(60)
        first, last = map(str, (DAYS[0], DAYS[-1]))
        shown = eventually(
            lambda: found if first in (found := green(made)) else None, "the first day is shown"
        )
        assert last not in shown  # else the run has ended
        command.send(signal.SIGKILL)
        command.end()
    parking.release()
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        # As if it had been killed before it showed anything.
        instance.wipe_assets([ACTIVITIES])
    kept = stored(migrated_url)
    assert made.run(*RANGE).code == 0
    assert green(made) == {*map(str, DAYS)}
    # The killed run could count nothing; what it stored is shown all the same, and why it failed.
    *_, killed = json.loads(made.run("runs", "--json").out)
    assert (killed["status"], killed["new"]) == ("failed", kept)
    assert "it was killed, or lost the warehouse" in made.run("runs").out


def green(made: Project) -> set[str]:
    """Return the days that Dagster shows as materialized."""
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        return instance.get_materialized_partitions(ACTIVITIES)


def log_of(made: Project) -> str:
    """Return the log of a project's only run."""
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        return "\n".join(
            entry.user_message
            for record in instance.get_run_records()
            for entry in instance.all_logs(record.dagster_run.run_id)
        )
