"""What Dagster shows of days: green only when proven, each with its own facts, views never behind.

Clauses 1 and 2 of docs/guarantees.md.
"""

from __future__ import annotations

import json
import signal
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import dagster as dg

from pipeline.assets.facts import ACTIVITIES
from pipeline.sandbox import FaultRule
from tests.support.commands import eventually
from tests.support.habits.lists import list_fails_for
from tests.support.mirroring import created_on
from tests.support.reading import rows, value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

FIRST = date(2026, 1, 1)
DAYS = [FIRST + timedelta(days=number) for number in range(12)]

#: Materializes a range of days as a backfill's run does; tells how it ended and what Dagster shows.
_MATERIALIZE = """
import json, sys
import dagster as dg
from dagster._core.definitions.events import AssetKeyPartitionKey
from pipeline.assets.facts import ACTIVITIES, SERVICE
from pipeline.assets.sync_days import sync_days
from pipeline.definitions import defs

first, last, *shown = sys.argv[1:]
tags = {"dagster/asset_partition_range_start": first, "dagster/asset_partition_range_end": last}
with dg.DagsterInstance.local_temp(".") as instance:
    job = defs.resolve_job_def("sync_days_job")
    run = job.execute_in_process(instance=instance, tags=tags, raise_on_error=False)
    status = instance.get_status_by_partition(ACTIVITIES, shown, sync_days.partitions_def)
    facts = {}
    for day in shown:
        wanted = dg.AssetRecordsFilter(asset_key=ACTIVITIES, asset_partitions=[day])
        for record in instance.fetch_materializations(wanted, limit=1).records:
            metadata = record.asset_materialization.metadata
            facts[day] = {name: fact.value for name, fact in metadata.items()}
    observed = [
        record.asset_observation.metadata["listed"].value
        for record in instance.fetch_observations(SERVICE, limit=1).records
    ]
    failures = [e.event_specific_data for e in run.all_events if e.is_step_failure]
told = {
    "success": run.success,
    "status": {day: status[day] and status[day].value for day in shown},
    "facts": facts,
    "observed": observed,
    "reasons": [each.user_failure_data and each.user_failure_data.description for each in failures],
}
print(json.dumps(told))
"""


def materialize(made: Project, first: date, last: date) -> Any:
    """Materialize days; return what was told."""
    done = made.run_python(_MATERIALIZE, *map(str, (first, last, *DAYS)))
    return json.loads(done.out.splitlines()[-1])


def unreadable(day: date) -> FaultRule:
    """Refuse every query of the list that touches this day."""
    return list_fails_for(str(day), str(day), 418)


def with_status(told: Any, status: str) -> list[date]:
    """Return the days with this status."""
    return [day for day in DAYS if told["status"][str(day)] == status]


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
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = serve(120, from_date=FIRST, to_date=DAYS[-1])
    made = project(service)
    poisoned = next(each.id for each in service.state.truth() if created_on(each) == DAYS[10])
    service.state.set_faults(
        unreadable(DAYS[2]),
        FaultRule(kind="status", status=200, operation="details", id=poisoned, body='{"id": 7}'),
    )
    told = materialize(made, DAYS[0], DAYS[-1])
    assert not told["success"]
    # Queries reach beyond their day, so its neighbours are not proven either.
    bad = unverified(migrated_url)
    assert DAYS[2] in bad
    assert with_status(told, "FAILED") == bad
    good = [day for day in DAYS if day not in bad]
    assert with_status(told, "MATERIALIZED") == good
    (reason,) = told["reasons"]
    assert reason.startswith(f"{len(bad)} of 12 days are not proven: {bad[0]}: ")
    expected = counts(service, good)
    facts = {day: told["facts"][str(day)] for day in good}
    assert {day: each["listed"] for day, each in facts.items()} == expected
    stored = expected | {DAYS[10]: expected[DAYS[10]] - 1}
    assert {day: each["new"] for day, each in facts.items()} == stored
    assert facts[DAYS[10]]["quarantined"] == 1  # a warning, not a failed day
    rows = {day: each["dagster/partition_row_count"] for day, each in facts.items()}
    assert rows == stored
    assert all("requests" not in each for each in facts.values())
    assert told["observed"][0] >= sum(expected.values())
    assert views_are_current(migrated_url)

    service.state.set_faults()
    healed = materialize(made, bad[0], bad[-1])
    assert healed["success"], healed
    assert with_status(healed, "MATERIALIZED") == DAYS
    assert views_are_current(migrated_url)


def test_a_day_that_was_green_and_no_longer_agrees_turns_red(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = serve(60, from_date=FIRST, to_date=DAYS[-1])
    made = project(service)
    assert materialize(made, DAYS[0], DAYS[-1])["success"]
    service.state.set_faults(unreadable(DAYS[5]))
    told = materialize(made, DAYS[4], DAYS[6])
    bad = unverified(migrated_url)
    assert with_status(told, "FAILED") == bad
    assert DAYS[5] in bad
    assert with_status(told, "MATERIALIZED") == [day for day in DAYS if day not in bad]
    assert views_are_current(migrated_url)


def test_an_interrupted_run_says_in_days_how_far_it_came_and_the_next_does_only_the_rest(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = serve(120, from_date=FIRST, to_date=DAYS[-1])
    made = project(service)
    late = next(each.id for each in service.state.truth() if created_on(each) == DAYS[-1])
    parking = service.state.park("details", activity_id=late)
    with made.start_python(_MATERIALIZE, *map(str, (DAYS[0], DAYS[-1], *DAYS))) as run:
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
    stored = value(migrated_url, "select count(*) from warehouse.activities")
    service.state.reset_counters()
    assert materialize(made, DAYS[0], DAYS[-1])["success"]
    assert service.state.counters().by_operation["details"] == 120 - stored


def test_days_turn_green_while_a_run_goes_on_and_a_killed_one_owes_none(
    serve: Serve, project: MakeProject
) -> None:
    service = serve(120, from_date=FIRST, to_date=DAYS[-1])
    made = project(service)
    late = next(each.id for each in service.state.truth() if created_on(each) == DAYS[-1])
    parking = service.state.park("details", activity_id=late)
    range_ = ("sync", "--from", str(DAYS[0]), "--to", str(DAYS[-1]))
    with made.start(*range_) as command:
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
    assert made.run(*range_).code == 0
    assert green(made) == {*map(str, DAYS)}


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
